package decode

import "github.com/gamedissect/gamedissect/decode/wire"

// A load is what a conveyor carries at a time. What it holds stays as it is until the last of its messages is
// written. Its memory serves one filling after the other.
type load struct {
	kinds    []kind // in order
	ticks    []tick
	messages []carried
	losses   []loss
	findings []wire.TrafficFinding

	handed []handed // what is to be written, in order
	spills bool     // there will be more of it

	layers [][]wire.Layer // by protocol
	taken  []int          // of these
	bytes  []byte
	extra  int // bytes that layers hold besides their messages
}

// kind is which method of a sink a load calls.
type kind uint8

const (
	aTick kind = iota
	aMessage
	aLoss
	anEnd
	aFinding
)

// carried is a message on its way.
type carried struct {
	protocol *protocol
	message  Message
}

// loss tells where bytes of a stream are missing, or where it ends.
type loss struct {
	protocol *protocol
	place    wire.Place
}

// handed is a message of the load or a finding, to be written.
type handed struct {
	message *Message
	finding *wire.TrafficFinding
}

// longLists is how many elements a message may list for its layer to be used again: there are many layers,
// and each keeps the memory of its longest list.
const longLists = 512

// What fills a load. More in one would leave the processor's cache before it is delivered.
const (
	loads        = 4 // one is filled, one is delivered, one is written, one is in between
	loadLayers   = 128
	loadKinds    = 1024
	loadFindings = 128
	loadBytes    = 64 << 10
	loadExtra    = 1 << 20
	loadHanded   = 1024 // findings of trackers may be more than messages; see conveyor.spill
)

func newLoad(protocols int) *load {
	return &load{layers: make([][]wire.Layer, protocols), taken: make([]int, protocols), bytes: make([]byte, 0, loadBytes)}
}

// full reports whether it is time to pass the load on.
func (l *load) full() bool {
	return len(l.messages) >= loadLayers || len(l.kinds) >= loadKinds || len(l.findings)+len(l.losses) >= loadFindings ||
		len(l.bytes) >= loadBytes/2 || l.extra >= loadExtra
}

// own gives a copy of bytes that stays as long as the messages that are made of it.
func (l *load) own(data []byte) []byte {
	from := len(l.bytes)
	l.bytes = append(l.bytes, data...) // if it grows, those before stay in what they have
	return l.bytes[from:len(l.bytes):len(l.bytes)]
}

// layer gives a layer for the next message.
func (l *load) layer(p *protocol) wire.Layer {
	i, n := p.index, l.taken[p.index]
	if n == len(l.layers[i]) {
		l.layers[i] = append(l.layers[i], nil)
	}
	if l.layers[i][n] == nil {
		l.layers[i][n] = p.New()
	}
	l.taken[i]++
	return l.layers[i][n]
}

// add adds a message.
func (l *load) add(p *protocol, layer wire.Layer, place *wire.Place, at int64) {
	l.kinds = append(l.kinds, aMessage)
	n := len(l.messages)
	if n == cap(l.messages) {
		l.messages = append(l.messages, carried{})
	}
	l.messages = l.messages[:n+1]
	to := &l.messages[n] // filled where it stands: it is large
	to.protocol, to.message.Place, to.message.At, to.message.Layer = p, *place, at, layer
}

// deliver gives the deliverer what the load holds.
func (l *load) deliver(to *deliverer) {
	ticks, messages, losses, findings := l.ticks, l.messages, l.losses, l.findings
	for _, k := range l.kinds {
		switch k {
		case aTick:
			to.tick(ticks[0])
			ticks = ticks[1:]
		case aMessage:
			to.deliver(messages[0].protocol, &messages[0].message)
			messages = messages[1:]
		case aLoss:
			to.lost(losses[0].protocol, &losses[0].place)
			losses = losses[1:]
		case anEnd:
			to.ended(losses[0].protocol, &losses[0].place)
			losses = losses[1:]
		case aFinding:
			to.finding(&findings[0])
			findings = findings[1:]
		}
	}
}

// write calls the functions that write what was handed on. Its messages share a tree.
func (l *load) write(o *Options, tree *wire.Tree) {
	for _, h := range l.handed {
		if h.message == nil {
			o.WriteFinding(h.finding)
			continue
		}
		h.message.tree, h.message.made, h.message.folded = tree, false, false
		o.Write(h.message)
	}
	clear(l.handed)
	l.handed = l.handed[:0]
}

// reset empties the load. Memory for what is rare is given back.
func (l *load) reset() {
	for i := range l.messages {
		if m := &l.messages[i]; m.protocol.holds {
			m.message.Layer.(wire.Holder).Release()
		}
	}
	l.extra = 0
	if cap(l.bytes) > 4*loadBytes {
		l.bytes = make([]byte, 0, loadBytes)
	}
	l.kinds, l.ticks, l.messages, l.bytes = l.kinds[:0], l.ticks[:0], l.messages[:0], l.bytes[:0]
	l.losses, l.findings = nil, nil
	for i := range l.taken {
		for n, used := range l.layers[i][:l.taken[i]] {
			if used.Core().Listed() > longLists {
				l.layers[i][n] = nil
			}
		}
		l.taken[i] = 0
		if len(l.layers[i]) > 2*loadLayers {
			clear(l.layers[i][2*loadLayers:])
			l.layers[i] = l.layers[i][:2*loadLayers]
		}
	}
}
