package bounded

import (
	"container/heap"
	"math"
	"unsafe"
)

// Deadlines is a queue of values on a budget. It orders values by the time at which they are due. A value cannot be
// removed before that time, so the caller of Due must check whether the value still matters.
type Deadlines[T any] struct {
	budget *Budget
	heap   deadlineHeap[T]
	added  uint64 // number of values added so far
}

// NewDeadlines makes a queue on a budget. If b is nil, the queue makes its own budget. To make room, the queue drops
// the value that is due first.
func NewDeadlines[T any](b *Budget, kind Kind) *Deadlines[T] {
	if b == nil {
		b = NewBudget(DefaultMemory)
	}
	d := &Deadlines[T]{budget: b}
	b.Join(d, kind)
	return d
}

func (a *Deadlines[T]) cost() int { return int(unsafe.Sizeof(deadline[T]{})) * 3 / 2 }

// Add adds a value that is due at a given time.
func (a *Deadlines[T]) Add(when int64, what T) {
	a.added++
	a.heap = append(a.heap, deadline[T]{when, a.added, a.budget.turn, what})
	heap.Fix(&a.heap, len(a.heap)-1) // heap.Push would allocate memory
	a.budget.Spend(a.cost())
}

// Due removes and returns the next value that is due, and its time. ok is false if there is none.
func (a *Deadlines[T]) Due(now int64) (what T, when int64, ok bool) {
	if len(a.heap) == 0 || a.heap[0].when > now {
		return what, 0, false
	}
	d := a.take()
	return d.value, d.when, true
}

func (a *Deadlines[T]) take() deadline[T] {
	d, last := a.heap[0], len(a.heap)-1
	a.heap[0], a.heap[last] = a.heap[last], deadline[T]{}
	a.heap = a.heap[:last]
	heap.Fix(&a.heap, 0)
	a.budget.Spend(-a.cost())
	return d
}

// Clear removes all values.
func (a *Deadlines[T]) Clear() {
	a.budget.Spend(-a.cost() * len(a.heap))
	clear(a.heap)
	a.heap = a.heap[:0]
}

// Next returns the time at which the next value is due, or math.MaxInt64.
func (a *Deadlines[T]) Next() int64 {
	if len(a.heap) == 0 {
		return math.MaxInt64
	}
	return a.heap[0].when
}

// Len returns the number of values.
func (a *Deadlines[T]) Len() int { return len(a.heap) }

func (a *Deadlines[T]) Oldest() (turn uint64, ok bool) {
	if len(a.heap) == 0 {
		return 0, false
	}
	return a.heap[0].turn, true
}

func (a *Deadlines[T]) Forget() (loss bool) {
	a.take()
	return true
}

type deadline[T any] struct {
	when   int64
	number uint64 // for the order of values with the same time
	turn   uint64
	value  T
}

type deadlineHeap[T any] []deadline[T]

func (d deadlineHeap[T]) Len() int { return len(d) }
func (d deadlineHeap[T]) Less(i, j int) bool {
	return d[i].when < d[j].when || d[i].when == d[j].when && d[i].number < d[j].number
}
func (d deadlineHeap[T]) Swap(i, j int) { d[i], d[j] = d[j], d[i] }

// Push and Pop complete heap.Interface. Deadlines does not use them.

func (deadlineHeap[T]) Push(any) {}
func (deadlineHeap[T]) Pop() any { return nil }
