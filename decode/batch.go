package decode

import "github.com/gamedissect/gamedissect/decode/wire"

// A batch records calls of stage's methods. The dispatcher makes these calls, then Options.Text writes the selected
// messages and findings, and then the engine fills the batch again.
type batch struct {
	kinds    []kind // the methods called, in order
	ticks    []tick
	messages []carried
	losses   []loss
	signals  []signaled
	findings []wire.TrafficFinding

	selected []selected // messages and findings to be written, in order
	spills   bool       // the dispatcher waits until the list selected is written, see pipeline.spill

	layers [][]wire.Layer // by index of the protocol
	taken  []int          // number of layers in use, by index of the protocol
	bytes  []byte
	extra  int // number of bytes that layers keep in addition to their messages
}

// kind identifies a method of stage.
type kind uint8

const (
	aTick kind = iota
	aJump
	aMessage
	aLoss
	anEnd
	aSignal
	aFinding
)

// carried is a message in a batch.
type carried struct {
	protocol *protocol
	message  Message
}

// loss is a place where bytes of a stream are missing, or where a stream ends.
type loss struct {
	protocol *protocol
	place    wire.Place
}

// signaled is a signal in a batch.
type signaled struct {
	loss
	signal wire.Signal
}

// selected is a message of the batch, or a finding.
type selected struct {
	message *Message
	finding *wire.TrafficFinding
}

// longLists is the maximum number of list elements in a layer that is reused. A reused layer keeps the memory of its
// longest list, and there are many layers.
const longLists = 512

// batches is the number of batches: one is filled, one dispatched, one written, and one waits.
const batches = 4

// Bounds of a batch. A larger batch would no longer be in the processor's cache when it is delivered.
const (
	batchLayers   = 128
	batchKinds    = 1024
	batchFindings = 128
	batchBytes    = 64 << 10
	batchExtra    = 1 << 20
	batchSelected = 1024 // trackers may report more findings than the batch has messages, see pipeline.spill
)

func newBatch(protocols int) *batch {
	return &batch{
		layers: make([][]wire.Layer, protocols), taken: make([]int, protocols), bytes: make([]byte, 0, batchBytes),
	}
}

// full reports whether the batch must be sent.
func (b *batch) full() bool {
	return len(b.messages) >= batchLayers || len(b.kinds) >= batchKinds ||
		len(b.findings)+len(b.losses)+len(b.signals) >= batchFindings || len(b.bytes) >= batchBytes/2 || b.extra >= batchExtra
}

// own copies data into the batch and returns the copy, to which messages refer.
func (b *batch) own(data []byte) []byte {
	from := len(b.bytes)
	b.bytes = append(b.bytes, data...) // earlier slices stay valid if append allocates a new array
	return b.bytes[from:len(b.bytes):len(b.bytes)]
}

// layer returns a layer for the next message.
func (b *batch) layer(p *protocol) wire.Layer {
	i, n := p.index, b.taken[p.index]
	if n == len(b.layers[i]) {
		b.layers[i] = append(b.layers[i], nil)
	}
	if b.layers[i][n] == nil {
		b.layers[i][n] = p.New()
	}
	b.taken[i]++
	return b.layers[i][n]
}

// add adds a message.
func (b *batch) add(p *protocol, layer wire.Layer, place *wire.Place, at int64) {
	b.kinds = append(b.kinds, aMessage)
	n := len(b.messages)
	if n == cap(b.messages) {
		b.messages = append(b.messages, carried{})
	}
	b.messages = b.messages[:n+1]
	to := &b.messages[n] // filled in place, because it is large
	to.protocol, to.message.Place, to.message.At, to.message.Layer = p, *place, at, layer
}

// write passes the selected messages and findings to a Text. The messages share a tree.
func (b *batch) write(to Text, tree *wire.Tree) {
	for _, s := range b.selected {
		if s.message == nil {
			to.Finding(s.finding)
			continue
		}
		s.message.tree, s.message.made, s.message.folded = tree, false, false
		to.Message(s.message)
	}
	clear(b.selected)
	b.selected = b.selected[:0]
}

// reset empties the batch for reuse. It frees buffers and layers that are unusually large.
func (b *batch) reset() {
	for i := range b.messages {
		if m := &b.messages[i]; m.protocol.holds {
			m.message.Layer.(wire.Holder).Release()
		}
	}
	b.extra = 0
	if cap(b.bytes) > 4*batchBytes {
		b.bytes = make([]byte, 0, batchBytes)
	}
	b.kinds, b.ticks, b.messages, b.bytes = b.kinds[:0], b.ticks[:0], b.messages[:0], b.bytes[:0]
	b.losses, b.signals, b.findings = nil, nil, nil
	for i := range b.taken {
		for n, used := range b.layers[i][:b.taken[i]] {
			if used.Core().Listed() > longLists || used.Core().Inside() > 0 {
				b.layers[i][n] = nil
			}
		}
		b.taken[i] = 0
		if len(b.layers[i]) > 2*batchLayers {
			clear(b.layers[i][2*batchLayers:])
			b.layers[i] = b.layers[i][:2*batchLayers]
		}
	}
}
