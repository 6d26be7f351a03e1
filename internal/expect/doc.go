// Package expect compares traffic with expectations. An expectation is written in YAML and describes a sequence of
// messages, with conditions, times and values that answers must repeat.
//
//	list, err := expect.Load("join.yaml", text, schema)
//	check := expect.NewCheck(list, expect.Options{})
//	check.Message(history.Message(m)) // for every message, in order
//	for _, r := range check.Close() {
//		...
//	}
//
// An expectation applies to groups of messages: the conversations of a capture, the messages of each client or of each
// server, or the whole capture. Each group must fulfil the expectation on its own. Times are packet times.
//
// A Recorder does the reverse: it writes expectations that a capture fulfils.
//
// This package must not depend on a particular protocol, on packets, or on terminals.
package expect
