package expect

// LeaveWork limits the number of comparisons that the first expectation may still make.
func (c *Check) LeaveWork(n int) { c.runs[0].work = workload{left: n} }

// Names lists the messages in the steps; "" stands for any message.
func (e *Expectation) Names() []string {
	var names []string
	for _, st := range e.steps {
		names = append(names, st.Message)
	}
	return names
}
