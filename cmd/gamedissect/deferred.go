package main

import (
	"sync/atomic"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// deferred is a sink that has another one write in a goroutine of its own, while the next packets are
// decoded. The order stays.
type deferred struct {
	to     sink
	out    *output
	batch  *decode.Batch
	full   chan *decode.Batch // on their way to the goroutine
	empty  chan *decode.Batch // on their way back
	done   chan struct{}
	failed atomic.Bool // nobody takes the output any more
}

// batches is how many there are: one that is filled, one that is written, and one in between.
const batches = 3

func newDeferred(to sink, out *output, keep decode.Keep) *deferred {
	d := &deferred{to: to, out: out, full: make(chan *decode.Batch, batches), empty: make(chan *decode.Batch, batches), done: make(chan struct{})}
	for range batches {
		d.empty <- decode.NewBatch(keep)
	}
	d.batch = <-d.empty
	return d
}

// begin starts the goroutine. Nil has none.
func (d *deferred) begin() {
	if d != nil {
		go d.write()
	}
}

func (d *deferred) message(m *decode.Message) {
	d.batch.Message(m)
	d.pass()
}

func (d *deferred) finding(f *wire.TrafficFinding) {
	d.batch.Finding(f)
	d.pass()
}

// pass gives a full batch away.
func (d *deferred) pass() {
	if d.batch.Full() {
		d.full <- d.batch
		d.batch = <-d.empty
	}
}

// write is the goroutine.
func (d *deferred) write() {
	defer close(d.done)
	for b := range d.full {
		if !d.failed.Load() {
			b.Each(d.to.message, d.to.finding)
			d.out.packet()
			d.failed.Store(d.out.err != nil)
		}
		b.Reset()
		d.empty <- b
	}
}

// close waits until all is written. The output is then free for others.
func (d *deferred) close() {
	if d == nil {
		return
	}
	d.full <- d.batch
	close(d.full)
	<-d.done
}
