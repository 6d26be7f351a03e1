package bounded

import "unsafe"

// An LRU keeps values by key on a budget, in the order of their use. Trackers and sessions keep in it what
// strangers can make many of.
//
// GetAt and MakeAt are Get and Make for those who know the lane of a message, see wire.Place: they find what was
// found on the same lane before without hashing the key.
type LRU[K comparable, V any] struct {
	budget  *Budget
	held    func(*V) int
	dropped func(K, *V)
	entries map[K]*entry[K, V]
	newest  *entry[K, V]
	oldest  *entry[K, V]

	lanes []uint32       // by lane: the slot of the entry that was found there last, 0 if none was
	slots []*entry[K, V] // nil: free
	free  []uint32       // slots
}

type entry[K comparable, V any] struct {
	key          K
	value        V
	newer, older *entry[K, V]
	turn         uint64 // of its last use
	held         int    // bytes that the value held when it was looked at last
	slot         uint32 // never 0
}

// Values say what an LRU has to know of its values. Each may be nil.
type Values[K comparable, V any] struct {
	// Held is how many bytes a value holds besides itself: its slices, maps, texts. It is asked after each use,
	// so it should not count them one by one.
	Held func(*V) int

	// Dropped is called before a value is forgotten to make room.
	Dropped func(K, *V)
}

// NewLRU makes an LRU on a budget; nil is one of its own.
func NewLRU[K comparable, V any](b *Budget, kind Kind, v Values[K, V]) *LRU[K, V] {
	if b == nil {
		b = NewBudget(DefaultMemory)
	}
	l := &LRU[K, V]{budget: b, held: v.Held, dropped: v.Dropped, entries: make(map[K]*entry[K, V])}
	l.slots = make([]*entry[K, V], 1)
	b.Join(l, kind)
	return l
}

// cost is about what an entry takes: itself, and its places in the table and among the slots.
func (b *LRU[K, V]) cost() int {
	var e entry[K, V]
	return int(unsafe.Sizeof(e)) + (int(unsafe.Sizeof(e.key))+9)*3/2 + 12
}

// Len is the number of values.
func (b *LRU[K, V]) Len() int { return len(b.entries) }

// Get gives the value of a key, nil if there is none. It counts as use. The value stays where it is until it is
// deleted or the budget's next turn.
func (b *LRU[K, V]) Get(k K) *V {
	if p := b.newest; p != nil && p.key == k { // who was there last mostly goes on
		b.use(p)
		return &p.value
	}
	p := b.entries[k]
	if p == nil {
		return nil
	}
	b.use(p)
	return &p.value
}

// Peek is Get for who only looks: it does not count as use, nor does what is changed in the value count as held.
func (b *LRU[K, V]) Peek(k K) *V {
	if p := b.entries[k]; p != nil {
		return &p.value
	}
	return nil
}

// GetAt is Get for a message on a lane; 0 is none.
func (b *LRU[K, V]) GetAt(lane uint32, k K) *V {
	if int(lane) < len(b.lanes) {
		if p := b.slots[b.lanes[lane]]; p != nil && p.key == k {
			b.use(p)
			return &p.value
		}
	}
	v := b.Get(k)
	if v != nil {
		b.remember(lane)
	}
	return v
}

// Make gives the value of a key, an empty one if there was none. It counts as use, see Get.
func (b *LRU[K, V]) Make(k K) *V {
	if v := b.Get(k); v != nil {
		return v
	}
	return b.add(k)
}

// add makes an entry for a key that has none.
func (b *LRU[K, V]) add(k K) *V {
	p := &entry[K, V]{key: k, turn: b.budget.turn}
	if last := len(b.free) - 1; last >= 0 {
		p.slot, b.free = b.free[last], b.free[:last]
		b.slots[p.slot] = p
	} else {
		p.slot = uint32(len(b.slots))
		b.slots = append(b.slots, p)
	}
	b.entries[k] = p
	b.measure(b.newest)
	b.link(p)
	b.budget.Spend(b.cost())
	return &p.value
}

// MakeAt is Make for a message on a lane; 0 is none.
func (b *LRU[K, V]) MakeAt(lane uint32, k K) *V {
	if v := b.GetAt(lane, k); v != nil {
		return v
	}
	v := b.add(k)
	b.remember(lane)
	return v
}

// Slot is a small number for what was used last, never 0. At finds it by that number until it is deleted or
// forgotten; then another one gets the number.
func (b *LRU[K, V]) Slot() uint32 { return b.newest.slot }

// At gives the key and the value in a slot. It is no use.
func (b *LRU[K, V]) At(slot uint32) (K, *V) {
	p := b.slots[slot]
	return p.key, &p.value
}

// remember notes that the newest entry was found on a lane.
func (b *LRU[K, V]) remember(lane uint32) {
	if lane == 0 {
		return
	}
	if int(lane) >= len(b.lanes) {
		before := cap(b.lanes)
		b.lanes = append(b.lanes, make([]uint32, int(lane)+1-len(b.lanes))...)
		b.budget.Spend((cap(b.lanes) - before) * 4)
	}
	b.lanes[lane] = b.newest.slot
}

// Delete forgets a key. It is not shown to Dropped.
func (b *LRU[K, V]) Delete(k K) {
	if p := b.entries[k]; p != nil {
		b.remove(p)
	}
}

// Each calls a function with every key and value, the one used longest ago first. The function may
// delete that one.
func (b *LRU[K, V]) Each(f func(K, *V)) {
	for p := b.oldest; p != nil; {
		next := p.newer
		f(p.key, &p.value)
		p = next
	}
}

// Oldest implements Keeper.
func (b *LRU[K, V]) Oldest() (turn uint64, ok bool) {
	if b.oldest == nil {
		return 0, false
	}
	return b.oldest.turn, true
}

// Forget implements Keeper.
func (b *LRU[K, V]) Forget() {
	p := b.oldest
	if b.dropped != nil {
		b.dropped(p.key, &p.value)
	}
	b.remove(p)
}

// use makes an entry the newest. What the one before holds is measured, which may be the same in an earlier turn.
func (b *LRU[K, V]) use(p *entry[K, V]) {
	if last := b.newest; p != last || p.turn != b.budget.turn {
		b.measure(last)
	}
	p.turn = b.budget.turn
	if p != b.newest {
		b.unlink(p)
		b.link(p)
	}
}

// measure looks at what a value holds, when its use is over; nil is none.
func (b *LRU[K, V]) measure(p *entry[K, V]) {
	if p == nil || b.held == nil {
		return
	}
	if n := b.held(&p.value); n != p.held {
		b.budget.Spend(n - p.held)
		p.held = n
	}
}

func (b *LRU[K, V]) remove(p *entry[K, V]) {
	b.unlink(p)
	delete(b.entries, p.key)
	b.slots[p.slot] = nil
	b.free = append(b.free, p.slot)
	b.budget.Spend(-b.cost() - p.held)
}

func (b *LRU[K, V]) link(p *entry[K, V]) {
	p.newer, p.older = nil, b.newest
	if b.newest != nil {
		b.newest.newer = p
	} else {
		b.oldest = p
	}
	b.newest = p
}

func (b *LRU[K, V]) unlink(p *entry[K, V]) {
	if p.newer != nil {
		p.newer.older = p.older
	} else {
		b.newest = p.older
	}
	if p.older != nil {
		p.older.newer = p.newer
	} else {
		b.oldest = p.newer
	}
}
