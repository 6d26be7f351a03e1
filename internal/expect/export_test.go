package expect

// LeaveWork leaves the first expectation less to compare.
func (c *Check) LeaveWork(n int) { c.runs[0].work = workload{left: n} }

// Names lists the messages that the steps name, "" for any.
func (e *Expectation) Names() []string {
	var names []string
	for _, st := range e.steps {
		names = append(names, st.Message)
	}
	return names
}
