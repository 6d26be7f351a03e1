package expect

import (
	"unsafe"

	"github.com/gamedissect/gamedissect/internal/filter"
)

// DefaultMemory is how many bytes a Check takes that nobody gave another number.
const DefaultMemory = 64 << 20

// What a Check may cost, whatever its expectations are and whatever is said in the capture. Where something is given
// up for it, the result says so.
const (
	maxStates  = 100_000  // of all sequences
	maxOptions = 500_000  // of all states
	maxThreads = 200      // of a group: how many ways are followed at once
	workAtOnce = 64 << 20 // comparisons, and besides for each message:
	workEach   = 1000
)

// A budget is what is left for the expectations of a Check.
type budget struct {
	states, options int
	memory          int // bytes of groups, what they have saved and what reports show of them
}

// A workload is what an expectation may compare with each other: some at once, and some for each message. It has its
// share of what a Check may.
type workload struct {
	left int
	each int
}

func newWorkload(expectations int) workload {
	return workload{workAtOnce / expectations, max(workEach/expectations, 50)}
}

// spend takes comparisons, and reports whether there were some left.
func (w *workload) spend(n int) bool {
	w.left -= n
	return w.left >= 0
}

// spend notes work that was done. With too much the sequence is followed no further.
func (r *run) spend(n int) { r.tired = r.tired || !r.work.spend(n) }

// costs tell about how much work steps are.
type costs struct {
	steps map[*Step]int
	named map[string][]*Step // those that expect a message of that name; "" is any
}

func costsOf(e *Expectation) costs {
	c := costs{make(map[*Step]int, len(e.steps)), make(map[string][]*Step)}
	for _, st := range e.steps {
		n := 1 + len(st.save)
		for i := range st.where {
			n += 1 + len(st.where[i].String())/16
		}
		c.steps[st] = n
		c.named[st.Message] = append(c.named[st.Message], st)
	}
	return c
}

// of is the work to compare a message with a step.
func (c *costs) of(st *Step, x *filter.Subject) int {
	if !st.isNamedBy(x) {
		return 1
	}
	return c.steps[st]
}

// Sizes in bytes, about.
const (
	sizeOfGroup   = int(unsafe.Sizeof(group{})+unsafe.Sizeof(Group{})) + 150 // with its places in a map and in lists
	sizeOfPlace   = 100                                                      // of a conversation in a map
	sizeOfTally   = int(unsafe.Sizeof(tally{}))
	sizeOfThread  = int(unsafe.Sizeof(thread{}))
	sizeOfValue   = 64
	sizeOfFrame   = int(unsafe.Sizeof(Frame{}))
	sizeOfFailure = int(unsafe.Sizeof(Failure{}))
	sizeOfFinding = int(unsafe.Sizeof(Finding{}))
	sizeOfText    = int(unsafe.Sizeof(""))
)

// size is about how many bytes a group takes.
func (g *group) size() int {
	n := sizeOfGroup + len(g.name)
	for i := range g.tallies {
		n += g.tallies[i].size()
	}
	for i := range g.threads {
		n += g.threads[i].size()
	}
	for i := range g.first {
		n += g.first[i].size()
	}
	if m := g.nearest; m != nil {
		n += sizeOfFailure + len(m.frame.Line) + sizeOfTexts(m.differs)
	}
	n += sizeOfFrames(g.stalled)
	for i := range g.before {
		n += len(g.before[i].Line)
	}
	if f := g.failure; f != nil {
		n += sizeOfFailure + len(f.Cause) + sizeOfTexts(f.Differs) + sizeOfTexts(f.Bound)
		n += sizeOfFrame + len(f.Frame.Line) + sizeOfFrames(f.Before) + sizeOfFrames(f.After)
	}
	return n
}

func (t *thread) size() int {
	n := sizeOfThread + 8*len(t.guards) + sizeOfValue*(len(t.memory.values)+len(t.memory.marks))
	for i := range t.memory.values {
		n += len(t.memory.values[i].Bytes)
	}
	return n
}

func (t *tally) size() int { return sizeOfTally + 8*cap(t.numbers.Buckets) }

func (f *Finding) size() int { return sizeOfFinding + len(f.Text) }

func sizeOfFrames(list []Frame) (n int) {
	for i := range list {
		n += sizeOfFrame + len(list[i].Line)
	}
	return n
}

func sizeOfTexts(list []string) (n int) {
	for _, text := range list {
		n += sizeOfText + len(text)
	}
	return n
}
