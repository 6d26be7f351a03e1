package decode

import "github.com/gamedissect/gamedissect/decode/wire"

// Keep says what a Batch keeps of messages besides their values. What is not kept is not there to be
// asked for.
type Keep struct {
	Summary bool
	Tree    bool // Message.Tree
	Folded  bool // Message.FoldedTree
}

// A Batch keeps messages and findings in their order until somebody else has time for them, another
// goroutine for example. Its memory serves one filling after the other. Messages that are kept have no
// Layer.
type Batch struct {
	keep            Keep
	messages        []Message
	trees           []wire.Tree // of the messages
	trafficFindings []wire.TrafficFinding
	isFinding       []bool // in order: is it a finding, or a message?

	// What messages refer to. Who outgrows it has memory of its own.
	nodes    []wire.Node
	wide     []wire.Node // of a tree that outgrew the nodes, for the next long message
	bytes    []byte
	findings []wire.Finding
	extra    int // bytes of such memory
}

// What fills a batch: so much is worth waking another goroutine for, and fits in a processor's cache.
const (
	batchItems = 512
	batchNodes = 4 << 10 // half a megabyte
	batchBytes = 128 << 10
	batchExtra = 1 << 20

	// A message longer than wideFrom may need more nodes than there are; as many as maxWide are kept for it,
	// enough for a datagram full of short elements.
	wideFrom = 4 << 10
	maxWide  = 40 << 10

	// treeTexts is as much memory for texts as a tree keeps for the next message.
	treeTexts = 4 << 10
	nodeSize  = 112 // bytes of a wire.Node, about
)

// NewBatch makes an empty one.
func NewBatch(k Keep) *Batch {
	b := &Batch{keep: k, bytes: make([]byte, 0, batchBytes)}
	b.messages = make([]Message, 0, batchItems)
	b.trees = make([]wire.Tree, batchItems)
	if k.Tree || k.Folded {
		b.nodes = make([]wire.Node, 0, batchNodes)
	}
	return b
}

// Full reports whether the batch should be emptied before more is added.
func (b *Batch) Full() bool {
	return len(b.isFinding) >= batchItems || cap(b.nodes) > 0 && len(b.nodes) > batchNodes*7/8 ||
		len(b.bytes) > batchBytes*7/8 || b.extra > batchExtra
}

// Reset empties the batch.
func (b *Batch) Reset() {
	for i := range b.messages {
		t := &b.trees[i]
		if n := cap(t.Nodes); n > batchNodes && n <= maxWide && n > cap(b.wide) {
			b.wide = t.Nodes[:0]
			clear(b.wide[:n])
		}
		if t.Texts() > treeTexts {
			*t = wire.Tree{}
		} else {
			t.Nodes = nil
		}
	}
	if b.extra > 0 || len(b.bytes) > batchBytes {
		// They point to memory that is not the batch's own, as do those of a tree that outgrew them.
		clear(b.nodes[:cap(b.nodes)])
	}
	if cap(b.bytes) > 4*batchBytes {
		b.bytes = make([]byte, 0, batchBytes)
	}
	b.extra = 0
	clear(b.trafficFindings)
	clear(b.findings)
	b.messages, b.trafficFindings, b.isFinding = b.messages[:0], b.trafficFindings[:0], b.isFinding[:0]
	b.nodes, b.bytes, b.findings = b.nodes[:0], b.bytes[:0], b.findings[:0]
}

// Finding adds a finding that no message carries.
func (b *Batch) Finding(f *wire.TrafficFinding) {
	b.trafficFindings, b.isFinding = append(b.trafficFindings, *f), append(b.isFinding, true)
}

// Message adds a message.
func (b *Batch) Message(m *Message) {
	b.isFinding = append(b.isFinding, false)
	if len(b.messages) == len(b.trees) {
		b.trees = append(b.trees, wire.Tree{})
	}
	core, t := m.Layer.Core(), &b.trees[len(b.messages)]
	b.messages = append(b.messages, *m)
	k := &b.messages[len(b.messages)-1]
	k.Layer, k.tree, k.made, k.folded = nil, nil, false, false
	from := len(b.findings)
	b.findings = append(b.findings, m.Findings...)
	k.Findings = b.findings[from:len(b.findings):len(b.findings)]
	if b.keep.Summary {
		from := len(b.bytes)
		b.bytes = m.AppendSummary(b.bytes)
		k.summary = b.bytes[from:len(b.bytes):len(b.bytes)]
	}
	if !b.keep.Tree && !b.keep.Folded {
		k.Data = nil
		return
	}
	from = len(b.bytes)
	b.bytes = append(b.bytes, core.Decoded()...)
	decoded := b.bytes[from:len(b.bytes):len(b.bytes)]
	k.Data = decoded[:len(m.Data)]
	free := b.nodes[len(b.nodes):]
	t.Nodes = free
	wide := len(decoded) > wideFrom && b.wide != nil
	if wide {
		t.Nodes, b.wide = b.wide, nil
	}
	core.AnnotateCopy(m.Layer, t, decoded, !b.keep.Tree, k.Findings)
	if n := len(t.Nodes); !wide && n <= cap(free) {
		b.nodes = b.nodes[:len(b.nodes)+n]
	} else {
		b.extra += cap(t.Nodes) * nodeSize
	}
	if n := t.Texts(); n > treeTexts {
		b.extra += n
	}
	if h, ok := m.Layer.(wire.Holder); ok {
		b.extra += h.Held() // the tree may show it
	}
	k.tree, k.made, k.folded = t, b.keep.Tree, b.keep.Folded
}

// Each gives messages and findings in the order in which they were added.
func (b *Batch) Each(message func(*Message), finding func(*wire.TrafficFinding)) {
	m, f := 0, 0
	for _, is := range b.isFinding {
		if is {
			finding(&b.trafficFindings[f])
			f++
		} else {
			message(&b.messages[m])
			m++
		}
	}
}
