// Package expect compares traffic with what is expected of it: sequences of messages, with conditions,
// times and values that have to come back, written down in YAML.
//
//	list, err := expect.Load("join.yaml", text, schema)
//	check := expect.NewCheck(list, expect.Options{})
//	check.Message(course.Message(m)) // for every message, in order
//	for _, r := range check.Close() { ... }
//
// An expectation is about groups of messages: the conversations of a capture, all that one client or one
// server takes part in, or the capture as a whole. Each group has to fulfil it by itself. Times are those
// of the packets.
//
// Record goes the other way: it writes the expectation that a capture fulfils.
//
// What may not enter: knowledge of a protocol, packets, and terminals.
package expect
