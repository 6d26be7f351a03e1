package expect

import "github.com/gamedissect/gamedissect/decode/filter"

// What a Check may cost, whatever its expectations are and whatever is said in the capture. Where something is given
// up for it, the result says so.
const (
	maxStates  = 100_000  // of all sequences
	maxOptions = 500_000  // of all states
	maxBytes   = 64 << 20 // of groups, what they have saved and what reports show of them
	maxGroups  = 100_000  // of an expectation
	maxThreads = 200      // of a group: how many ways are followed at once
	workAtOnce = 64 << 20 // comparisons, and besides for each message:
	workEach   = 1000
)

// A budget is what is left for the expectations of a Check.
type budget struct {
	states, options, bytes int
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
	sizeOfGroup  = 300
	sizeOfTally  = 130
	sizeOfThread = 200
	sizeOfValue  = 64
	sizeOfFrame  = 40
)

// size is about how many bytes a group takes.
func (g *group) size() int {
	n := sizeOfGroup + len(g.name) + sizeOfTally*len(g.tallies)
	for i := range g.threads {
		n += g.threads[i].size()
	}
	for _, list := range [][]Frame{g.before[:], g.stalled} {
		n += sizeOf(list)
	}
	if f := g.failure; f != nil {
		n += sizeOf(f.Before) + sizeOf(f.After) + sizeOfGroup
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

func sizeOf(list []Frame) (n int) {
	for i := range list {
		n += sizeOfFrame + len(list[i].Line)
	}
	return n
}
