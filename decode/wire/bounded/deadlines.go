package bounded

import (
	"container/heap"
	"math"
	"unsafe"
)

// Deadlines tell what falls due, on a budget. What is not wanted any more stays among them until then: who asks
// sees whether it still matters.
type Deadlines[T any] struct {
	budget *Budget
	heap   deadlineHeap[T]
	added  uint64 // so far
}

// NewDeadlines makes deadlines on a budget; nil is one of their own. To make room the next one is forgotten.
func NewDeadlines[T any](b *Budget, kind Kind) *Deadlines[T] {
	if b == nil {
		b = NewBudget(DefaultMemory)
	}
	d := &Deadlines[T]{budget: b}
	b.Join(d, kind)
	return d
}

func (a *Deadlines[T]) cost() int { return int(unsafe.Sizeof(deadline[T]{})) * 3 / 2 }

// Add notes something for a time.
func (a *Deadlines[T]) Add(when int64, what T) {
	a.added++
	a.heap = append(a.heap, deadline[T]{when, a.added, a.budget.turn, what})
	heap.Fix(&a.heap, len(a.heap)-1) // heap.Push would allocate
	a.budget.Spend(a.cost())
}

// Due gives the next thing whose time has come, and that time. ok is false if there is none.
func (a *Deadlines[T]) Due(now int64) (what T, when int64, ok bool) {
	if len(a.heap) == 0 || a.heap[0].when > now {
		return what, 0, false
	}
	d := a.take()
	return d.value, d.when, true
}

// take takes the next thing out.
func (a *Deadlines[T]) take() deadline[T] {
	d, last := a.heap[0], len(a.heap)-1
	a.heap[0], a.heap[last] = a.heap[last], deadline[T]{}
	a.heap = a.heap[:last]
	heap.Fix(&a.heap, 0)
	a.budget.Spend(-a.cost())
	return d
}

// Next is when the next thing falls due, the end of time if nothing is noted.
func (a *Deadlines[T]) Next() int64 {
	if len(a.heap) == 0 {
		return math.MaxInt64
	}
	return a.heap[0].when
}

// Len is the number of things noted.
func (a *Deadlines[T]) Len() int { return len(a.heap) }

// Oldest implements Keeper.
func (a *Deadlines[T]) Oldest() (turn uint64, ok bool) {
	if len(a.heap) == 0 {
		return 0, false
	}
	return a.heap[0].turn, true
}

// Forget implements Keeper.
func (a *Deadlines[T]) Forget() (loss bool) {
	a.take()
	return true
}

type deadline[T any] struct {
	when   int64
	number uint64 // of those that fall due at the same time, the one that was added first is first
	turn   uint64
	value  T
}

type deadlineHeap[T any] []deadline[T]

func (d deadlineHeap[T]) Len() int { return len(d) }
func (d deadlineHeap[T]) Less(i, j int) bool {
	return d[i].when < d[j].when || d[i].when == d[j].when && d[i].number < d[j].number
}
func (d deadlineHeap[T]) Swap(i, j int) { d[i], d[j] = d[j], d[i] }

// Push and Pop complete heap.Interface. Deadlines need neither.

func (deadlineHeap[T]) Push(any) {}
func (deadlineHeap[T]) Pop() any { return nil }
