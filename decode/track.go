package decode

import (
	"math"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// A watch is a protocol's tracker and what time it knows of.
type watch struct {
	tracker wire.Tracker // nil: there is none
	begun   bool
	told    int64 // how late it is
	due     int64 // when it wants to be told
}

// tick moves the clock on and wakes trackers that wait for it. Packets may be older than those before
// them; time does not go back.
func (e *Engine) tick(now int64) {
	if now <= e.now && e.counters.Packets > 1 {
		return
	}
	e.now = now
	if now < e.due {
		return
	}
	e.due = math.MaxInt64
	for _, p := range e.protocols {
		if p.tracker == nil {
			continue
		}
		if p.due <= now {
			p.tell(now)
			p.due = p.tracker.Next()
		}
		e.due = min(e.due, p.due)
	}
}

// tell tells the tracker how late it is, if it does not know.
func (w *watch) tell(now int64) {
	if !w.begun || w.told != now {
		w.begun, w.told = true, now
		w.tracker.Time(now)
	}
}

// track shows the tracker the message that the layer holds.
func (e *Engine) track(p *protocol, place *Place) {
	if p.tracker == nil {
		return
	}
	p.tell(e.now)
	p.tracker.Message(p.layer, place)
	e.await(p)
}

// trackLoss tells the tracker that bytes of a stream are missing.
func (e *Engine) trackLoss(p *protocol, place *Place) {
	if p.tracker == nil {
		return
	}
	p.tell(e.now)
	p.tracker.Lost(place)
	e.await(p)
}

// await notes when the tracker wants to be told of the time.
func (e *Engine) await(p *protocol) {
	p.due = p.tracker.Next()
	e.due = min(e.due, p.due)
}
