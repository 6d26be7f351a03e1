// Package expect compares traffic with expectations: sequences of messages, with conditions, times and values that
// answers must repeat, written in YAML.
//
//	list, err := expect.Load("join.yaml", text, schema)
//	check := expect.NewCheck(list, expect.Options{})
//	check.Message(course.Message(m)) // for every message, in order
//	for _, r := range check.Close() {
//		...
//	}
//
// An expectation is about groups of messages: the conversations of a capture, the messages of each client or each
// server, or the capture as a whole. Each group must fulfil it by itself. Times are packet times.
//
// A Recorder does the reverse: it writes the expectations that a capture fulfils.
//
// This package must not know any protocol, packets, or terminals.
package expect
