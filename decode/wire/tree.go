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
	Group      Kind = iota // a group of fields, or an element of a sequence
	Sequence               // a list
	Uint                   // Num
	Int                    // Num, sign extended
	Float                  // Num: the bits of a float32
	Boolean                // Num
	Enum                   // Num, with Symbols; Bytes is a name from other messages
	SignedEnum             // Num, sign extended, with Symbols
	Bits                   // Num, with Symbols
	String                 // Bytes
	Bytes                  // Bytes
	Address                // Bytes: 4, 16, or 8 (see IPv4PortNumber); Symbols contains the name of the owner
	Vector                 // Vec
)

var kindNames = [...]string{"group", "list", "unsigned", "signed", "float", "boolean", "enumeration", "enumeration",
	"bits", "text", "bytes", "address", "vector"}

func (k Kind) String() string { return kindNames[k] }

// A Node is one field of a message, or a group of fields.
type Node struct {
	Name     string
	Kind     Kind
	Computed bool   // derived from other fields or messages, without bytes of its own
	Inside   bool   // in an inner message; Off and Size are copied from the field that carried the message
	Key      bool   // a key of Pairs, which is the name of the next value
	Parsed   bool   // a text whose values are in the next node
	Unread   bool   // carried a message, or a part of one, that the nodes with Inside do not show completely
	Depth    uint8  // 0 for the fields of the message itself
	Lead     uint8  // size in bytes of the count before a text
	Element  int32  // position in its list, from 1; 0: it is not an element
	Off      int32  // offset of the first byte in the message
	Size     int32  // size in bytes
	Next     int32  // index in Tree.Nodes of the first node after this one and its children
	Num      uint64 // for a list or Pairs: the number of elements that the tree omits at its end, see MaxTree
	Vec      [3]float32
	Symbols  Symbols
	Bytes    []byte // without the padding of texts; aliases the message
}

// Composite reports whether the node has children instead of a value.
func (n *Node) Composite() bool { return n.Kind == Group || n.Kind == Sequence }

// A Tree is an annotated message: its fields in the order of their bytes, each with its bytes and its value. It is a
// flat list of nodes. Successive messages reuse its memory.
type Tree struct {
	Nodes []Node
	path  []int32
	arena []byte            // texts of computed fields
	names map[string]string // field names by key, see the method name

	folded bool
	about  []Finding // findings about elements that a folded tree must keep
}

// MaxTree is the approximate limit on the size of a tree in bytes. Beyond it, lists are read to their ends, but the
// tree omits their further elements. Only documents such as JSON, and data unpacked or joined from several messages,
// have so many elements.
const MaxTree = 12 << 20

const (
	maxNodes = MaxTree / int(unsafe.Sizeof(Node{}))
	manyOf   = maxNodes / 8 // a tree with fewer nodes frees the memory that a tree at the limit has left; see also grow
)

// Undecoded is the name of the field for bytes after an error.
const Undecoded = "undecoded"

// foldAfter is the number of elements of a long list that a folded tree contains.
const foldAfter = 8

// Folds reports whether a folded list omits the node.
func (n *Node) Folds() bool { return n.Element > foldAfter }

// ends reports whether the tree omits the rest of a list, beginning with the element at the given offset.
func (t *Tree) ends(element, off int) bool {
	switch {
	case t == nil:
		return false
	case t.full():
		return true
	}
	return t.folded && element == foldAfter && !slices.ContainsFunc(t.about, func(f Finding) bool { return f.Off >= off })
}

// full reports whether the tree has reached its limit on bytes.
func (t *Tree) full() bool { return len(t.Nodes) >= maxNodes || len(t.arena) >= MaxTree }

// leaveOut records the number of elements of the open list, or pairs of the open group, that the tree omits.
func (t *Tree) leaveOut(elements int) { t.Nodes[t.path[len(t.path)-1]].Num = uint64(elements) }

// Reset empties the tree. It keeps the memory for reuse, unless a small tree followed a large one.
func (t *Tree) Reset() {
	if len(t.Nodes) < manyOf && cap(t.Nodes) >= maxNodes {
		t.Nodes, t.arena = nil, nil
	}
	t.Nodes, t.path, t.arena = t.Nodes[:0], t.path[:0], t.arena[:0]
}

// node adds a node and returns it. The caller fills it in place, because nodes are large, and copying them would be
// most of the cost of a tree.
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

// grow doubles the room for nodes, up to maxNodes plus some for the fields after the last list element.
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

// enter makes the following nodes children of the last node, until pop is called.
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

// Limits on field names that come from messages: bytes of a name, and number of names that a tree keeps for later
// messages.
const (
	maxName  = 64
	maxNames = 256
)

// name returns the field name for a key. Many messages have the same keys, so a tree keeps the names.
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

// Find returns the first node with the given name, at any depth, or nil.
func (t *Tree) Find(name string) *Node {
	for i := range t.Nodes {
		if t.Nodes[i].Name == name {
			return &t.Nodes[i]
		}
	}
	return nil
}

// printable replaces characters in untrusted names that are unsafe in terminals and files.
func printable(r rune) rune {
	if r == '"' || r == '\\' || !strconv.IsPrint(r) {
		return utf8.RuneError
	}
	return r
}
