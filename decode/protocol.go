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
	layer    wire.Layer
	session  wire.Session
	splitter wire.Splitter // to be asked what is plausible, in any stream; nil: it is not spoken over TCP
	index    int           // among the engine's
	holds    bool          // its layers may hold more than their message, see wire.Holder
	watch
}

// A protocolList has those of an engine. Conversations name theirs by a small number.
type protocolList []*protocol

// maxProtocols is how many an engine has.
const maxProtocols = 255

// of gives the protocol of a conversation, nil if it is not recognised.
func (l protocolList) of(c *conversation) *protocol { return l.named(c.protocol) }

// named gives the protocol of such a number, nil for 0.
func (l protocolList) named(number uint8) *protocol {
	if number == 0 {
		return nil
	}
	return l[number-1]
}

// settle says which protocol a conversation speaks.
func (p *protocol) settle(c *conversation) { c.protocol = uint8(p.index + 1) }

// newProtocols prepares protocols.
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
