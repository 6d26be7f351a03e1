package expect

// DefaultMemory is the default of Options.Memory.
const DefaultMemory = 64 << 20

// Limits on the cost of a Check for any expectations and any capture. If one is exceeded, the result says so.
const (
	maxStates  = 100_000  // all sequences together
	maxOptions = 500_000  // all states together
	maxThreads = 200      // one group
	workAtOnce = 64 << 20 // comparisons in total, and for each message:
	workEach   = 1000
)

// A budget is what the expectations of a Check may use together.
type budget struct {
	states, options int
	memory          int // bytes left for groups, their saved values and their reports
}

// A workload limits the comparisons of an expectation: a fixed number, and a number for each message. It is the
// expectation's share of the Check's limit.
type workload struct {
	left int
	each int
}

func newWorkload(expectations int) workload {
	return workload{workAtOnce / expectations, max(workEach/expectations, 50)}
}
