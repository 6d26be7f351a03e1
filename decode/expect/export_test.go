package expect

// Names lists the messages that the steps name, "" for any.
func (e *Expectation) Names() []string {
	var names []string
	for _, st := range e.steps {
		names = append(names, st.Message)
	}
	return names
}
