package decode

import (
	"runtime"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// A conveyor is a sink that carries what it takes to the deliverer, and what that hands on to the functions that
// write, each in a goroutine of its own. Each message has a layer of its own meanwhile, and bytes that nobody else
// uses: nothing is copied on the way.
type conveyor struct {
	to      *deliverer
	load    *load         // that is filled
	full    chan *load    // on their way to the deliverer
	judged  chan *load    // on their way to be written
	empty   chan *load    // on their way back
	spilled chan struct{} // see spill
	begun   bool
	done    chan struct{} // closed when nobody writes any more
}

func newConveyor(to *deliverer, protocols int) *conveyor {
	c := &conveyor{to: to, full: make(chan *load, loads), judged: make(chan *load, loads), empty: make(chan *load, loads),
		spilled: make(chan struct{}, 1), done: make(chan struct{})}
	for range loads {
		c.empty <- newLoad(protocols)
	}
	c.load = <-c.empty
	return c
}

// deliver is the goroutine of the deliverer. Who ends it ends the other one as well.
func (c *conveyor) deliver() {
	defer close(c.judged)
	for l := range c.full {
		c.to.load = l
		l.deliver(c.to)
		c.to.load = nil
		if len(l.handed) > 0 {
			c.judged <- l
			continue
		}
		l.reset()
		c.empty <- l
	}
}

// write is the goroutine of those who write.
func (c *conveyor) write() {
	defer close(c.done)
	var tree wire.Tree
	for l := range c.judged {
		l.write(c.to.options, &tree)
		if l.spills {
			l.spills = false
			c.spilled <- struct{}{}
			continue
		}
		l.reset()
		c.empty <- l
	}
}

// spill waits until what was handed on of the load at hand is written: trackers may have much to tell at a time.
func (c *conveyor) spill(l *load) {
	l.spills = true
	c.judged <- l
	select {
	case <-c.spilled:
	case <-c.done:
		runtime.Goexit() // nobody takes it
	}
}

// pass passes the load on if it is full. What was decoded is not to be used any more then, nor the bytes of it.
func (c *conveyor) pass() {
	if c.load.full() {
		heavy := c.load.extra >= loadExtra
		c.send()
		c.load = c.take()
		if heavy {
			c.catchUp()
		}
	}
}

// take takes an empty load.
func (c *conveyor) take() *load {
	select {
	case l := <-c.empty:
		return l
	case <-c.done:
		panic(errEnded)
	}
}

// catchUp waits until all is written that was sent: of what takes much memory there is one at a time.
func (c *conveyor) catchUp() {
	var idle [loads - 1]*load
	for i := range idle {
		idle[i] = c.take()
	}
	for _, l := range idle {
		c.empty <- l
	}
}

// send gives the load away, and first of all begins the goroutines.
func (c *conveyor) send() {
	if !c.begun {
		c.begun = true
		c.to.spill = c.spill
		go c.deliver()
		go c.write()
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

// close waits until everything is delivered and written.
func (c *conveyor) close() {
	c.send()
	close(c.full)
	<-c.done
}

// tick implements sink.
func (c *conveyor) tick(t tick) {
	c.load.kinds, c.load.ticks = append(c.load.kinds, aTick), append(c.load.ticks, t)
}

// message implements sink.
func (c *conveyor) message(p *protocol, l wire.Layer, place *wire.Place, at int64) {
	c.load.add(p, l, place, at)
	if p.holds {
		c.load.extra += l.(wire.Holder).Held()
	}
}

// lost implements sink.
func (c *conveyor) lost(p *protocol, place *wire.Place) {
	c.load.kinds = append(c.load.kinds, aLoss)
	c.load.losses = append(c.load.losses, loss{p, *place})
}

// ended implements sink.
func (c *conveyor) ended(p *protocol, place *wire.Place) {
	c.load.kinds = append(c.load.kinds, anEnd)
	c.load.losses = append(c.load.losses, loss{p, *place})
}

// finding implements sink.
func (c *conveyor) finding(f *wire.TrafficFinding) {
	c.load.kinds = append(c.load.kinds, aFinding)
	c.load.findings = append(c.load.findings, *f)
}
