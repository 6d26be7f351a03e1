package decode

import "github.com/gamedissect/gamedissect/decode/wire"

// A conveyor is a sink that carries what it takes to the deliverer, in a goroutine of its own. Each message has a
// layer of its own meanwhile, and bytes that nobody else uses.
type conveyor struct {
	to    *deliverer
	load  *load
	full  chan *load // on their way
	empty chan *load // on their way back
	begun bool
	done  chan struct{}
}

func newConveyor(to *deliverer, protocols int) *conveyor {
	c := &conveyor{to: to, full: make(chan *load, loads), empty: make(chan *load, loads), done: make(chan struct{})}
	for range loads {
		c.empty <- newLoad(protocols)
	}
	c.load = <-c.empty
	return c
}

// run is the goroutine.
func (c *conveyor) run() {
	defer close(c.done)
	for l := range c.full {
		l.deliver(c.to)
		l.reset()
		c.empty <- l
	}
}

// pass passes the load on if it is full. What was decoded is not to be used any more then, nor the bytes of it.
func (c *conveyor) pass() {
	if c.load.full() {
		c.send()
		select {
		case c.load = <-c.empty:
		case <-c.done:
			panic(errEnded)
		}
	}
}

// send gives the load away, and first of all begins the goroutine.
func (c *conveyor) send() {
	if !c.begun {
		c.begun = true
		go c.run()
	}
	select {
	case c.full <- c.load:
	case <-c.done:
		panic(errEnded)
	}
}

// errEnded is what those get who go on after a function of the options ended its goroutine, as
// testing.T.FailNow does.
const errEnded = "decode: a function of the Options ended the goroutine that it was called in"

// close waits until everything is delivered.
func (c *conveyor) close() {
	c.send()
	close(c.full)
	<-c.done
}

// tick implements sink.
func (c *conveyor) tick(now int64) {
	c.load.kinds, c.load.ticks = append(c.load.kinds, aTick), append(c.load.ticks, now)
}

// message implements sink.
func (c *conveyor) message(p *protocol, l wire.Layer, place *wire.Place, at int64) {
	c.load.kinds = append(c.load.kinds, aMessage)
	c.load.messages = append(c.load.messages, carried{p, l, *place, at})
	if p.holds {
		c.load.extra += l.(wire.Holder).Held()
	}
}

// lost implements sink.
func (c *conveyor) lost(p *protocol, place *wire.Place) {
	c.load.kinds = append(c.load.kinds, aLoss)
	c.load.losses = append(c.load.losses, carried{protocol: p, place: *place})
}

// finding implements sink.
func (c *conveyor) finding(f *wire.TrafficFinding) {
	c.load.kinds = append(c.load.kinds, aFinding)
	c.load.findings = append(c.load.findings, *f)
}
