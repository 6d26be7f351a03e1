package bounded

import (
	"reflect"
	"unsafe"
)

// An LRU keeps values by key on a budget, in the order of their use. Trackers and sessions keep in it what
// hostile traffic can create in any number.
//
// GetAt and MakeAt are Get and Make for callers that know the lane of a message, see wire.Place: they find an entry
// again on the same lane without hashing the key.
type LRU[K comparable, V any] struct {
	budget  *Budget
	held    func(*V) int
	dropped func(K, *V)

	slots  []*entry[K, V] // nil: free; the first is unused
	free   []uint32       // slots
	spare  []*entry[K, V] // for reuse; at most maxSpare
	hasher *hasher
	byKey  Index // slots
	newest *entry[K, V]
	oldest uint32   // its slot; 0: there is none
	lanes  []uint32 // by lane: the slot of the entry found there last, or 0
}

const maxSpare = 64

// An entry is linked to others by slots, so that the garbage collector does not scan entries whose keys and values
// have no pointers.
type entry[K comparable, V any] struct {
	key          K
	value        V
	turn         uint64 // of its last use
	held         int    // bytes that the value held when measured last
	newer, older uint32 // slots; 0: there is none
	slot, hash   uint32
}

// Values are an LRU's callbacks. Each may be nil.
type Values[K comparable, V any] struct {
	// Held returns the bytes that a value holds besides itself: its slices, maps, texts. It is called after each use,
	// so it should not count them one by one.
	Held func(*V) int

	// Dropped is called before a value is forgotten to make room.
	Dropped func(K, *V)
}

// NewLRU makes an LRU on a budget; nil makes it use its own.
func NewLRU[K comparable, V any](b *Budget, kind Kind, v Values[K, V]) *LRU[K, V] {
	if b == nil {
		b = NewBudget(DefaultMemory)
	}
	l := &LRU[K, V]{
		budget: b, held: v.Held, dropped: v.Dropped, slots: make([]*entry[K, V], 1), hasher: newHasher(reflect.TypeFor[K]()),
	}
	b.Join(l, kind)
	return l
}

// cost returns the approximate bytes of an entry: itself, in the allocator's sizes, its slot and its bucket.
func (b *LRU[K, V]) cost() int {
	const slot, bucket = 8 + 4, 16 // some are free
	return (int(unsafe.Sizeof(entry[K, V]{}))+15)&^15 + slot + bucket
}

// Len returns the number of values.
func (b *LRU[K, V]) Len() int { return b.byKey.Len() }

func (b *LRU[K, V]) hash(k *K) uint32 { return b.hasher.hash(unsafe.Pointer(k)) }

// find returns the entry of a key, or nil.
func (b *LRU[K, V]) find(k K, hash uint32) *entry[K, V] {
	return b.slots[b.byKey.Find(hash, func(slot uint32) bool { return b.slots[slot].key == k })]
}

// Get returns the value of a key, or nil. It counts as use. The value stays where it is until it is
// deleted or the budget's next turn.
func (b *LRU[K, V]) Get(k K) *V {
	p := b.newest
	if p == nil {
		return nil
	}
	if p.key != k { // mostly the newest entry is used again
		if p = b.find(k, b.hash(&k)); p == nil {
			return nil
		}
	}
	b.use(p)
	return &p.value
}

// Peek is Get without use: changes of the value do not count as held.
func (b *LRU[K, V]) Peek(k K) *V {
	if p := b.find(k, b.hash(&k)); p != nil {
		return &p.value
	}
	return nil
}

// Stalest returns the least recently used key and value, nil if there is none. It does not count as use.
func (b *LRU[K, V]) Stalest() (k K, v *V) {
	if p := b.slots[b.oldest]; p != nil {
		return p.key, &p.value
	}
	return k, nil
}

// GetAt is Get for a message on a lane; 0 is no lane.
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

