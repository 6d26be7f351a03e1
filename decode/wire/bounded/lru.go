package bounded

import (
	"reflect"
	"unsafe"
)

// An LRU keeps values by key on a budget, in the order of their use. Trackers and sessions use it for data that hostile
// traffic can create in any amount.
//
// GetAt and MakeAt are Get and Make for callers that know the lane of a message, see wire.Place. If the previous
// message on that lane had the same key, they find its entry without hashing the key.
type LRU[K comparable, V any] struct {
	rows    Rows[entry[K, V]]
	held    func(*V) int
	dropped func(K, *V)
	hasher  *hasher
	lanes   []uint32 // by lane: the place of the entry that was last found on it, or 0
}

type entry[K comparable, V any] struct {
	value V // first, because a value of size 0 would need padding after the key
	key   K
}

// Values are the callbacks of an LRU. Each may be nil.
type Values[K comparable, V any] struct {
	// Held returns the number of bytes that a value refers to in slices, maps and strings. It is called after each use,
	// so it should be fast.
	Held func(*V) int

	// Dropped is called before a value is dropped to make room.
	Dropped func(K, *V)
}

// NewLRU makes an LRU on a budget. If b is nil, the LRU makes its own budget.
func NewLRU[K comparable, V any](b *Budget, kind Kind, v Values[K, V]) *LRU[K, V] {
	if b == nil {
		b = NewBudget(DefaultMemory)
	}
	l := &LRU[K, V]{
		rows: NewRows[entry[K, V]](b), held: v.Held, dropped: v.Dropped, hasher: newHasher(reflect.TypeFor[K]()),
	}
	l.rows.holds = v.Held != nil
	b.Join(l, kind)
	return l
}

// Len returns the number of values.
func (b *LRU[K, V]) Len() int { return b.rows.Len() }

func (b *LRU[K, V]) hash(k *K) uint32 { return b.hasher.hash(unsafe.Pointer(k)) }

// find returns the place of a key, or 0 if there is none.
func (b *LRU[K, V]) find(k *K, hash uint32) uint32 {
	return b.rows.index.Find(hash, func(place uint32) bool { return b.rows.row(place).value.key == *k })
}

// look returns the place and the row of a key. If the key is missing, the row is nil and hash is set. look checks the
// newest entry first, which is usually the right one.
func (b *LRU[K, V]) look(k *K) (place uint32, r *row[entry[K, V]], hash uint32) {
	if place = b.rows.newest; place != 0 {
		if r = b.rows.row(place); r.value.key == *k {
			return place, r, 0
		}
	}
	hash = b.hash(k)
	if place = b.find(k, hash); place == 0 {
		return 0, nil, hash
	}
	return place, b.rows.row(place), hash
}

// Get returns the value of a key, or nil. This counts as use. The pointer is valid until the entry is deleted or the
// budget's next turn begins.
func (b *LRU[K, V]) Get(k K) *V {
	if b.rows.newest == 0 {
		return nil
	}
	place, r, _ := b.look(&k)
	if r == nil {
		return nil
	}
	return b.use(place, r)
}

// Peek is like Get, but does not count as use. If the caller changes the value, the budget does not notice the new
// size.
func (b *LRU[K, V]) Peek(k K) *V {
	if b.rows.newest == 0 {
		return nil
	}
	if e := b.rows.At(b.find(&k, b.hash(&k))); e != nil {
		return &e.value
	}
	return nil
}

// Stalest returns the least recently used key and its value, or nil if the LRU is empty. It does not count as use.
func (b *LRU[K, V]) Stalest() (k K, v *V) {
	if e := b.rows.At(b.rows.oldest); e != nil {
		return e.key, &e.value
	}
	return k, nil
}

// GetAt is Get for a message on a lane. Lane 0 means that the message has no lane.
func (b *LRU[K, V]) GetAt(lane uint32, k K) *V {
	if place, r := b.on(lane, &k); r != nil {
		return b.use(place, r)
	}
	v := b.Get(k)
	if v != nil {
		b.remember(lane)
	}
	return v
}

