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

// A Message is one message of a protocol. It is valid until Options.Message or Options.Sink returns, or if Options.Text
// writes it, until that returns: then it is overwritten. A caller that keeps it longer must copy it.
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
	Told      wire.Told // with Options.Told; not valid in Options.Text
	Copy      bool      // set by Deduplicator.Copy

	tree   *wire.Tree
	made   bool // the tree is complete
	folded bool // the tree is folded
}

// Tree returns the annotated fields of the message. The first call makes it.
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

// FoldedTree is Tree without the elements of lists that a print.Printer folds away. After a call of Tree it returns
// the whole tree.
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
