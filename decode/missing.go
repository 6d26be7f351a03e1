package decode

import (
	"fmt"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// skipped counts the bytes skipped behind a gap and reports it when messages are found again.
func (e *Engine) skipped(c *conversation, i, n int, found bool) {
	if g := c.tcp.gaps[i]; g != nil {
		g.skipped += int64(n)
	}
	if found {
		c.tcp.lost[i], c.tcp.search[i] = false, nil
		e.reportGap(c, i)
	}
}

// reportGap reports what is missing of a stream, once it is clear how much.
func (e *Engine) reportGap(c *conversation, i int) {
	g := c.tcp.gaps[i]
	if g == nil || c.protocol == nil {
		return
	}
	c.tcp.gaps[i] = nil
	g.place.Protocol = c.protocol.Protocol
	text := fmt.Sprintf("%s missing at offset %d of the stream", wire.Counted(int(g.missing), "byte"), g.offset)
	switch {
	case g.missing == 0 && g.crowded:
		text = fmt.Sprintf("part of a message let go before offset %d of the stream, %s skipped: too much waits in other connections", g.offset, wire.Counted(int(g.skipped), "byte"))
	case g.missing == 0:
		text = fmt.Sprintf("a message too large to be joined before offset %d of the stream, %s skipped", g.offset, wire.Counted(int(g.skipped), "byte"))
	case g.skipped > 0:
		text += fmt.Sprintf(", %s around them skipped", wire.Counted(int(g.skipped), "byte"))
	}
	e.to.find(&wire.TrafficFinding{Place: g.place, Rule: RuleGap, Text: text})
}

// gap implements receiver.
func (e *Engine) gap(s *stream, n int64, rest []byte) {
	c, i := s.connection.conversation, s.index()
	c.tcp.search[i] = nil
	if c.tcp.given != nil {
		c.tcp.given[i].bytes = 0
	}
	known := c.protocol != nil
	cut := n > 0 && s.sent > s.next-n // by the snap length
	if known && !c.tcp.lost[i] && cut && len(rest) > 0 {
		// The snap length cut a message: what there is of it can be shown.
		if size := c.tcp.splitter.Next(c.direction(s.from()), rest, false); size > len(rest) {
			e.streamMessage(c, s, rest, s.given, size-len(rest), e.streams.originOf(len(rest)-1))
			rest = nil
		}
	}
	e.reportGap(c, i)
	if g := c.tcp.gaps[i]; g != nil { // not recognised yet: one report for all that is missing
		g.missing += n
		g.skipped += int64(len(rest))
	} else {
		c.tcp.gaps[i] = &gap{place: e.streamPlace(c, s, e.streams.last), offset: s.offset(s.next) - n, missing: n, skipped: int64(len(rest)), crowded: e.streams.bytes > maxStreamBytes}
	}
	c.tcp.lost[i] = true
	if known {
		c.tcp.splitter.Lost(c.direction(s.from()))
		e.lost(c, s)
	}
}

// lost tells those who remember what was said that some of it is missing.
func (e *Engine) lost(c *conversation, s *stream) {
	place := e.streamPlace(c, s, e.streams.last)
	if f, ok := c.protocol.session.(wire.Forgetter); ok {
		f.Lost(place.Src, place.Dst)
	}
	e.to.lost(c.protocol, &place)
}

// neverWhole reports what the beginning of a message shows to be wrong that never became whole: a
// receiver may have closed the connection because of it.
func (e *Engine) neverWhole(c *conversation, s *stream, rest []byte, at int64) {
	i, way := s.index(), c.direction(s.from())
	if c.tcp.lost[i] || len(rest) == 0 || c.tcp.beginning(i) == nil {
		return
	}
	size := c.tcp.splitter.Next(way, rest, false)
	unknown := size == wire.NeedMore
	if size <= len(rest) && (!unknown || e.options.Partial == nil) {
		return
	}
	e.decodePartial(c, s, rest, at, max(size, len(rest)+1))
	if unknown {
		return
	}
	for _, f := range c.protocol.layer.Core().Findings() {
		e.to.find(&wire.TrafficFinding{Place: e.here, Rule: f.Rule, Text: f.Text})
	}
}

// decodePartial decodes the beginning of a message that has a size, and delivers it to those who want
// it. The place of the message at hand is its own then.
func (e *Engine) decodePartial(c *conversation, s *stream, rest []byte, at int64, size int) {
	o := c.tcp.beginning(s.index())
	if o == nil {
		o = e.streams.last
	}
	place := &e.here
	e.putPlace(place, c, s, o)
	layer := c.protocol.layer
	d := &e.rest
	*d = wire.Datagram{Src: place.Src, Dst: place.Dst, Payload: rest, Missing: size - len(rest)}
	layer.Core().Context = wire.Context{Direction: c.direction(s.from()), Dialect: e.options.Dialect, Missing: size - len(rest), IPv6: place.Src.Addr().Is6(), Transport: wire.TCP}
	if c.protocol.session != nil {
		c.protocol.session.Before(layer, d)
	}
	_ = layer.DecodeFromBytes(rest, gopacket.NilDecodeFeedback) // that it ends too early is known
	if e.options.Partial != nil {
		e.judge.partial(layer, place, at)
	}
}

// checkOrder tells the tracker when one side of a connection goes on while the other waits at a hole:
// what that one says may be older than what is told of it later, or be missing altogether.
func (e *Engine) checkOrder(c *conversation, s *stream) {
	i := s.index()
	other := &c.tcp.connection.streams[1-i]
	waits := other.hole() != nil
	if waits && !c.tcp.behind[1-i] {
		place := e.streamPlace(c, other, e.streams.last)
		e.to.lost(c.protocol, &place)
	}
	c.tcp.behind[1-i] = waits
}
