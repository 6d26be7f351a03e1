package main

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/split"
)

// A crew is several engines that share a capture. All of them are told of all packets, and each takes its own.
type crew struct {
	plan    *plan
	whose   *split.Asker
	workers []*worker
	batch   *batch
	empty   chan *batch
	to      *dissection
	frame   decode.Frame
	full    atomic.Bool // an engine had to forget something
	ended   sync.WaitGroup
}

// A batch is packets on their way to the engines.
type batch struct {
	frames  []decode.Frame
	workers []uint8 // whose they are
	data    []byte
	users   atomic.Int32 // who have not seen it yet
}

const (
	batchPackets = 1024
	batchBytes   = 256 << 10
	batches      = 4 // that are on their way
)

// A worker is an engine in a goroutine of its own, with what it finds.
type worker struct {
	*run
	number uint8
	totals *totals
	full   chan *batch
}

// newCrew makes the engines of a plan, each with its share of the memory.
func newCrew(d *dissection, p *plan) *crew {
	count := int(slices.Max(p.workers)) + 1
	c := &crew{plan: p, whose: p.parts.Asker(), to: d, empty: make(chan *batch, batches)}
	for range batches {
		c.empty <- &batch{data: make([]byte, 0, batchBytes)}
	}
	c.batch = <-c.empty
	o := d.run.options
	o.Memory /= count
	for n := range count {
		w := &worker{run: newRun(o, d.run.gate), number: uint8(n), totals: new(totals), full: make(chan *batch, batches)}
		selection := *d.run.gate.selection
		w.gate.selection = &selection
		w.totals.Memory = d.totals.Memory
		w.add(w.totals)
		if len(d.run.values) > 0 {
			w.values = append(w.values, gatherer{w.totals})
		}
		w.begin(false)
		c.workers = append(c.workers, w)
		c.ended.Go(func() { c.work(w) })
	}
	return c
}

// work is the goroutine of a worker.
func (c *crew) work(w *worker) {
	for b := range w.full {
		for i := range b.frames {
			if b.workers[i] == w.number {
				w.engine.Frame(&b.frames[i])
			} else {
				w.engine.Elsewhere(&b.frames[i])
			}
		}
		if w.engine.Pressed() {
			c.full.Store(true)
		}
		if b.users.Add(-1) == 0 {
			c.empty <- b
		}
	}
	w.engine.Close()
	if w.engine.Pressed() {
		c.full.Store(true)
	}
}

// take takes a packet.
func (c *crew) take(p *capture.Packet) error {
	b := c.batch
	c.frame = frameOf(p)
	from := len(b.data)
	b.data = append(b.data, p.Data...) // if it grows, those before stay in what they have
	c.frame.Data = b.data[from:len(b.data):len(b.data)]
	b.frames = append(b.frames, c.frame)
	b.workers = append(b.workers, c.plan.workers[c.whose.Of(&c.frame)])
	if len(b.frames) < batchPackets && len(b.data) < batchBytes {
		return nil
	}
	c.send()
	if c.full.Load() {
		return errCrowded
	}
	return nil
}

// send gives the batch to all workers, and waits for one that is empty.
func (c *crew) send() {
	c.batch.users.Store(int32(len(c.workers)))
	for _, w := range c.workers {
		w.full <- c.batch
	}
	c.batch = <-c.empty
	c.batch.frames, c.batch.workers, c.batch.data = c.batch.frames[:0], c.batch.workers[:0], c.batch.data[:0]
}

// close ends the engines. It gives what they counted, and adds what they found to the totals unless that is for
// nothing.
func (c *crew) close() (all decode.Counters) {
	c.send()
	for _, w := range c.workers {
		close(w.full)
	}
	c.ended.Wait()
	if c.crowded() {
		return all
	}
	for _, w := range c.workers {
		counters := w.engine.Counters()
		all.Add(&counters)
		c.to.totals.Merge(&w.totals.Stats)
		selection := c.to.run.gate.selection
		selection.failed = selection.failed || w.gate.selection.failed
	}
	return all
}

// crowded reports whether an engine had to forget something.
func (c *crew) crowded() bool { return c.full.Load() }