// Make returns the value of a key, a new zero value if there was none. It counts as use, see Get.
func (b *LRU[K, V]) Make(k K) *V {
	p := b.newest
	if p == nil || p.key != k { // mostly the newest entry is used again
		hash := b.hash(&k)
		if p = b.find(k, hash); p == nil {
			return b.add(k, hash)
		}
	}
	b.use(p)
	return &p.value
}

// add makes an entry for a key that has none.
func (b *LRU[K, V]) add(k K, hash uint32) *V {
	var p *entry[K, V]
	if last := len(b.spare) - 1; last >= 0 {
		p, b.spare = b.spare[last], b.spare[:last]
	} else {
		p = new(entry[K, V])
	}
	p.key, p.turn, p.hash = k, b.budget.turn, hash
	if last := len(b.free) - 1; last >= 0 {
		p.slot, b.free = b.free[last], b.free[:last]
		b.slots[p.slot] = p
	} else {
		p.slot = uint32(len(b.slots))
		b.slots = append(b.slots, p)
	}
	b.byKey.Put(p.hash, p.slot)
	b.measure(b.newest)
	b.link(p)
	b.budget.Spend(b.cost())
	return &p.value
}

// MakeAt is Make for a message on a lane; 0 is no lane.
func (b *LRU[K, V]) MakeAt(lane uint32, k K) *V {
	if int(lane) < len(b.lanes) {
		if p := b.slots[b.lanes[lane]]; p != nil && p.key == k {
			b.use(p)
			return &p.value
		}
	}
	v := b.Make(k)
	b.remember(lane)
	return v
}

// Slot returns a small number, never 0, of the newest entry. At finds the entry by it until the entry is deleted or
// forgotten; then another entry may get the number.
func (b *LRU[K, V]) Slot() uint32 { return b.newest.slot }

// At returns the key and the value in a slot. It does not count as use.
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

// Delete deletes a key. It does not call Dropped.
func (b *LRU[K, V]) Delete(k K) {
	if p := b.find(k, b.hash(&k)); p != nil {
		b.remove(p)
	}
}

// Clear deletes all keys. It does not call Dropped.
func (b *LRU[K, V]) Clear() {
	for p := b.slots[b.oldest]; p != nil; p = b.slots[b.oldest] {
		b.remove(p)
	}
}

// Each calls a function with every key and value, the least recently used first. The function may
// delete that entry.
func (b *LRU[K, V]) Each(f func(K, *V)) {
	for p := b.slots[b.oldest]; p != nil; {
		next := b.slots[p.newer]
		f(p.key, &p.value)
		p = next
	}
}

// Oldest implements Keeper.
func (b *LRU[K, V]) Oldest() (turn uint64, ok bool) {
	if b.oldest == 0 {
		return 0, false
	}
	return b.slots[b.oldest].turn, true
}

// Forget implements Keeper.
func (b *LRU[K, V]) Forget() (loss bool) {
	p := b.slots[b.oldest]
	if b.dropped != nil {
		b.dropped(p.key, &p.value)
	}
	b.remove(p)
	return true
}

// use makes an entry the newest. It measures the previous newest, which may be the same entry in an earlier turn.
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

// measure updates the bytes that an entry's value holds, when its use is over. The entry may be nil.
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
	b.byKey.Remove(p.hash, p.slot)
	b.slots[p.slot] = nil
	b.free = append(b.free, p.slot)
	b.budget.Spend(-b.cost() - p.held)
	if len(b.spare) < maxSpare {
		*p = entry[K, V]{}
		b.spare = append(b.spare, p)
	}
}

func (b *LRU[K, V]) link(p *entry[K, V]) {
	p.newer, p.older = 0, 0
	if b.newest != nil {
		b.newest.newer, p.older = p.slot, b.newest.slot
	} else {
		b.oldest = p.slot
	}
	b.newest = p
}

func (b *LRU[K, V]) unlink(p *entry[K, V]) {
	if p.newer != 0 {
		b.slots[p.newer].older = p.older
	} else {
		b.newest = b.slots[p.older]
	}
	if p.older != 0 {
		b.slots[p.older].newer = p.newer
	} else {
		b.oldest = p.newer
	}
}
