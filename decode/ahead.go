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
	remarks  []wire.TrafficFinding

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
	place    wire.Place
	at       int64
}

// longLists is how many elements a message may list for its layer to be used again: there are many layers,
// and each keeps the memory of its longest list.
const longLists = 512

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
	for b := range a.full {
		b.tell(a.judge)
		b.reset()
		a.empty <- b
	}
}

// crowded reports whether it is time to pass the burst on.
func (a *ahead) crowded() bool {
	b := a.burst
	return len(b.messages) >= burstLayers || len(b.kinds) >= burstKinds || len(b.remarks)+len(b.losses) >= burstRemarks || len(b.bytes) >= burstBytes/2 || b.extra >= burstExtra
}

// pass passes the burst on if it is crowded. What was decoded is not to be used any more then, nor the
// bytes of it.
func (a *ahead) pass() {
	if a.crowded() {
		a.send()
		select {
		case a.burst = <-a.empty:
		case <-a.done:
			panic(errEnded)
		}
	}
}

// send gives the burst away, and first of all begins the goroutine.
func (a *ahead) send() {
	if !a.begun {
		a.begun = true
		go a.run()
	}
	select {
	case a.full <- a.burst:
	case <-a.done:
		panic(errEnded)
	}
}

// errEnded is what those get who go on after a function of the options ended its goroutine, as
// testing.T.FailNow does.
const errEnded = "decode: a function of the Options ended the goroutine that it was called in"

// own gives a copy of bytes that stays as long as the messages that are made of it.
func (a *ahead) own(data []byte) []byte {
	b := a.burst
	from := len(b.bytes)
	b.bytes = append(b.bytes, data...) // if it grows, those before stay in what they have
	return b.bytes[from:len(b.bytes):len(b.bytes)]
}

// layer gives a layer for the next message.
func (a *ahead) layer(p *protocol) wire.Layer {
	b, i := a.burst, p.index
	n := b.taken[i]
	if n == len(b.layers[i]) {
		b.layers[i] = append(b.layers[i], nil)
	}
	if b.layers[i][n] == nil {
		b.layers[i][n] = p.New()
	}
	b.taken[i]++
	return b.layers[i][n]
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
func (a *ahead) decoded(p *protocol, l wire.Layer, place *wire.Place, at int64) {
	a.burst.kinds = append(a.burst.kinds, wasDecoded)
	a.burst.messages = append(a.burst.messages, handed{p, l, *place, at})
	if p.holds {
		a.burst.extra += l.(wire.Holder).Held()
	}
}

// lost implements hearer.
func (a *ahead) lost(p *protocol, place *wire.Place) {
	a.burst.kinds = append(a.burst.kinds, wasLost)
	a.burst.losses = append(a.burst.losses, handed{protocol: p, place: *place})
}

// find implements hearer.
func (a *ahead) find(f *wire.TrafficFinding) {
	a.burst.kinds = append(a.burst.kinds, wasFound)
	a.burst.remarks = append(a.burst.remarks, *f)
}

// tell tells the judge what the burst holds.
func (b *burst) tell(j *judge) {
	ticks, messages, losses, remarks := b.ticks, b.messages, b.losses, b.remarks
	for _, k := range b.kinds {
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
func (b *burst) reset() {
	for i := range b.messages {
		if m := &b.messages[i]; m.protocol.holds {
			m.layer.(wire.Holder).Release()
		}
	}
	b.extra = 0
	if cap(b.bytes) > 4*burstBytes {
		b.bytes = make([]byte, 0, burstBytes)
	}
	b.kinds, b.ticks, b.messages, b.losses, b.remarks, b.bytes = b.kinds[:0], b.ticks[:0], b.messages[:0], nil, nil, b.bytes[:0]
	for i := range b.taken {
		for n, used := range b.layers[i][:b.taken[i]] {
			if used.Core().Listed() > longLists {
				b.layers[i][n] = nil
			}
		}
		b.taken[i] = 0
		if len(b.layers[i]) > 2*burstLayers {
			clear(b.layers[i][2*burstLayers:])
			b.layers[i] = b.layers[i][:2*burstLayers]
		}
	}
}
