package expect

// DefaultMemory is the default of Options.Memory.
const DefaultMemory = 64 << 20

// Bounds on the cost of a Check for any expectations and any capture. If one is exceeded, the result says so.
const (
	maxStates  = 100_000  // of all sequences
	maxOptions = 500_000  // of all states
	maxThreads = 200      // of a group
	workAtOnce = 64 << 20 // comparisons, and in addition for each message:
	workEach   = 1000
)

// A budget counts what the expectations of a Check share.
type budget struct {
	states, options int
	memory          int // bytes left for groups, their saved values and their reports
}

// A workload bounds the comparisons of an expectation: some in total, and some more for each message. It is a share
// of the Check's.
type workload struct {
	left int
	each int
}

func newWorkload(expectations int) workload {
	return workload{workAtOnce / expectations, max(workEach/expectations, 50)}
}
