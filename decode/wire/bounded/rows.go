package bounded

import "unsafe"

// Rows keeps values on a budget, in the order of their use. The owner keeps the keys, finds values with Places, and
// compares the keys. LRUs use Rows, and so do tables with hundreds of thousands of values. The place of a row is a
// number from 1. After the row is removed, another row may get its place. If V contains no pointers, the garbage
// collector does not scan the rows.
type Rows[V any] struct {
	budget         *Budget
	index          Index               // index of the places
	slabs          []*[slabSize]row[V] // nil if all rows of the slab are free
	inUse          []uint64            // by slab: a bit for each row
	free           []uint32            // places that are not in use
	newest, oldest uint32              // places; 0: there is none
	holds          bool                // whether values refer to further bytes
	held           []uint32            // if holds is true: the number of those bytes, by place - 1
}

type row[V any] struct {
	value        V
	turn         uint32 // the low bits of the turn of the last use
	newer, older uint32 // places; 0: there is none
	hash         uint32
}

const (
	slabSize = 64           // number of rows that are allocated together, and of bits in an element of Rows.inUse
	maxFree  = 8 * slabSize // if more rows are free, slabs without used rows are freed
)

// NewRows makes rows that spend bytes of a budget. The owner must call Budget.Join.
func NewRows[V any](b *Budget) Rows[V] { return Rows[V]{budget: b} }

// cost returns the approximate size of a row in bytes: itself, its bucket, and its entry in held.
func (t *Rows[V]) cost() int {
	const bucket, held = bucketSize * 4 / 3, 4 // a part of the buckets is free
	n := int(unsafe.Sizeof(row[V]{})) + bucket
	if t.holds {
		n += held
	}
	return n
}

// Len returns the number of rows.
func (t *Rows[V]) Len() int { return t.index.Len() }

// row returns the row at a place that is in use.
func (t *Rows[V]) row(place uint32) *row[V] { return &t.slabs[(place-1)/slabSize][(place-1)%slabSize] }

// find returns the row at a place that was in use once, or nil if the place is free now.
func (t *Rows[V]) find(place uint32) *row[V] {
	if t.inUse[(place-1)/slabSize]&bit(place) != 0 {
		return t.row(place)
	}
	return nil
}

// bit returns the bit in Rows.inUse for a place.
func bit(place uint32) uint64 { return 1 << ((place - 1) % slabSize) }

// At returns the value at a place that is in use, or nil for place 0.
func (t *Rows[V]) At(place uint32) *V {
	if place == 0 {
		return nil
	}
	return &t.row(place).value
}

// Find returns the value at a place that was in use once, or nil if the place is free now.
func (t *Rows[V]) Find(place uint32) *V {
	if r := t.find(place); r != nil {
		return &r.value
	}
	return nil
}

// Places returns the index that finds places by hash.
func (t *Rows[V]) Places() *Index { return &t.index }

// Add adds a row with a zero value as the newest, and returns its place.
func (t *Rows[V]) Add(hash uint32) (place uint32) {
	if len(t.free) == 0 {
		t.slabs, t.inUse = append(t.slabs, nil), append(t.inUse, 0)
		if t.holds {
			t.held = append(t.held, make([]uint32, slabSize)...)
		}
		for place := uint32(len(t.slabs) * slabSize); len(t.free) < slabSize; place-- {
			t.free = append(t.free, place)
		}
	}
	last := len(t.free) - 1
	place, t.free = t.free[last], t.free[:last]
	slab := (place - 1) / slabSize
	if t.slabs[slab] == nil {
		t.slabs[slab] = new([slabSize]row[V])
	}
	t.inUse[slab] |= bit(place)
	t.index.Put(hash, place)
	t.budget.Spend(t.cost())
	r := t.row(place)
	r.hash, r.turn = hash, uint32(t.budget.turn)
	t.link(place, r)
	return place
}

// Use makes a row the newest.
func (t *Rows[V]) Use(place uint32) { t.use(place, t.row(place)) }

func (t *Rows[V]) use(place uint32, r *row[V]) {
	if place != t.newest {
		t.unlink(r)
		t.link(place, r)
	}
	r.turn = uint32(t.budget.turn)
}

// Remove removes a row.
func (t *Rows[V]) Remove(place uint32) {
	r := t.row(place)
	t.unlink(r)
	t.index.Remove(r.hash, place)
	if t.holds {
		t.hold(place, 0)
	}
	t.budget.Spend(-t.cost())
	*r = row[V]{}
	t.free = append(t.free, place)
	slab := (place - 1) / slabSize
	if t.inUse[slab] &^= bit(place); t.inUse[slab] == 0 && len(t.free) > maxFree {
		t.slabs[slab] = nil
	}
}

// hold sets the number of bytes that a value refers to, and updates the budget.
func (t *Rows[V]) hold(place uint32, bytes int) {
	held := &t.held[place-1]
	if n := uint32(bytes); n != *held {
		t.budget.Spend(int(n) - int(*held))
		*held = n
	}
}

// Newest returns the place of the most recently used row, or 0.
func (t *Rows[V]) Newest() uint32 { return t.newest }

// Stalest returns the place of the least recently used row, or 0.
func (t *Rows[V]) Stalest() uint32 { return t.oldest }

// Newer returns the place of the row that was used next after the given one, or 0.
func (t *Rows[V]) Newer(place uint32) uint32 { return t.row(place).newer }

func (t *Rows[V]) Oldest() (turn uint64, ok bool) {
	if t.oldest == 0 {
		return 0, false
	}
	age := uint32(t.budget.turn) - t.row(t.oldest).turn
	return t.budget.turn - uint64(age), true
}

// link adds a row at the newest end of the list.
func (t *Rows[V]) link(place uint32, r *row[V]) {
	if r.newer, r.older = 0, t.newest; r.older != 0 {
		t.row(r.older).newer = place
	} else {
		t.oldest = place
	}
	t.newest = place
}

func (t *Rows[V]) unlink(r *row[V]) {
	if r.newer != 0 {
		t.row(r.newer).older = r.older
	} else {
		t.newest = r.older
	}
	if r.older != 0 {
		t.row(r.older).newer = r.newer
	} else {
		t.oldest = r.newer
	}
}
