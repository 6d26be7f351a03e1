package main

import (
	"sync/atomic"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// A writer stands between a run and its text. The zero writer writes nothing.
type writer struct {
	to    textSink
	out   *output
	apart bool        // in another goroutine than that of the packets
	over  atomic.Bool // nobody takes the output any more
}

func (w *writer) message(m *decode.Message) {
	if w.out.err == nil {
		w.to.message(m)
		w.written()
	}
}

func (w *writer) finding(f *wire.TrafficFinding) {
	if w.out.err == nil {
		w.to.finding(f)
		w.written()
	}
}

// written writes what is there when it is much.
func (w *writer) written() {
	if len(w.out.buf) >= flushAt {
		_ = w.out.flush() // kept in err
	}
	if w.out.err != nil {
		w.over.Store(true)
	}
}

// packet is to be called after each packet. It reports whether somebody takes the text.
func (w *writer) packet() bool {
	if w.to == nil || w.apart {
		return !w.over.Load()
	}
	w.out.packet()
	return w.out.err == nil
}
