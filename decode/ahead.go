package decode

import "github.com/gamedissect/gamedissect/decode/wire"

// ahead is a hearer that notes what it hears and has the judge hear it in a goroutine of its own. Each
// message has a layer of its own meanwhile, and bytes that nobody else uses.
type ahead struct {
	judge *judge
	burst *burst
	full  chan *burst // on their way to the judge
	empty chan *burst // on their way back
	begun bool
	done  chan struct{}
}

// A burst is what the judge is told at a time. Its memory serves one filling after the other.
type burst struct {
	kinds    []kind // in order
	ticks    []int64
	messages []handed
	losses   []handed // without a layer
	remarks  []Finding

	layers [][]wire.Layer // by protocol
	taken  []int          // of these
	bytes  []byte
	extra  int // bytes that layers hold besides their messages
}

// kind is which of the methods of a hearer was called.
type kind uint8

const (
	ticked kind = iota
	wasDecoded
	wasLost
	wasFound
)

// handed is a message on its way.
type handed struct {
	protocol *protocol
	layer    wire.Layer
	place    Place
	at       int64
}

// large is the length of messages whose layers are not used again: their lists may hold much memory.
const large = 4 << 10

// What fills a burst. More in one would leave the processor's cache before the judge comes to it.
const (
	bursts       = 3 // one is filled, one is judged, one is in between
	burstLayers  = 128
	burstKinds   = 1024
	burstRemarks = 128
	burstBytes   = 64 << 10
	burstExtra   = 1 << 20
)

func newAhead(j *judge) *ahead {
	a := &ahead{judge: j, full: make(chan *burst, bursts), empty: make(chan *burst, bursts), done: make(chan struct{})}
	for range bursts {
		a.empty <- &burst{
			layers: make([][]wire.Layer, len(j.protocols)), taken: make([]int, len(j.protocols)),
			bytes: make([]byte, 0, burstBytes),
		}
	}
	a.burst = <-a.empty
	return a
}

// run is the goroutine.
func (a *ahead) run() {
	defer close(a.done)
	for l := range a.full {
		l.tell(a.judge)
		l.reset()
		a.empty <- l
	}
}

// crowded tells whether it is time to pass the burst on.
func (a *ahead) crowded() bool {
	l := a.burst
	return len(l.messages) >= burstLayers || len(l.kinds) >= burstKinds || len(l.remarks)+len(l.losses) >= burstRemarks || len(l.bytes) >= burstBytes/2 || l.extra >= burstExtra
}

// pass passes the burst on if it is crowded. What was decoded is not to be used any more then, nor the
// bytes of it.
func (a *ahead) pass() {
	if a.crowded() {
		a.send()
		a.burst = <-a.empty
	}
}

// send gives the burst away, and first of all begins the goroutine.
func (a *ahead) send() {
	if !a.begun {
		a.begun = true
		go a.run()
	}
	a.full <- a.burst
}

// own gives a copy of bytes that stays as long as the messages that are made of it.
func (a *ahead) own(b []byte) []byte {
	l := a.burst
	from := len(l.bytes)
	l.bytes = append(l.bytes, b...) // if it grows, those before stay in what they have
	return l.bytes[from:len(l.bytes):len(l.bytes)]
}

// layer gives a layer for the next message.
func (a *ahead) layer(p *protocol) wire.Layer {
	l, i := a.burst, p.index
	n := l.taken[i]
	if n == len(l.layers[i]) {
		l.layers[i] = append(l.layers[i], nil)
	}
	if l.layers[i][n] == nil {
		l.layers[i][n] = p.New()
	}
	l.taken[i]++
	return l.layers[i][n]
}

// close waits until the judge has heard all.
func (a *ahead) close() {
	a.send()
	close(a.full)
	<-a.done
}

// tick implements hearer.
func (a *ahead) tick(now int64) {
	a.burst.kinds, a.burst.ticks = append(a.burst.kinds, ticked), append(a.burst.ticks, now)
}

// decoded implements hearer.
func (a *ahead) decoded(p *protocol, l wire.Layer, place *Place, at int64) {
	a.burst.kinds = append(a.burst.kinds, wasDecoded)
	a.burst.messages = append(a.burst.messages, handed{p, l, *place, at})
	if p.holds {
		a.burst.extra += l.(wire.Holder).Held()
	}
}

// lost implements hearer.
func (a *ahead) lost(p *protocol, place *Place) {
	a.burst.kinds = append(a.burst.kinds, wasLost)
	a.burst.losses = append(a.burst.losses, handed{protocol: p, place: *place})
}

// find implements hearer.
func (a *ahead) find(f *Finding) {
	a.burst.kinds = append(a.burst.kinds, wasFound)
	a.burst.remarks = append(a.burst.remarks, *f)
}

// tell tells the judge what the burst holds.
func (l *burst) tell(j *judge) {
	ticks, messages, losses, remarks := l.ticks, l.messages, l.losses, l.remarks
	for _, k := range l.kinds {
		switch k {
		case ticked:
			j.tick(ticks[0])
			ticks = ticks[1:]
		case wasDecoded:
			m := &messages[0]
			j.decoded(m.protocol, m.layer, &m.place, m.at)
			messages = messages[1:]
		case wasLost:
			j.lost(losses[0].protocol, &losses[0].place)
			losses = losses[1:]
		case wasFound:
			j.find(&remarks[0])
			remarks = remarks[1:]
		}
	}
}

// reset empties the burst. Memory for what is rare is given back.
func (l *burst) reset() {
	for i := range l.messages {
		if m := &l.messages[i]; m.protocol.holds {
			m.layer.(wire.Holder).Release()
		}
	}
	l.extra = 0
	if cap(l.bytes) > 4*burstBytes {
		l.bytes = make([]byte, 0, burstBytes)
	}
	l.kinds, l.ticks, l.messages, l.losses, l.remarks, l.bytes = l.kinds[:0], l.ticks[:0], l.messages[:0], nil, nil, l.bytes[:0]
	for i := range l.taken {
		for n, used := range l.layers[i][:l.taken[i]] {
			if len(used.Part().Contents) > large {
				l.layers[i][n] = nil
			}
		}
		l.taken[i] = 0
		if len(l.layers[i]) > 2*burstLayers {
			clear(l.layers[i][2*burstLayers:])
			l.layers[i] = l.layers[i][:2*burstLayers]
		}
	}
}
