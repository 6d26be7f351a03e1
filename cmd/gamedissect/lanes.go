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
	plan  *plan
	whose *split.Asker
	lanes []*lane
	batch *batch
	empty chan *batch
	to    *dissection
	frame decode.Frame
	full  atomic.Bool // an engine had to forget something
	ended sync.WaitGroup
}

// A batch is packets on their way to the engines.
type batch struct {
	frames []decode.Frame
	lanes  []uint8 // whose they are
	data   []byte
	users  atomic.Int32 // who have not seen it yet
}

const (
	batchPackets = 1024
	batchBytes   = 256 << 10
	batches      = 4 // that are on their way
)

// A lane is an engine in a goroutine of its own, with what it finds.
type lane struct {
	*run
	number uint8
	totals *totals
	full   chan *batch
}

// newCrew makes the engines of a plan, each with its share of the memory.
func newCrew(d *dissection, p *plan) *crew {
	count := int(slices.Max(p.lanes)) + 1
	c := &crew{plan: p, whose: p.parts.Asker(), to: d, empty: make(chan *batch, batches)}
	for range batches {
		c.empty <- &batch{data: make([]byte, 0, batchBytes)}
	}
	c.batch = <-c.empty
	o := d.run.options
	o.Memory /= count
	for n := range count {
		l := &lane{run: newRun(o, d.run.gate), number: uint8(n), totals: new(totals), full: make(chan *batch, batches)}
		selection := *d.run.gate.selection
		l.gate.selection = &selection
		l.totals.Memory = d.totals.Memory
		l.add(l.totals)
		if len(d.run.values) > 0 {
			l.values = append(l.values, gatherer{l.totals})
		}
		l.begin(false)
		c.lanes = append(c.lanes, l)
		c.ended.Go(func() { c.work(l) })
	}
	return c
}

// work is the goroutine of a lane.
func (c *crew) work(l *lane) {
	for b := range l.full {
		for i := range b.frames {
			if b.lanes[i] == l.number {
				l.engine.Frame(&b.frames[i])
			} else {
				l.engine.Elsewhere(&b.frames[i])
			}
		}
		if l.engine.Pressed() {
			c.full.Store(true)
		}
		if b.users.Add(-1) == 0 {
			c.empty <- b
		}
	}
	l.engine.Close()
	if l.engine.Pressed() {
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
	b.lanes = append(b.lanes, c.plan.lanes[c.whose.Of(&c.frame)])
	if len(b.frames) < batchPackets && len(b.data) < batchBytes {
		return nil
	}
	c.send()
	if c.full.Load() {
		return errCrowded
	}
	return nil
}

// send gives the batch to all lanes, and waits for one that is empty.
func (c *crew) send() {
	c.batch.users.Store(int32(len(c.lanes)))
	for _, l := range c.lanes {
		l.full <- c.batch
	}
	c.batch = <-c.empty
	c.batch.frames, c.batch.lanes, c.batch.data = c.batch.frames[:0], c.batch.lanes[:0], c.batch.data[:0]
}

// close ends the engines. It gives what they counted, and adds what they found to the totals unless that is for
// nothing.
func (c *crew) close() (all decode.Counters) {
	c.send()
	for _, l := range c.lanes {
		close(l.full)
	}
	c.ended.Wait()
	if c.crowded() {
		return all
	}
	for _, l := range c.lanes {
		counters := l.engine.Counters()
		all.Add(&counters)
		c.to.totals.Merge(&l.totals.Stats)
		selection := c.to.run.gate.selection
		selection.failed = selection.failed || l.gate.selection.failed
	}
	return all
}

// crowded reports whether an engine had to forget something.
func (c *crew) crowded() bool { return c.full.Load() }
