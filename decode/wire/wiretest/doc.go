// Package wiretest tests protocols written on the kernel, all of them in the same way.
//
// A protocol has a folder of samples: X.hex holds a datagram or a message, X.tree its expected
// tree. A test is then two lines:
//
//	func TestSamples(t *testing.T) { wiretest.Run(t, tribes.Protocol, "../../testdata/tribes") }
//	func FuzzLayer(f *testing.F)   { wiretest.Fuzz(f, tribes.Protocol, "../../testdata/tribes") }
//
// With -update the trees are written anew. Review the changes: the program's output alone proves nothing. A
// sample also states the findings it should have, severity and range included: "breaks: tribes.version error 0".
//
// A protocol with a tracker has conversations as well, see Talks. They are played as they are, with other packets in
// between, many copies at once, and with ever new clients and servers and little memory.
//
// What may not enter: a protocol. What only one of them needs is tested beside it.
//
// Other programs must not rely on it, see docs/api.md.
package wiretest
