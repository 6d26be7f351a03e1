package wire

import (
	"container/heap"
	"math"
)

// An Agenda tells what falls due. What is not wanted any more stays in it until then: who asks sees
// for himself whether it still matters.
type Agenda[T any] struct {
	dates dates[T]
}

// Add notes something for a time.
func (a *Agenda[T]) Add(when int64, what T) {
	a.dates = append(a.dates, date[T]{when, what})
	heap.Fix(&a.dates, len(a.dates)-1) // heap.Push would allocate
}

// Due gives the next thing whose time has come, and that time. ok is false if there is none.
func (a *Agenda[T]) Due(now int64) (what T, when int64, ok bool) {
	if len(a.dates) == 0 || a.dates[0].when > now {
		return what, 0, false
	}
	d, last := a.dates[0], len(a.dates)-1
	a.dates[0], a.dates[last] = a.dates[last], date[T]{}
	if a.dates = a.dates[:last]; last > 0 {
		heap.Fix(&a.dates, 0)
	}
	return d.what, d.when, true
}

// Next is when the next thing falls due, the end of time if nothing is noted.
func (a *Agenda[T]) Next() int64 {
	if len(a.dates) == 0 {
		return math.MaxInt64
	}
	return a.dates[0].when
}

// Len is the number of things noted.
func (a *Agenda[T]) Len() int { return len(a.dates) }

type date[T any] struct {
	when int64
	what T
}

type dates[T any] []date[T]

func (d dates[T]) Len() int           { return len(d) }
func (d dates[T]) Less(i, j int) bool { return d[i].when < d[j].when }
func (d dates[T]) Swap(i, j int)      { d[i], d[j] = d[j], d[i] }

// Push and Pop complete heap.Interface; an Agenda needs neither.

func (d *dates[T]) Push(x any) { *d = append(*d, x.(date[T])) }

func (d *dates[T]) Pop() any {
	last := len(*d) - 1
	x := (*d)[last]
	*d = (*d)[:last]
	return x
}
