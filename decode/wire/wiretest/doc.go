// Package wiretest tests the protocols that are based on package wire, all in the same way.
//
// A protocol has a folder of samples: X.hex contains a datagram or a message, and X.tree its expected tree. The tests
// of a protocol are then two lines:
//
//	func TestSamples(t *testing.T) { wiretest.Run(t, tribes.Protocol, "../../testdata/tribes") }
//	func FuzzLayer(f *testing.F)   { wiretest.Fuzz(f, tribes.Protocol, "../../testdata/tribes") }
//
// With -update, the tests write the trees. Review the changes, because a tree that the program wrote may be wrong. A
// sample also states its expected findings, with severity and range: "breaks: tribes.version error 0".
//
// A protocol with a tracker also has recorded conversations (see Talks). The tests play them unchanged, with other
// packets in between, in many copies at the same time, and with many new clients and servers and little memory.
//
// This package must not depend on any particular protocol. The tests that only one protocol needs are in the package of
// that protocol.
//
// Other programs must not rely on it, see docs/api.md.
package wiretest
