package main

import (
	"sync/atomic"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// A writer stands between a run and its text.
type writer interface {
	sink
	packet() bool // to be called after each packet; reports whether somebody takes the text
	close()       // ends the writing; the output is then free for others
}

// newWriter makes a writer, with a goroutine if that is worth it.
func newWriter(to textSink, apart bool) writer {
	out, keep := to.text()
	if apart && keep != (decode.Keep{}) {
		return newDeferred(to, out, keep)
	}
	return &direct{to, out}
}

// noWriter is the writer of a run without text.
type noWriter struct{}

func (noWriter) message(*decode.Message)      {}
func (noWriter) finding(*wire.TrafficFinding) {}
func (noWriter) packet() bool                 { return true }
func (noWriter) close()                       {}

// direct writes at once.
type direct struct {
	sink
	out *output
}

func (d *direct) packet() bool {
	d.out.packet()
	return d.out.err == nil
}

func (*direct) close() {}

// deferred writes in a goroutine of its own, while the next packets are decoded. The order stays.
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
	d := &deferred{
		to: to, out: out,
		full: make(chan *decode.Batch, batches), empty: make(chan *decode.Batch, batches), done: make(chan struct{}),
	}
	for range batches {
		d.empty <- decode.NewBatch(keep)
	}
	d.batch = <-d.empty
	go d.write()
	return d
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

func (d *deferred) packet() bool { return !d.failed.Load() }

func (d *deferred) close() {
	d.full <- d.batch
	close(d.full)
	<-d.done
}
