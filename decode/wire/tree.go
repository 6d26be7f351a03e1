package wire

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// Kind says what a node's value is.
type Kind uint8

// The kinds of values.
const (
	Group      Kind = iota // fields that belong together, or an element of a sequence
	Sequence               // a list
	Uint                   // Num
	Int                    // Num, sign extended
	Float                  // Num holds the bits of a float32
	Boolean                // Num
	Enum                   // Num, with Symbols, and in Bytes the name of whom it stands for
	SignedEnum             // Num, sign extended, with Symbols
	Bits                   // Num, with Symbols
	String                 // Bytes
	Bytes                  // Bytes
	Address                // Bytes, four or sixteen of them; eight: see Endpoint. In Symbols whom it stands for
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
	Key      bool   // one of Pairs: what the value behind it is called
	Parsed   bool   // a text of which the values stand in the node behind it
	Depth    uint8  // 0 for the fields of the message itself
	Lead     uint8  // bytes of the count in front of a text
	Element  int32  // position in its list, from 1; 0 for what is no element
	Off      int32  // of the first byte in the message
	Size     int32  // bytes
	Next     int32  // index in Tree.Nodes of the first node that is not below this one
	Num      uint64 // of a list, or of Pairs: the last elements that are not in the tree, see MaxTree
	Vec      [3]float32
	Symbols  Symbols
	Bytes    []byte // texts without padding; aliases the message
}

// Composite reports whether the node has children instead of a value.
func (n *Node) Composite() bool { return n.Kind == Group || n.Kind == Sequence }

// A Tree is an annotated message: its fields in wire order, each with its bytes and its
// value. It is flat, and its memory serves one message after the other.
type Tree struct {
	Nodes []Node
	path  []int32
	arena []byte            // texts of computed fields
	names map[string]string // see name

	folded bool
	about  []Finding // what these are about is not left out
}

// MaxTree is how many bytes a tree may take, about. Then lists are read to their ends, but their further elements are
// left out. No message that comes in one piece has so many fields: what is unpacked from several has, and documents.
const MaxTree = 12 << 20

const (
	maxNodes = MaxTree / int(unsafe.Sizeof(Node{}))
	manyOf   = maxNodes / 8 // nodes: few trees have so many, and those that do may grow large
)

// Undecoded is the name of the field for bytes behind an error.
const Undecoded = "undecoded"

// foldAfter is how many elements of a list a folded tree has.
const foldAfter = 8

// Folds reports whether the node is an element of a list that folded lists leave out.
func (n *Node) Folds() bool { return n.Element > foldAfter }

// ends reports whether the elements of a list from one on, which begins at an offset, are left out: there is no room
// for them, or a folded tree does without.
func (t *Tree) ends(element, off int) bool {
	switch {
	case t == nil:
		return false
	case t.full():
		return true
	}
	return t.folded && element == foldAfter && !slices.ContainsFunc(t.about, func(f Finding) bool { return f.Off >= off })
}

// full reports whether the tree takes as many bytes as it may.
func (t *Tree) full() bool { return len(t.Nodes) >= maxNodes || len(t.arena) >= MaxTree }

// leaveOut notes that so many elements of the list, or pairs of the group, that is open are not in the tree.
func (t *Tree) leaveOut(elements int) { t.Nodes[t.path[len(t.path)-1]].Num = uint64(elements) }

// Reset empties the tree and keeps its memory, but for that of a large tree behind which came a small one.
func (t *Tree) Reset() {
	if len(t.Nodes) < manyOf && cap(t.Nodes) >= maxNodes {
		t.Nodes, t.arena = nil, nil
	}
	t.Nodes, t.path, t.arena = t.Nodes[:0], t.path[:0], t.arena[:0]
}

// node adds a node that is empty but for its place in the tree. It is filled where it stands: nodes are
// large, and copying them is most of what a tree costs.
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

// grow makes room for more nodes: for as many as there are, but for no more than a tree may have and the fields behind
// its last element.
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

// enter makes what follows stand below the last node, until pop.
func (t *Tree) enter() { t.path = append(t.path, int32(len(t.Nodes)-1)) }

func (t *Tree) pop(end int) {
	n := &t.Nodes[t.path[len(t.path)-1]]
	t.path = t.path[:len(t.path)-1]
	n.Next = int32(len(t.Nodes))
	n.Size = int32(end) - n.Off
}

// text keeps a text that a function appends.
func (t *Tree) text(f func([]byte) []byte) []byte {
	start := len(t.arena)
	t.arena = f(t.arena)
	return t.arena[start:len(t.arena):len(t.arena)]
}

// Bounds on the names that messages give their fields: the bytes of one, and how many a tree keeps for the
// messages after it.
const (
	maxName  = 64
	maxNames = 256
)

// name gives a key as the name of a field. The same keys come in one message after the other, so a tree
// keeps what it made of them.
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

// Find gives the first node with the name, at any depth, or nil.
func (t *Tree) Find(name string) *Node {
	for i := range t.Nodes {
		if t.Nodes[i].Name == name {
			return &t.Nodes[i]
		}
	}
	return nil
}

// printable keeps names that a stranger chose from reaching terminals and files as they are.
func printable(r rune) rune {
	if r == '"' || r == '\\' || !strconv.IsPrint(r) {
		return utf8.RuneError
	}
	return r
}
