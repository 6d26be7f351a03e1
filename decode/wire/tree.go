package wire

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// Kind is the kind of a node's value.
type Kind uint8

// The kinds of values.
const (
	Group      Kind = iota // fields that belong together, or an element of a sequence
	Sequence               // a list
	Uint                   // Num
	Int                    // Num, sign extended
	Float                  // Num holds the bits of a float32
	Boolean                // Num
	Enum                   // Num, with Symbols; Bytes: the name from other messages
	SignedEnum             // Num, sign extended, with Symbols
	Bits                   // Num, with Symbols
	String                 // Bytes
	Bytes                  // Bytes
	Address                // Bytes, four or sixteen of them; eight: see IPv4PortNumber. Symbols: its owner's name
	Vector                 // Vec
)

var kindNames = [...]string{"group", "list", "unsigned", "signed", "float", "boolean", "enumeration", "enumeration",
	"bits", "text", "bytes", "address", "vector"}

func (k Kind) String() string { return kindNames[k] }

// A Node is one field of a message, or a group of them.
type Node struct {
	Name     string
	Kind     Kind
	Computed bool   // follows from other fields and has no bytes of its own
	Inside   bool   // in an inner message: Off and Size are those of the field that carried it
	Key      bool   // a key of Pairs: the name of the value after it
	Parsed   bool   // a text whose values are in the next node
	Unread   bool   // contains a message, or a part of one, that is not completely in nodes Inside
	Depth    uint8  // 0 for the fields of the message itself
	Lead     uint8  // bytes of the count before a text
	Element  int32  // position in its list, from 1; 0: not an element
	Off      int32  // offset of the first byte in the message
	Size     int32  // size in bytes
	Next     int32  // index in Tree.Nodes of the first node after this one and its children
	Num      uint64 // of a list, or of Pairs: how many elements the tree omits at its end, see MaxTree
	Vec      [3]float32
	Symbols  Symbols
	Bytes    []byte // texts without padding; aliases the message
}

// Composite reports whether the node has children instead of a value.
func (n *Node) Composite() bool { return n.Kind == Group || n.Kind == Sequence }

// A Tree is an annotated message: its fields in wire order, each with its bytes and its value. It is flat, and messages
// reuse its memory in turn.
type Tree struct {
	Nodes []Node
	path  []int32
	arena []byte            // texts of computed fields
	names map[string]string // see name

	folded bool
	about  []Finding // a folded tree keeps the elements with these findings
}

// MaxTree limits a tree, in bytes, approximately. Above it lists are read to their ends, but their further elements are
// omitted. No single message has so many fields; data unpacked from several, and documents, may.
const MaxTree = 12 << 20

const (
	maxNodes = MaxTree / int(unsafe.Sizeof(Node{}))
	manyOf   = maxNodes / 8 // nodes: few trees have so many, and those may grow large
)

// Undecoded is the name of the field for bytes after an error.
const Undecoded = "undecoded"

// foldAfter is how many elements of a list a folded tree keeps.
const foldAfter = 8

// Folds reports whether folded lists omit the node.
func (n *Node) Folds() bool { return n.Element > foldAfter }

// ends reports whether the tree omits the elements of a list from this one on, which begins at an offset.
func (t *Tree) ends(element, off int) bool {
	switch {
	case t == nil:
		return false
	case t.full():
		return true
	}
	return t.folded && element == foldAfter && !slices.ContainsFunc(t.about, func(f Finding) bool { return f.Off >= off })
}

// full reports whether the tree uses as many bytes as it may.
func (t *Tree) full() bool { return len(t.Nodes) >= maxNodes || len(t.arena) >= MaxTree }

// leaveOut records how many elements of the open list, or pairs of the open group, the tree omits.
func (t *Tree) leaveOut(elements int) { t.Nodes[t.path[len(t.path)-1]].Num = uint64(elements) }

// Reset empties the tree and keeps its memory, unless a small tree followed a large one.
func (t *Tree) Reset() {
	if len(t.Nodes) < manyOf && cap(t.Nodes) >= maxNodes {
		t.Nodes, t.arena = nil, nil
	}
	t.Nodes, t.path, t.arena = t.Nodes[:0], t.path[:0], t.arena[:0]
}

// node adds a node and returns it for the caller to fill in place: nodes are large, and copying them is
// most of what a tree costs.
func (t *Tree) node() *Node {
	at := len(t.Nodes)
	if at == cap(t.Nodes) {
		t.grow()
	}
	t.Nodes = t.Nodes[:at+1]
	n := &t.Nodes[at]
	*n = Node{}
	n.Depth = uint8(min(len(t.path), math.MaxUint8))
	n.Next = int32(at + 1)
	return n
}

// grow doubles the room for nodes, up to maxNodes and the fields after the last element.
func (t *Tree) grow() {
	n := len(t.Nodes)
	more := max(n, 16)
	if n < maxNodes {
		more = min(more, maxNodes+maxNodes/16-n)
	} else {
		more = manyOf
	}
	t.Nodes = slices.Grow(t.Nodes, more)
}

func (t *Tree) add(n Node) {
	to := t.node()
	n.Depth, n.Next = to.Depth, to.Next
	*to = n
}

func (t *Tree) push(n Node) {
	t.add(n)
	t.enter()
}

// enter makes the nodes that follow children of the last one, until pop is called.
func (t *Tree) enter() { t.path = append(t.path, int32(len(t.Nodes)-1)) }

func (t *Tree) pop(end int) {
	n := &t.Nodes[t.path[len(t.path)-1]]
	t.path = t.path[:len(t.path)-1]
	n.Next = int32(len(t.Nodes))
	n.Size = int32(end) - n.Off
}

// text stores a text that a function appends.
func (t *Tree) text(f func([]byte) []byte) []byte {
	start := len(t.arena)
	t.arena = f(t.arena)
	return t.arena[start:len(t.arena):len(t.arena)]
}

// Limits of field names that come from messages: bytes of a name, and names that a tree keeps for later messages.
const (
	maxName  = 64
	maxNames = 256
)

// name returns the name of the field of a key. Many messages have the same keys, so a tree keeps the names.
func (t *Tree) name(key []byte) string {
	name, ok := t.names[string(key)]
	if !ok {
		if t.names == nil || len(t.names) >= maxNames {
			t.names = make(map[string]string)
		}
		name = strings.Map(printable, string(key))
		t.names[string(key)] = name
	}
	return name
}

// Find returns the first node with that name, at any depth, or nil.
func (t *Tree) Find(name string) *Node {
	for i := range t.Nodes {
		if t.Nodes[i].Name == name {
			return &t.Nodes[i]
		}
	}
	return nil
}

// printable replaces characters of untrusted names that are unsafe in terminals and files.
func printable(r rune) rune {
	if r == '"' || r == '\\' || !strconv.IsPrint(r) {
		return utf8.RuneError
	}
	return r
}
