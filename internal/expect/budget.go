package expect

// DefaultMemory is the default of Options.Memory.
const DefaultMemory = 64 << 20

// These limits bound the cost of a Check, whatever the expectations and the capture are. If a limit is exceeded, the
// result says so.
const (
	maxStates  = 100_000  // for all sequences together
	maxOptions = 500_000  // for all states together
	maxThreads = 200      // for one group
	workAtOnce = 64 << 20 // comparisons: this many, plus workEach for each message
	workEach   = 1000
)

// A budget is what all expectations of a Check may use together.
type budget struct {
	states, options int
	memory          int // bytes left for groups, with their saved values and their reports
}

// A workload limits the comparisons of an expectation: a fixed number, plus a number for each message. It is the
// expectation's share of the Check's limit.
type workload struct {
	left int
	each int
}

func newWorkload(expectations int) workload {
	return workload{workAtOnce / expectations, max(workEach/expectations, 50)}
}
