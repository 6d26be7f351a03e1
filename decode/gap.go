package decode

import (
	"fmt"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/tcp"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// skipped counts skipped bytes. found means that a message follows. The stream is then in step again, see connection,
// and its gap is reported.
func (c *connection) skipped(s *tcp.Stream, n int, found bool) {
	d := c.side(s)
	known, mid := c.conversation.protocol != 0, d.gap == nil && c.isMid(s)
	switch {
	case known:
		c.shared.skip(d.why, n)
	case !mid: // settle counts the bytes of a stream that began before the capture
		c.pend(n)
	}
	switch {
	case d.gap != nil:
		d.gap.skipped += int64(n)
	case mid:
		c.opening(s).skipped += int64(n)
	}
	if found {
		d.lost, d.search = false, nil
		c.reportGap(s)
		c.reportMiddle(s)
	}
}

// isMid reports whether a stream began before the capture and its first message has not been found yet.
func (c *connection) isMid(s *tcp.Stream) bool { return c.middle != nil && c.opening(s).mid }

// reportMiddle reports that the connection began before the capture. It is called when the first message of a stream is
// found or the stream ends. It reports the stream that was captured first. If bytes before the first message of the
// other stream were skipped, it reports that stream too.
func (c *connection) reportMiddle(s *tcp.Stream) {
	if !c.isMid(s) {
		return
	}
	m, o := c.middle, c.opening(s)
	o.mid = false
	text, at := "the connection is older than the capture", c.shared.Latest()
	switch {
	case m.second:
		text = "the capture lacks the SYN of this connection, and has an earlier one of the same ports"
	case c.shared.conversations.forgot:
		text += ", or was silent for so long that it was forgotten"
	}
	if o.skipped > 0 {
		text += fmt.Sprintf(", %s in front of its first message skipped", wire.Counted(int(o.skipped), "byte"))
	}
	if m.stream == s {
		at = &m.first
	}
	if m.stream == s || o.skipped > 0 {
		c.shared.out.finding(&wire.TrafficFinding{Place: c.place(s, at), Rule: RuleMidStream, Text: text})
	}
	if !c.isMid(s.Other()) && !m.second {
		c.middle = nil
	}
}

// reportOneWay reports that the capture has only one direction of a connection.
func (c *connection) reportOneWay(s *tcp.Stream) {
	place := c.place(s, c.shared.Latest())
	text := fmt.Sprintf("one direction only: nothing that %s sends is in the capture", place.Dst)
	c.shared.out.finding(&wire.TrafficFinding{Place: place, Rule: RuleOneWay, Text: text})
}

func (c *connection) reportGap(s *tcp.Stream) {
	d := c.side(s)
	g := d.gap
	if g == nil || c.protocol() == nil {
		return
	}
	d.gap = nil
	if g.missing > 0 && !g.cutOff {
		c.shared.counters.Gaps++
		c.shared.counters.Missing += g.missing
	}
	rule := RuleGap
	text := fmt.Sprintf("%s missing at offset %d of the stream", wire.Counted(int(g.missing), "byte"), g.offset)
	if g.cutOff {
		text += ", cut off by the snap length"
	}
	skipped := wire.Counted(int(g.skipped), "byte") + " skipped"
	switch {
	case g.missing == 0 && g.why == NoMessage:
		text, rule = fmt.Sprintf("%s at offset %d of the stream: no message begins there", skipped, g.offset), RuleUnread
	case g.missing == 0 && g.why == LetGo:
		text = fmt.Sprintf("part of a message dropped before offset %d of the stream, %s: "+
			"too many bytes wait in other connections", g.offset, skipped)
	case g.missing == 0:
		text = fmt.Sprintf("a message too large to be joined before offset %d of the stream, %s", g.offset, skipped)
	case g.skipped > 0:
		text += fmt.Sprintf(", %s around them skipped", wire.Counted(int(g.skipped), "byte"))
	}
	c.shared.out.finding(&wire.TrafficFinding{Place: c.place(s, &g.packet), Rule: rule, Text: text})
}

// loseBytes informs the splitter, the session and the tracker that bytes of a stream are missing.
func (c *connection) loseBytes(s *tcp.Stream) {
	c.splitter.Lost(c.way(s))
	c.noteLoss()
	place := c.place(s, c.shared.Latest())
	if f, ok := c.protocol().session.(wire.Forgetter); ok {
		f.Lost(place.Src, place.Dst)
	}
	c.shared.out.lost(c.protocol(), &place)
}

// reportUnfinished reports the findings about a message that never became complete, because they may be the reason why
// the receiver closed the connection. rest is the captured part of the message, and at is its position in the stream.
func (c *connection) reportUnfinished(s *tcp.Stream, rest []byte, at int64) {
	d := c.side(s)
	if d.lost || len(rest) == 0 || d.beginning() == nil {
		return
	}
	size := c.progress(d, at).Next(c.splitter, c.way(s), rest, false)
	unknown := size == wire.NeedMore
	if size <= len(rest) && (!unknown || c.shared.options.Partial == nil) {
		return
	}
	place := c.decodePartial(s, rest, at, max(size, len(rest)+1))
	if unknown {
		return
	}
	for _, f := range c.protocol().layer.Core().Findings() {
		c.shared.out.finding(&wire.TrafficFinding{Place: *place, Rule: f.Rule, Text: f.Text})
	}
}

// decodePartial decodes the first bytes of a message, passes the message to Options.Partial, and returns its place.
func (c *connection) decodePartial(s *tcp.Stream, rest []byte, at int64, size int) *wire.Place {
	x := c.shared.decoder
	o := c.side(s).beginning()
	if o == nil {
		o = c.shared.Latest()
	}
	place, d, layer := &x.place, &x.datagram, c.protocol().layer
	c.putPlace(place, s, o)
	*d = wire.Datagram{Src: place.Src, Dst: place.Dst, Payload: rest, Missing: size - len(rest), Lane: place.Lane,
		Memo: &c.memo}
	x.setContext(&layer.Core().Context, c.conversation, sender(s), d.Missing, place.Src.Addr().Is6(), wire.TCP)
	if session := c.protocol().session; session != nil {
		session.Before(layer, d)
	}
	_ = layer.DecodeFromBytes(rest, gopacket.NilDecodeFeedback) // it is already known that the message ends too early
	if x.options.Partial != nil {
		x.dispatcher.partial(layer, place, at)
	}
	return place
}
