package bpf

type load struct {
	kind   loadKind
	size   uint16 // sizeByte, sizeHalf or sizeWord
	off    uint32
	header uint32 // for afterHeader: offset of the IPv4 header
	varied bool   // off counts from the end of a link-layer header whose first byte is its size
}

type loadKind uint8

const (
	fixedOffset loadKind = iota
	afterHeader          // off counts from the end of the IPv4 header
	wireLength           // the packet's length; reads no bytes
	noLoad               // the test compares computed numbers
)

// A test compares a masked load with a constant, or compares two computed numbers.
type test struct {
	load
	mask      uint32 // allBits: no mask
	operation uint16 // equal, greater, atLeast or bitsSet
	k         uint32
	a, b      *value // for noLoad
}

const allBits = 0xffffffff

// A node of a filter's tree is a test or combines other nodes.
type node struct {
	kind nodeKind
	test test
	a, b *node // notNode uses only a
}

type nodeKind uint8

const (
	testNode nodeKind = iota
	andNode
	orNode
	notNode
	yesNode
	noNode
)

var (
	yes = &node{kind: yesNode}
	no  = &node{kind: noNode}
)

// all returns the conjunction of nodes. It is evaluated from left to right, up to the first node that is false.
func all(nodes ...*node) *node { return join(andNode, nodes) }

// some returns the disjunction of nodes. It is evaluated up to the first node that is true.
func some(nodes ...*node) *node { return join(orNode, nodes) }

func join(kind nodeKind, nodes []*node) *node {
	joined := nodes[0]
	for _, n := range nodes[1:] {
		joined = &node{kind: kind, a: joined, b: n}
	}
	return joined
}

// isVaried reports whether a test in the tree has an offset that counts from the end of the link-layer header.
func (n *node) isVaried() bool {
	if n == nil {
		return false
	}
	t := &n.test
	return t.varied || t.a.isVaried() || t.b.isVaried() || n.a.isVaried() || n.b.isVaried()
}

func (v *value) isVaried() bool {
	return v != nil && (v.load.varied || v.index.isVaried() || v.a.isVaried() || v.b.isVaried())
}

func not(n *node) *node { return &node{kind: notNode, a: n} }

func compare(l load, operation uint16, k uint32) *node {
	return &node{test: test{load: l, mask: allBits, operation: operation, k: k}}
}

func masked(l load, mask, k uint32) *node {
	return &node{test: test{load: l, mask: mask, operation: equal, k: k}}
}

func at(size uint16, off uint32) load { return load{size: size, off: off} }
