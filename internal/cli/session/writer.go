package session

import (
	"sync/atomic"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// A writer is the decode.Text of a run. It calls the sink that has Text, and flushes the sink's output. The zero value
// does nothing.
type writer struct {
	to     Sink
	out    *term.Output // output of the sink; nil: no sink has text
	single bool         // of copies, write only the findings
	apart  bool         // the sink is called in another goroutine than the one that reads packets
	over   atomic.Bool  // writing has failed
}

func (w *writer) Message(m *decode.Message) {
	switch {
	case w.out.Err != nil:
	case w.single && m.Copy:
		for i := range m.Findings {
			w.Finding(apart(m, i))
		}
	default:
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

// written flushes the output when the output's buffer is full.
func (w *writer) written() {
	if len(w.out.Buf) >= term.FlushAt {
		_ = w.out.Flush() // error kept in Err
	}
	if w.out.Err != nil {
		w.over.Store(true)
	}
}

// packet must be called after each packet. It reports whether writing still works.
func (w *writer) packet() bool {
	if w.out == nil || w.apart {
		return !w.over.Load()
	}
	w.out.Packet()
	return w.out.Err == nil
}