// Make returns the value of a key. If there is none, it makes a zero value. This counts as use, see Get.
func (b *LRU[K, V]) Make(k K) *V {
	place, r, hash := b.look(&k)
	if r != nil {
		return b.use(place, r)
	}
	b.measure(b.rows.newest)
	e := b.rows.At(b.rows.Add(hash))
	e.key = k
	return &e.value
}

// MakeAt is Make for a message on a lane. Lane 0 means that the message has no lane.
func (b *LRU[K, V]) MakeAt(lane uint32, k K) *V {
	if place, r := b.on(lane, &k); r != nil {
		return b.use(place, r)
	}
	v := b.Make(k)
	b.remember(lane)
	return v
}

// Slot returns a small number that identifies the newest entry and is never 0. At finds the entry by this number until
// the entry is deleted or dropped. After that, another entry may get the number.
func (b *LRU[K, V]) Slot() uint32 { return b.rows.newest }

// At returns the key and the value in a slot. It does not count as use.
func (b *LRU[K, V]) At(slot uint32) (K, *V) {
	e := b.rows.At(slot)
	return e.key, &e.value
}

// Find returns the value in a slot that was in use once, or nil if the slot is now free. It does not count as use.
func (b *LRU[K, V]) Find(slot uint32) *V {
	if r := b.rows.find(slot); r != nil {
		return &r.value.value
	}
	return nil
}

// on returns the place and the row of a key if the key was the last one found on a lane. Otherwise the row is nil.
func (b *LRU[K, V]) on(lane uint32, k *K) (uint32, *row[entry[K, V]]) {
	if int(lane) < len(b.lanes) {
		if place := b.lanes[lane]; place != 0 {
			if r := b.rows.find(place); r != nil && r.value.key == *k {
				return place, r
			}
		}
	}
	return 0, nil
}

// remember stores that the newest entry was found on a lane.
func (b *LRU[K, V]) remember(lane uint32) {
	if lane == 0 {
		return
	}
	if int(lane) >= len(b.lanes) {
		before := cap(b.lanes)
		b.lanes = append(b.lanes, make([]uint32, int(lane)+1-len(b.lanes))...)
		b.rows.budget.Spend((cap(b.lanes) - before) * 4)
	}
	b.lanes[lane] = b.rows.newest
}

// Delete deletes a key. It does not call Dropped.
func (b *LRU[K, V]) Delete(k K) {
	if place := b.find(&k, b.hash(&k)); place != 0 {
		b.rows.Remove(place)
	}
}

// Clear deletes all keys. It does not call Dropped.
func (b *LRU[K, V]) Clear() {
	for b.rows.oldest != 0 {
		b.rows.Remove(b.rows.oldest)
	}
}

// Each calls a function with every key and value, the least recently used first. The function may delete the entry that
// it is called with.
func (b *LRU[K, V]) Each(f func(K, *V)) {
	for place := b.rows.oldest; place != 0; {
		r := b.rows.row(place)
		place = r.newer
		f(r.value.key, &r.value.value)
	}
}

func (b *LRU[K, V]) Oldest() (turn uint64, ok bool) { return b.rows.Oldest() }

func (b *LRU[K, V]) Forget() (loss bool) {
	place := b.rows.oldest
	if b.dropped != nil {
		e := b.rows.At(place)
		b.dropped(e.key, &e.value)
	}
	b.rows.Remove(place)
	return true
}

// use makes an entry the newest and returns its value. First it measures the entry that was the newest, because the use
// of that entry is over. Both may be the same entry, used in an earlier turn.
func (b *LRU[K, V]) use(place uint32, r *row[entry[K, V]]) *V {
	if last := b.rows.newest; place != last || r.turn != uint32(b.rows.budget.turn) {
		b.measure(last)
	}
	b.rows.use(place, r)
	return &r.value.value
}

// measure updates the number of bytes that the value of an entry refers to. The place may be 0.
func (b *LRU[K, V]) measure(place uint32) {
	if place != 0 && b.held != nil {
		b.rows.hold(place, b.held(&b.rows.row(place).value.value))
	}
}
