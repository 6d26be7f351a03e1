package decode

import "github.com/gamedissect/gamedissect/decode/wire"

// Frame is a captured packet.
type Frame struct {
	Data   []byte // as captured, possibly truncated
	Length int    // size on the wire, in bytes
	Time   int64  // nanoseconds since 1970, UTC
	Link   uint16 // link type as registered by tcpdump.org
	Number int    // number of the packet in its file, from 1
	File   string // name of its file
}

// NoConversation is the number of an unknown conversation.
const NoConversation = -1

// A Message is a message of a protocol. It is valid until Options.Message or Options.Sink returns, or until
// Options.Text returns if Options.Text writes it. After that it is overwritten. Callers must copy it to keep it longer.
type Message struct {
	wire.Place
	Direction wire.Direction
	Name      string // "MasterQuery"
	Code      string // "MSOK"; "" if the protocol has no codes
	Length    int    // size on the wire in bytes, including the header
	Data      []byte // the bytes of the message, possibly truncated
	At        int64  // offset of its first byte in the datagram's payload, or position in the stream as in PacketInfo
	Layer     wire.Layer
	Findings  []wire.Finding
	Told      wire.Told // set if Options.Told is set; not valid in Options.Text
	Copy      bool      // set by Deduplicator.Copy

	tree   *wire.Tree
	made   bool // the tree is complete
	folded bool // the tree is folded
}

// Tree returns the annotated fields of the message. The first call makes the tree.
func (m *Message) Tree() *wire.Tree {
	if m.tree == nil { // the message does not come from an Engine
		m.tree = new(wire.Tree)
	}
	if !m.made {
		m.Layer.Core().Annotate(m.Layer, m.tree)
		m.made = true
	}
	return m.tree
}

// FoldedTree is like Tree, but omits all except the first elements of long lists. If Tree was called before, FoldedTree
// returns the complete tree.
func (m *Message) FoldedTree() *wire.Tree {
	if m.made || m.folded {
		return m.tree
	}
	if m.tree == nil { // the message does not come from an Engine
		m.tree = new(wire.Tree)
	}
	m.Layer.Core().AnnotateFolded(m.Layer, m.tree, m.Findings)
	m.folded = true
	return m.tree
}
