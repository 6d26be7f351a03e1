package decode

import "github.com/gamedissect/gamedissect/decode/wire"

// Frame is a packet as captured.
type Frame struct {
	Data   []byte // as much as the capture has of it
	Length int    // bytes on the wire
	Time   int64  // nanoseconds since 1970, UTC
	Link   uint16 // link type as registered by tcpdump.org
	Number int    // of the packet in its file, from 1
	File   string // where it comes from
}

// NoConversation is the number of a conversation that is not known.
const NoConversation = -1

// A Message is one message of a protocol. It is valid while Options.Message runs, and if that hands it on, until
// Options.Write has run: the next one, perhaps of the same frame, takes its place. What is kept longer has to be
// copied.
type Message struct {
	wire.Place
	Direction wire.Direction
	Name      string // "MasterQuery"
	Code      string // "MSOK"; "" where the protocol has no such thing
	Length    int    // bytes on the wire, header included
	Data      []byte // the message, as much as the capture has of it
	At        int64  // its first byte: offset in the datagram's payload; in a stream a position as PacketInfo has it
	Layer     wire.Layer
	Findings  []wire.Finding
	Told      wire.Told // with Options.Told; valid while Options.Message runs
	Copy      bool      // a Once was asked, and said that it is one

	tree   *wire.Tree
	made   bool // it is whole
	folded bool // it is there, folded
}

// Tree annotates the message. It is made at the first call.
func (m *Message) Tree() *wire.Tree {
	if m.tree == nil { // not from an Engine
		m.tree = new(wire.Tree)
	}
	if !m.made {
		m.Layer.Core().Annotate(m.Layer, m.tree)
		m.made = true
	}
	return m.tree
}

// FoldedTree annotates the message as a print.Printer shows it that folds lists. It has all of them if
// somebody wanted to see them before.
func (m *Message) FoldedTree() *wire.Tree {
	if m.made || m.folded {
		return m.tree
	}
	if m.tree == nil { // not from an Engine
		m.tree = new(wire.Tree)
	}
	m.Layer.Core().AnnotateFolded(m.Layer, m.tree, m.Findings)
	m.folded = true
	return m.tree
}
