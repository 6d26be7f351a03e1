package decode

import (
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// rows is a hash table with a budget, in the order of use, for hundreds of thousands of values. A row has a place,
// which is reused when the row is removed. If V has no pointers, rows have none, and the garbage collector skips them.
type rows[V any] struct {
	budget         *bounded.Budget
	index          bounded.Index
	slabs          []*[slabSize]row[V]
	inUse          []uint16 // of each slab
	free           []uint32 // places
	newest, oldest uint32   // places; 0: there are none
}

type row[V any] struct {
	value        V
	turn         uint64 // of the budget, at its last use
	newer, older uint32 // places of its neighbours by last use; 0: none
}

// slabSize is how many rows are allocated together.
const slabSize = 512

// cost is how many bytes a row takes without its buckets.
func (t *rows[V]) cost() int { return int(unsafe.Sizeof(row[V]{})) + 4 }

// row gives the row at a place that is in use.
func (t *rows[V]) row(place uint32) *row[V] {
	return &t.slabs[(place-1)/slabSize][(place-1)%slabSize]
}

// at gives the value at a place, nil for none.
func (t *rows[V]) at(place uint32) *V {
	if place == 0 {
		return nil
	}
	return &t.row(place).value
}

// put adds a place to an index.
func (t *rows[V]) put(x *bounded.Index, hash, place uint32) {
	before := x.Bytes()
	x.Put(hash, place)
	t.budget.Spend(x.Bytes() - before)
}

// take takes a place out of an index.
func (t *rows[V]) take(x *bounded.Index, hash, place uint32) {
	before := x.Bytes()
	x.Remove(hash, place)
	t.budget.Spend(x.Bytes() - before)
}

// add adds a row and gives its place. The row's value is undefined.
func (t *rows[V]) add(hash uint32) (place uint32) {
	if len(t.free) == 0 {
		t.slabs, t.inUse = append(t.slabs, nil), append(t.inUse, 0)
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
	t.inUse[slab]++
	t.put(&t.index, hash, place)
	t.budget.Spend(t.cost())
	t.link(place)
	return place
}

// use makes a row the newest.
func (t *rows[V]) use(place uint32) {
	if place != t.newest {
		t.unlink(place)
		t.link(place)
	}
	t.row(place).turn = t.budget.Now()
}

// remove removes a row.
func (t *rows[V]) remove(hash, place uint32) {
	t.unlink(place)
	t.take(&t.index, hash, place)
	t.free = append(t.free, place)
	t.budget.Spend(-t.cost())
	slab := (place - 1) / slabSize
	if t.inUse[slab]--; t.inUse[slab] == 0 && len(t.free) > 2*slabSize {
		t.slabs[slab] = nil
	}
}

// Oldest implements bounded.Keeper.
func (t *rows[V]) Oldest() (turn uint64, ok bool) {
	if t.oldest == 0 {
		return 0, false
	}
	return t.row(t.oldest).turn, true
}

// newer gives the place of the row that was used next.
func (t *rows[V]) newer(place uint32) uint32 { return t.row(place).newer }

// link adds a row to the list as the newest.
func (t *rows[V]) link(place uint32) {
	r := t.row(place)
	r.newer, r.older, r.turn = 0, t.newest, t.budget.Now()
	if t.newest != 0 {
		t.row(t.newest).newer = place
	} else {
		t.oldest = place
	}
	t.newest = place
}

func (t *rows[V]) unlink(place uint32) {
	r := t.row(place)
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
