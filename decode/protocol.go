package decode

import (
	"math"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// protocol is a wire.Protocol with the engine's state for it.
type protocol struct {
	*wire.Protocol
	layer    wire.Layer
	session  wire.Session
	splitter wire.Splitter // for a search in any stream; nil if the protocol does not use TCP
	index    int           // index in the protocolList
	holds    bool          // the protocol's layers implement wire.Holder
	watch
}

// A protocolList contains the protocols of an engine.
type protocolList []*protocol

// maxProtocols is the maximum number of protocols. A conversation stores the number of its protocol, which is the index
// + 1, in a uint8.
const maxProtocols = 255

func (l protocolList) of(c *conversation) *protocol { return l.named(c.protocol) }

// named returns the protocol with a number, or nil for 0.
func (l protocolList) named(number uint8) *protocol {
	if number == 0 {
		return nil
	}
	return l[number-1]
}

func (p *protocol) settle(c *conversation) { c.protocol = uint8(p.index + 1) }

func newProtocols(list []*wire.Protocol, memory *bounded.Budget) (all protocolList) {
	for i, w := range list[:min(len(list), maxProtocols)] {
		p := &protocol{Protocol: w, layer: w.New(), index: i}
		_, p.holds = p.layer.(wire.Holder)
		if w.NewSplitter != nil {
			p.splitter = w.NewSplitter()
		}
		if w.NewSession != nil {
			p.session = w.NewSession(memory)
		}
		all = append(all, p)
	}
	return all
}

// expects reports whether a message announced that an endpoint is a server of the protocol, see wire.Expecter.
func (p *protocol) expects(a netip.AddrPort) bool {
	x, ok := p.session.(wire.Expecter)
	return ok && x.Expects(a)
}

// A watch is the tracker of a protocol, and the times at which it is called.
type watch struct {
	tracker  wire.Tracker // may be nil
	relay    wire.Relay   // the tracker if it is a wire.Relay, or nil
	reporter wire.Reporter
	begun    bool
	now      int64 // the time last passed to the tracker
	due      int64 // the time at which the tracker must be called next
}

func (w *watch) begin(p *wire.Protocol, r wire.Reporter) {
	w.due = math.MinInt64
	if p.NewTracker != nil {
		w.reporter = r
		w.tracker = p.NewTracker(&w.reporter)
		w.relay, _ = w.tracker.(wire.Relay)
	}
}

// advance passes the time to the tracker if the time has changed.
func (w *watch) advance(now int64) {
	if !w.begun || w.now != now {
		w.begun, w.now = true, now
		w.tracker.Time(now)
	}
}
