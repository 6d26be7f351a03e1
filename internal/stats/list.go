package stats

import "math"

// A list bounds what rows cost together. It keeps those whose keys have the smallest hashes, namely the longest run
// of them, from the smallest on, whose costs fit; the others are counted together.
//
// What is kept does not depend on the order in which rows come and grow. Costs only grow, and the level of the memory
// only falls. So a row that is dropped, because all up to it cost too much, would cost too much at the end as well; and
// of a row that is kept at the end nothing was ever counted among the others. The same holds for parts that are merged:
// each has the hash from which on it dropped rows.
type list[K comparable, R row[K]] struct {
	rows   map[K]R     // which users see
	heap   []ranked[R] // the same without the others; that with the largest hash is first
	memory *memory     // shared with other lists
	used   int         // what they cost
	beyond uint64      // a row whose hash is not below is among the others
	others R           // in rows under the zero key, once it is asked for
	fresh  func() R
	drop   func(R) // is called before the others take a row
}

// A row is a pointer to what is counted of one, with a head for its list.
type row[K comparable] interface {
	comparable
	listed() *head[K]
}

// ranked is a row with its hash at hand.
type ranked[R any] struct {
	hash uint64
	row  R
}

// head is what a list needs of a row. Rows embed it.
type head[K comparable] struct {
	key  K
	hash uint64
	cost int
}

func (h *head[K]) listed() *head[K] { return h }

// nothing is the value of list.beyond as long as there is room for all.
const nothing = math.MaxUint64

// fillFrom has a list begin with what is in a map, of which each row has its cost. Then the memory is to be shared.
func (l *list[K, R]) fillFrom(rows map[K]R, hash func(K) uint64) {
	l.rows, l.beyond = rows, nothing
	l.memory.lists = append(l.memory.lists, l)
	var none K
	for key, r := range rows {
		if key == none {
			l.others = r
			continue
		}
		h := r.listed()
		h.key, h.hash = key, hash(key)
		l.push(r)
		l.used += h.cost
	}
	l.memory.used += l.used
}

// rest gives the row of the others.
func (l *list[K, R]) rest() R {
	var none R
	if l.others == none {
		var key K
		l.others = l.fresh()
		l.rows[key] = l.others
	}
	return l.others
}

// find gives the row of a key, if there is one; the others' if the key has no room.
func (l *list[K, R]) find(key K, hash uint64) R {
	var none K
	if hash >= l.beyond || key == none {
		return l.rest()
	}
	return l.rows[key]
}

// add adds a row that there was not. It gives the others' if the row finds no room.
func (l *list[K, R]) add(r R, key K, hash uint64, cost int) R {
	h := r.listed()
	h.key, h.hash = key, hash
	l.rows[key] = r
	l.push(r)
	l.grow(r, cost)
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

// lower drops rows whose hash is not below a bound.
func (l *list[K, R]) lower(bound uint64) {
	l.beyond = min(l.beyond, bound)
	l.memory.share()
}

func (l *list[K, R]) cost() int {
	if l.beyond != nothing {
		return endless
	}
	return l.used
}

// trim drops rows until the rest is below the level. Those of the same hash go together.
func (l *list[K, R]) trim() {
	for len(l.heap) > 0 {
		if l.used <= l.memory.level && l.heap[0].hash < l.beyond {
			return
		}
		h := l.heap[0].row.listed()
		l.beyond = min(l.beyond, h.hash)
		l.used -= h.cost
		l.memory.used -= h.cost
		delete(l.rows, h.key)
		l.drop(l.pop())
	}
}

// push adds a row to the heap.
func (l *list[K, R]) push(r R) {
	n := ranked[R]{r.listed().hash, r}
	l.heap = append(l.heap, n)
	at := len(l.heap) - 1
	for at > 0 {
		above := (at - 1) / 2
		if l.heap[above].hash >= n.hash {
			break
		}
		l.heap[at] = l.heap[above]
		at = above
	}
	l.heap[at] = n
}

// pop takes the row with the largest hash from the heap.
func (l *list[K, R]) pop() R {
	top, last := l.heap[0].row, len(l.heap)-1
	n := l.heap[last]
	l.heap[last] = ranked[R]{}
	l.heap = l.heap[:last]
	at := 0
	for 2*at+1 < last {
		below := 2*at + 1
		if below+1 < last && l.heap[below+1].hash > l.heap[below].hash {
			below++
		}
		if l.heap[below].hash <= n.hash {
			break
		}
		l.heap[at] = l.heap[below]
		at = below
	}
	if last > 0 {
		l.heap[at] = n
	}
	return top
}
