package decode

import (
	"math"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// protocol is a protocol with what the engine needs to read its messages.
type protocol struct {
	*wire.Protocol
	layer   wire.Layer
	session wire.Session
	index   int  // among the engine's
	holds   bool // its layers may hold more than their message, see wire.Holder
	watch
}

// newProtocols prepares protocols.
func newProtocols(list []*wire.Protocol, memory *bounded.Budget) (all []*protocol) {
	for i, w := range list {
		p := &protocol{Protocol: w, layer: w.New(), index: i}
		_, p.holds = p.layer.(wire.Holder)
		if w.NewSession != nil {
			p.session = w.NewSession(memory)
		}
		all = append(all, p)
	}
	return all
}

// expects reports whether the protocol has heard of a server.
func (p *protocol) expects(a netip.AddrPort) bool {
	x, ok := p.session.(wire.Expecter)
	return ok && x.Expects(a)
}

// A watch is a protocol's tracker and what time it knows of.
type watch struct {
	tracker  wire.Tracker // nil: there is none
	reporter wire.Reporter
	begun    bool
	told     int64 // how late it is
	due      int64 // when it wants to be told
}

// begin makes the tracker of a protocol that has one.
func (w *watch) begin(p *wire.Protocol, r wire.Reporter) {
	w.due = math.MinInt64
	if p.NewTracker != nil {
		w.reporter = r
		w.tracker = p.NewTracker(&w.reporter)
	}
}

// tell tells the tracker how late it is, if it does not know.
func (w *watch) tell(now int64) {
	if !w.begun || w.told != now {
		w.begun, w.told = true, now
		w.tracker.Time(now)
	}
}
