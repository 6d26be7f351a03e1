package main

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/internal/split"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// A crew is several engines that share a capture. All of them are told of all packets, and each takes its own.
type crew struct {
	plan    *plan
	whose   *split.Asker
	workers []*worker
	batch   *batch
	empty   chan *batch
	to      *dissection
	joiner  *joiner // nil: what the workers say has no order
	frame   decode.Frame
	full    atomic.Bool // an engine had to forget something
	ended   sync.WaitGroup
}

// A batch is packets on their way to the engines.
type batch struct {
	frames   []decode.Frame
	workers  []uint8 // whose they are
	data     []byte
	failures []failure
	users    atomic.Int32 // who have not seen it yet
}

// add adds a copy of a frame. It reports whether the batch is full.
func (b *batch) add(f *decode.Frame) bool {
	from := len(b.data)
	b.data = append(b.data, f.Data...) // if it grows, those before stay in what they have
	f.Data = b.data[from:len(b.data):len(b.data)]
	b.frames = append(b.frames, *f)
	return len(b.frames) >= batchPackets || len(b.data) >= batchBytes
}

func (b *batch) clear() {
	b.frames, b.workers, b.data, b.failures = b.frames[:0], b.workers[:0], b.data[:0], b.failures[:0]
}

// A failure is an error of a file, behind so many frames of a batch.
type failure struct {
	behind int
	err    error
}

const (
	batchPackets = 1024
	batchBytes   = 256 << 10
	batches      = 4 // that are on their way
)

// A worker is an engine in a goroutine of its own, with what it finds.
type worker struct {
	*run
	number    uint8
	totals    *totals
	collector *collector // nil: there is no joiner
	full      chan *batch
	most      int // findings at once that fit
}

// newCrew makes the engines of a plan, each with its share of the memory.
func newCrew(d *dissection, p *plan) (*crew, error) {
	count := int(slices.Max(p.workers)) + 1
	c := &crew{plan: p, whose: p.parts.Asker(), to: d, empty: make(chan *batch, batches)}
	for range batches {
		c.empty <- &batch{data: make([]byte, 0, batchBytes)}
	}
	c.batch = <-c.empty
	if d.run.text != nil || d.statistics.numbers() {
		c.joiner = newJoiner(&c.full, d.run.text)
	}
	for n := range count {
		w, err := c.newWorker(n, count)
		if err != nil {
			return nil, err
		}
		c.workers = append(c.workers, w)
	}
	for _, w := range c.workers {
		c.ended.Go(func() { c.work(w) })
	}
	if c.joiner != nil {
		c.ended.Go(c.joiner.run)
	}
	return c, nil
}

// newWorker makes one of several.
func (c *crew) newWorker(n, count int) (*worker, error) {
	d := c.to
	o := d.run.options
	o.Memory = workerMemory(o.Memory, count)
	g := d.run.gate
	selection := *g.selection
	g.selection = &selection
	if g.display.schema != nil {
		var err error
		if g.display, err = newDisplay(newSchema(), d.decode.filter); err != nil {
			return nil, err
		}
	}
	w := &worker{
		run: newRun(o, g), number: uint8(n), totals: new(totals), full: make(chan *batch, batches),
		most: decode.MostAtOnce / count,
	}
	w.totals.Memory = d.totals.Memory
	w.add(w.totals)
	if len(d.run.values) > 0 {
		w.values = append(w.values, gatherer{w.totals})
	}
	if c.joiner != nil {
		w.collector = newCollector(func() *decode.Engine { return w.engine }, func() bool { return c.fits(w) })
		w.options.Begun = w.collector.begun
		c.joiner.add(w.collector)
	}
	if d.run.text != nil {
		out := newOutput(nil, 0)
		if err := d.text.add(w.run, out, g.display.schema, d.input.names, d.terminal); err != nil {
			return nil, err
		}
		w.collector.write(w.text)
		w.text = w.collector
	}
	w.begin(false)
	return w, nil
}

// fits reports whether an engine had to forget nothing: what it tells is not what one engine tells else.
func (c *crew) fits(w *worker) bool {
	if w.engine.Pressed() || w.engine.AtOnce() > w.most {
		c.full.Store(true)
		return false
	}
	return true
}

// work is the goroutine of a worker.
func (c *crew) work(w *worker) {
	for b := range w.full {
		w.take(b)
		c.fits(w)
		if b.users.Add(-1) == 0 {
			c.empty <- b
		}
		if w.collector != nil {
			w.collector.send(true)
		}
	}
	w.engine.Close()
	w.gate.display.release(nil, false, w.giveValue)
	c.fits(w)
	if w.collector != nil {
		w.collector.send(true)
		close(w.collector.full)
	}
}

// take takes a batch. What is wrong with files is found by the first.
func (w *worker) take(b *batch) {
	failures := b.failures
	for i := range len(b.frames) + 1 {
		for ; len(failures) > 0 && failures[0].behind == i; failures = failures[1:] {
			if w.number == 0 {
				reportCut(failures[0].err, w.engine.Find)
			}
		}
		switch {
		case i == len(b.frames):
		case b.workers[i] == w.number:
			w.gate.display.packet(b.frames[i].Time)
			w.engine.Frame(&b.frames[i])
		default:
			w.gate.display.packet(b.frames[i].Time)
			w.engine.Elsewhere(&b.frames[i])
		}
	}
}

// take takes a packet.
func (c *crew) take(p *capture.Packet) error {
	c.frame = frameOf(p)
	c.batch.workers = append(c.batch.workers, c.plan.workers[c.whose.Of(&c.frame)])
	if !c.batch.add(&c.frame) {
		return nil
	}
	c.send()
	if c.crowded() {
		return errCrowded
	}
	if c.joiner != nil && c.joiner.over.Load() {
		return errEnough
	}
	return nil
}

// fail takes an error of a file.
func (c *crew) fail(err error) {
	c.batch.failures = append(c.batch.failures, failure{len(c.batch.frames), err})
}

// send gives the batch to all workers, and waits for one that is empty.
func (c *crew) send() {
	c.batch.users.Store(int32(len(c.workers)))
	for _, w := range c.workers {
		w.full <- c.batch
	}
	c.batch = <-c.empty
	c.batch.clear()
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
	for n, w := range c.workers {
		counters := w.engine.Counters()
		all.Add(&counters)
		if c.joiner != nil {
			c.joiner.lanes[n].renumberAll(&w.totals.Stats)
		}
		c.to.totals.Merge(&w.totals.Stats)
		selection := c.to.run.gate.selection
		selection.failed = selection.failed || w.gate.selection.failed
	}
	return all
}

// renumberAll gives conversations that were counted their numbers in the capture.
func (l *lane) renumberAll(s *stats.Stats) {
	for k, c := range s.Conversations {
		c.Stream = int(l.numbers[k.Transport][c.Stream])
	}
}

// crowded reports whether an engine had to forget something.
func (c *crew) crowded() bool { return c.full.Load() }
