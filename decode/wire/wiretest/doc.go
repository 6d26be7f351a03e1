// Package wiretest tests protocols written on the kernel, all of them in the same way.
//
// A protocol has a folder of samples: X.hex holds a datagram or a message, X.tree what it should
// read as. A test is then two lines:
//
//	func TestSamples(t *testing.T) { wiretest.Run(t, tribes.Protocol, "../../testdata/tribes") }
//	func FuzzLayer(f *testing.F)   { wiretest.Fuzz(f, tribes.Protocol, "../../testdata/tribes") }
//
// With -update the trees are written anew. Read what changed: a tree is right because somebody
// looked at it, not because the program printed it. What a sample breaks it states itself, so that
// nobody takes a wrong severity or range for right: "breaks: tribes.version error 0".
//
// A protocol with a tracker has conversations as well, see Talks. They are played to it as they are, with packets of
// others in between, many of the same at once, and with ever new clients and servers, for whom there is little memory.
//
// What may not enter: a protocol. What only one of them needs is tested beside it.
//
// Other programs find no promise here, see docs/api.md.
package wiretest
