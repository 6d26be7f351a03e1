package stats

import (
	"container/heap"
	"maps"
	"math"
	"slices"
)

// A list keeps rows up to a total cost in bytes. It sorts the rows by the hashes of their keys, keeps as many as fit,
// and counts all others in one row, the row of the others.
//
// The set of kept rows does not depend on the order in which rows are added and grow. Costs only rise, and the list's
// limit (see memory.level) only falls. A row that the list drops would therefore not fit at the end either, and a row
// that the list keeps to the end was never counted among the others. The same is true of merged Stats, because each
// part records the smallest hash whose rows it dropped.
type list[K key, R row[K, R]] struct {
	name   string               // name of the list in Stats.Full
	rows   map[K]R              // the map that users see
	most   int                  // largest number of rows since the map was made
	moved  func(map[K]R)        // receives the new map when it replaces the old one
	heap   rowHeap[R]           // the same rows without the row of the others
	memory *memory              // shared with other lists
	used   int                  // cost of the rows
	beyond uint64               // rows with this hash or a larger one are counted among the others
	others R                    // the row of the others; it is added to rows when it is first needed
	fresh  func() R             // makes a row
	spare  R                    // the row that was dropped last, for reuse: a full list drops one row for each new one
	cost   func(K) int          // returns the cost of a new row
	full   func(string, uint64) // called with the fields name and beyond when a row is counted among the others
	drop   func(R)              // called with a row that is counted among the others; may be nil
}

// A key identifies a row.
type key interface {
	comparable
	hash() uint64
}

// A row is a pointer to counts that embed a head for the list.
type row[K key, R any] interface {
	comparable
	listed() *head[K]
	merge(R)
	clear() // resets all counts
}

// A rowHeap is a heap with the largest hash at its root.
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

// head is the part of a row that a list needs. Rows embed it.
type head[K key] struct {
	key  K
	hash uint64
	cost int
}

func (h *head[K]) listed() *head[K] { return h }

// The constant nothing is the value of list.beyond while all rows have room.
const nothing = math.MaxUint64

// begin makes the list from the rows of a map. From then on, the list uses the shared memory. cost returns the cost of
// a row.
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

// empty returns a row without counts.
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

// row returns the row of a key. It adds the row if it is missing. If the key has no room, it returns the row of the
// others.
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

// grow records that the cost of a row has risen, and drops rows that no longer fit.
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
	default: // the list already has its share
		l.trim()
	}
}

// lower drops the rows whose hash is not below a bound.
func (l *list[K, R]) lower(bound uint64) {
	l.beyond = min(l.beyond, bound)
	l.memory.share()
	l.full(l.name, l.beyond)
}

// total returns the cost of all rows, or endless if rows were dropped.
func (l *list[K, R]) total() int {
	if l.beyond != nothing {
		return endless
	}
	return l.used
}

// trim drops the rows whose hash is not below l.beyond, and more rows until the rest cost at most the level.
func (l *list[K, R]) trim() {
	for len(l.heap) > 0 && (l.used > l.memory.level || l.heap[0].hash >= l.beyond) {
		l.dropLast()
	}
	if len(l.rows) < l.most*3/4 {
		l.shrink()
	}
}

// dropLast drops the row with the largest hash. Other rows with this hash no longer belong in the list, so trim drops
// them too.
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

// shrink frees memory, because maps and slices never shrink by themselves.
func (l *list[K, R]) shrink() {
	rows := make(map[K]R, len(l.rows))
	maps.Copy(rows, l.rows)
	l.rows, l.most, l.heap = rows, len(rows), slices.Clone(l.heap)
	l.moved(rows)
}
