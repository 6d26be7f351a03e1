package stats

import (
	"container/heap"
	"maps"
	"math"
	"slices"
)

// A list bounds the cost of its rows. In the order of their keys' hashes, it keeps as many rows as fit; it counts the
// others together.
//
// Which rows a list keeps does not depend on the order in which they come and grow. Costs only grow, and the level of
// the memory only falls. So a row that the list drops would not fit at the end either, and a row that it keeps to the
// end was never counted among the others. The same holds for merged parts: each part has the hash from which on it
// dropped rows.
type list[K key, R row[K, R]] struct {
	name   string               // as Stats.Full has it
	rows   map[K]R              // which users see
	most   int                  // how many rows there were at once since the map was made
	moved  func(map[K]R)        // takes the map when another replaces it
	heap   rowHeap[R]           // the same without the others
	memory *memory              // shared with other lists
	used   int                  // what they cost
	beyond uint64               // rows with this hash or a larger one are counted together
	others R                    // in rows under the zero key, once requested
	fresh  func() R             // makes a row
	spare  R                    // the row that was dropped last: a full list drops one for each that it adds
	cost   func(K) int          // of a new row
	full   func(string, uint64) // takes name and beyond when the others take a row
	drop   func(R)              // is called when the others took a row; may be nil
}

// A key names a row.
type key interface {
	comparable
	hash() uint64
}

// A row is a pointer to counts, with a head for its list.
type row[K key, R any] interface {
	comparable
	listed() *head[K]
	merge(R)
	clear() // makes it a row that has counted nothing
}

// A rowHeap has the row with the largest hash first.
type rowHeap[R any] []ranked[R]

// ranked is a row with its hash.
type ranked[R any] struct {
	hash uint64
	row  R
}

func (h rowHeap[R]) Len() int           { return len(h) }
func (h rowHeap[R]) Less(i, j int) bool { return h[i].hash > h[j].hash }
func (h rowHeap[R]) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *rowHeap[R]) Push(x any)        { *h = append(*h, x.(ranked[R])) }

func (h *rowHeap[R]) Pop() any {
	last := len(*h) - 1
	r := (*h)[last]
	(*h)[last] = ranked[R]{}
	*h = (*h)[:last]
	return r
}

// head is what a list needs of a row. Rows embed it.
type head[K key] struct {
	key  K
	hash uint64
	cost int
}

func (h *head[K]) listed() *head[K] { return h }

// nothing is the value of list.beyond as long as there is room for all.
const nothing = math.MaxUint64

// begin makes the list of a map's rows. From then on it shares the memory. cost returns the size of a row.
func (l *list[K, R]) begin(rows map[K]R, cost func(K, R) int) {
	l.rows, l.beyond = rows, nothing
	l.memory.lists = append(l.memory.lists, l)
	var none K
	for key, r := range rows {
		if key == none {
			l.others = r
			continue
		}
		h := r.listed()
		h.key, h.hash, h.cost = key, key.hash(), cost(key, r)
		heap.Push(&l.heap, ranked[R]{h.hash, r})
		l.used += h.cost
	}
	l.memory.used += l.used
}

// rest returns the row of the others.
func (l *list[K, R]) rest() R {
	var none R
	if l.others == none {
		var key K
		l.others = l.empty()
		l.rows[key] = l.others
	}
	return l.others
}

// empty returns a row that has counted nothing.
func (l *list[K, R]) empty() R {
	var none R
	r := l.spare
	if r == none {
		r = l.fresh()
	}
	l.spare = none
	r.clear()
	return r
}

// row returns the row of a key, which it adds if it is missing; the others' if the key has no room.
func (l *list[K, R]) row(key K) R {
	var none K
	hash := key.hash()
	if hash >= l.beyond || key == none {
		return l.rest()
	}
	if r, ok := l.rows[key]; ok {
		return r
	}
	r := l.empty()
	h := r.listed()
	h.key, h.hash = key, hash
	l.rows[key] = r
	l.most = max(l.most, len(l.rows))
	heap.Push(&l.heap, ranked[R]{hash, r})
	l.grow(r, l.cost(key))
	if hash >= l.beyond {
		return l.rest()
	}
	return r
}

// grow notes that a row costs more, and drops rows that do not fit any more.
func (l *list[K, R]) grow(r R, cost int) {
	if r == l.others {
		return
	}
	r.listed().cost += cost
	l.used += cost
	l.memory.used += cost
	switch {
	case l.memory.level == endless && l.memory.used <= l.memory.size:
	case l.beyond == nothing:
		l.memory.share()
	default: // it had its part before
		l.trim()
	}
}

// lower drops the rows whose hash is not below a bound.
func (l *list[K, R]) lower(bound uint64) {
	l.beyond = min(l.beyond, bound)
	l.memory.share()
	l.full(l.name, l.beyond)
}

// total is what all rows cost, endless if some were dropped.
func (l *list[K, R]) total() int {
	if l.beyond != nothing {
		return endless
	}
	return l.used
}

// trim drops rows until the rest is below the level.
func (l *list[K, R]) trim() {
	for len(l.heap) > 0 && (l.used > l.memory.level || l.heap[0].hash >= l.beyond) {
		l.dropLast()
	}
	if len(l.rows) < l.most*3/4 {
		l.shrink()
	}
}

// dropLast drops the row with the largest hash. Rows with equal hashes are dropped together.
func (l *list[K, R]) dropLast() {
	r := heap.Pop(&l.heap).(ranked[R]).row
	h := r.listed()
	l.beyond = min(l.beyond, h.hash)
	l.used -= h.cost
	l.memory.used -= h.cost
	delete(l.rows, h.key)
	l.rest().merge(r)
	l.full(l.name, l.beyond)
	if l.drop != nil {
		l.drop(r)
	}
	l.spare = r
}

// shrink returns memory: maps and slices keep the size that they had once.
func (l *list[K, R]) shrink() {
	rows := make(map[K]R, len(l.rows))
	maps.Copy(rows, l.rows)
	l.rows, l.most, l.heap = rows, len(rows), slices.Clone(l.heap)
	l.moved(rows)
}
