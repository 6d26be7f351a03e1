package session

import (
	"sync/atomic"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// A writer stands between a run and its text. The zero writer writes nothing.
type writer struct {
	to    TextSink
	out   *term.Output
	apart bool        // in another goroutine than that of the packets
	over  atomic.Bool // nobody takes the output any more
}

func (w *writer) Message(m *decode.Message) {
	if w.out.Err == nil {
		w.to.Message(m)
		w.written()
	}
}

func (w *writer) Finding(f *wire.TrafficFinding) {
	if w.out.Err == nil {
		w.to.Finding(f)
		w.written()
	}
}

// written writes what is there when it is much.
func (w *writer) written() {
	if len(w.out.Buf) >= term.FlushAt {
		_ = w.out.Flush() // kept in err
	}
	if w.out.Err != nil {
		w.over.Store(true)
	}
}

// packet is to be called after each packet. It reports whether somebody takes the text.
func (w *writer) packet() bool {
	if w.to == nil || w.apart {
		return !w.over.Load()
	}
	w.out.Packet()
	return w.out.Err == nil
}
