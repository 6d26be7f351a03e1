package decode

import (
	"runtime"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// A pipeline is a stage that runs the dispatcher and Options.Text in goroutines of their own. Batches travel in a
// circle:
//
//	engine -> full -> dispatch -> dispatched -> write -> empty -> engine
//
// Each message keeps its layer and its bytes until its batch is empty again, so nothing is copied on the way.
type pipeline struct {
	to         *dispatcher
	batch      *batch        // the batch that the engine fills
	full       chan *batch   // batches to dispatch
	dispatched chan *batch   // batches to write
	empty      chan *batch   // empty batches for the engine
	spilled    chan struct{} // see spill
	begun      bool
	done       chan struct{} // closed when the goroutine write ends
}

func newPipeline(to *dispatcher, protocols int) *pipeline {
	c := &pipeline{
		to: to, full: make(chan *batch, batches), dispatched: make(chan *batch, batches), empty: make(chan *batch, batches),
		spilled: make(chan struct{}, 1), done: make(chan struct{}),
	}
	for range batches {
		c.empty <- newBatch(protocols)
	}
	c.batch = <-c.empty
	return c
}

// dispatch is the goroutine of the dispatcher. When it ends, the goroutine write also ends.
func (c *pipeline) dispatch() {
	defer close(c.dispatched)
	for b := range c.full {
		c.to.batch = b
		c.to.replay(b)
		c.to.batch = nil
		if len(b.selected) > 0 {
			c.dispatched <- b
			continue
		}
		b.reset()
		c.empty <- b
	}
}

// write is the goroutine that calls Options.Text.
func (c *pipeline) write() {
	defer close(c.done)
	var tree wire.Tree
	for b := range c.dispatched {
		b.write(c.to.options.Text, &tree)
		if b.spills {
			b.spills = false
			c.spilled <- struct{}{}
			continue
		}
		b.reset()
		c.empty <- b
	}
}

// spill waits until the messages and findings that were selected so far from the current batch are written. This bounds
// the batch, because trackers may report many findings at once.
func (c *pipeline) spill(b *batch) {
	b.spills = true
	c.dispatched <- b
	select {
	case <-c.spilled:
	case <-c.done:
		runtime.Goexit() // the goroutine write has ended
	}
}

// pass sends the batch if it is full. After that, the engine must not use the batch's messages or their bytes.
func (c *pipeline) pass() {
	if c.batch.full() {
		heavy := c.batch.extra >= batchExtra
		c.send()
		c.batch = c.take()
		if heavy {
			c.catchUp()
		}
	}
}

func (c *pipeline) take() *batch {
	select {
	case b := <-c.empty:
		return b
	case <-c.done:
		panic(errEnded)
	}
}

// catchUp waits until all batches are written, so there is at most one large batch.
func (c *pipeline) catchUp() {
	var idle [batches - 1]*batch
	for i := range idle {
		idle[i] = c.take()
	}
	for _, b := range idle {
		c.empty <- b
	}
}

// send sends the batch to the dispatcher. The first call starts the goroutines.
func (c *pipeline) send() {
	if !c.begun {
		c.begun = true
		c.to.spill = c.spill
		go c.dispatch()
		go c.write()
	}
	select {
	case c.full <- c.batch:
	case <-c.done:
		panic(errEnded)
	}
}

// If a function in Options ends its goroutine, as testing.T.FailNow does, the next frame panics with errEnded.
const errEnded = "decode: a function of the Options ended the goroutine that it was called in"

// close waits until everything is delivered and written.
func (c *pipeline) close() {
	c.send()
	close(c.full)
	<-c.done
}

func (c *pipeline) tick(t tick) {
	c.batch.kinds, c.batch.ticks = append(c.batch.kinds, aTick), append(c.batch.ticks, t)
}

func (c *pipeline) jump(t tick) {
	c.batch.kinds, c.batch.ticks = append(c.batch.kinds, aJump), append(c.batch.ticks, t)
}

func (c *pipeline) message(p *protocol, l wire.Layer, place *wire.Place, at int64) {
	c.batch.add(p, l, place, at)
	c.batch.extra += l.Core().Inside()
	if p.holds {
		c.batch.extra += l.(wire.Holder).Held()
	}
}

func (c *pipeline) lost(p *protocol, place *wire.Place) {
	c.batch.kinds = append(c.batch.kinds, aLoss)
	c.batch.losses = append(c.batch.losses, loss{p, *place})
}

func (c *pipeline) ended(p *protocol, place *wire.Place) {
	c.batch.kinds = append(c.batch.kinds, anEnd)
	c.batch.losses = append(c.batch.losses, loss{p, *place})
}

func (c *pipeline) signal(s wire.Signal, p *protocol, place *wire.Place) {
	c.batch.kinds = append(c.batch.kinds, aSignal)
	c.batch.signals = append(c.batch.signals, signaled{loss{p, *place}, s})
}

func (c *pipeline) finding(f *wire.TrafficFinding) {
	c.batch.kinds = append(c.batch.kinds, aFinding)
	c.batch.findings = append(c.batch.findings, *f)
}
