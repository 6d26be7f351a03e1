package decode

import (
	"fmt"

	"github.com/gamedissect/gamedissect/decode/tcp"
	"github.com/gamedissect/gamedissect/decode/wire"
)

func (x *streams) connect(c *conversation) *connection {
	n := &connection{conversation: c, shared: x}
	n.Receiver, n.Undecided = n, true
	x.conversations.connect(c, n)
	return n
}

func (c *connection) Data(s *tcp.Stream, b []byte) (used int) {
	if c.shared.options.Raw == nil {
		return c.take(s, b)
	}
	d := c.side(s)
	if d.raw == nil {
		d.raw = new(raw)
	}
	r := d.raw
	if r.start != s.Start() {
		r.bytes += max(int(r.start-s.Start()), 0) // earlier bytes arrived too late to be delivered in order
		r.start = s.Start()
	}
	if r.bytes < len(b) {
		place := c.place(s, c.shared.Latest())
		c.shared.raw(&place, c.way(s), b[r.bytes:])
		r.bytes = len(b)
	}
	used = c.take(s, b)
	r.bytes -= used
	return used
}

func (c *connection) take(s *tcp.Stream, b []byte) (used int) {
	if c.conversation.protocol != 0 {
		return c.split(s, b, false)
	}
	d := c.side(s)
	if d.speaks != maybeGame {
		c.skipped(s, len(b), false)
		return len(b)
	}
	src, dst := c.shared.conversations.path(&c.endpoints, sender(s))
	if p, way := c.shared.forced(wire.TCP, src, dst); p != nil && p.NewSplitter != nil {
		c.settle(s, p, way)
		return c.split(s, b, false)
	}
	if d.lost {
		used = c.pickUp(s, b, false)
		if c.conversation.protocol != 0 {
			return c.split(s, b, false)
		}
		return used
	}
	p, v := c.shared.recogniseStream(src, dst, b)
	switch {
	case p != nil:
		c.recognised(s, p, v.Direction)
		return c.split(s, b, false)
	case v.Confidence > wire.No && len(b) < undecided:
		return 0
	}
	d.speaks = speechOf(b)
	return c.giveUp(s, b)
}

func (c *connection) Gap(s *tcp.Stream, g tcp.Gap) {
	d := c.side(s)
	used := 0
	if c.conversation.protocol == 0 {
		used = c.endRow(s, g.Rest)
		if c.conversation.protocol != 0 {
			used = c.split(s, g.Rest, false)
		}
		g.Rest = g.Rest[used:]
	}
	d.search = nil
	if d.raw != nil {
		d.raw.bytes = 0
	}
	known := c.conversation.protocol != 0
	if known && !d.lost && g.CutOff && len(g.Rest) > 0 {
		// The snap length cut off the end of this message. Deliver its captured part.
		at := c.shared.Position() + int64(used)
		if size := c.progress(d, at).Next(c.splitter, c.way(s), g.Rest, false); size > len(g.Rest) {
			c.decodeMessage(s, g.Rest, at, size-len(g.Rest), c.shared.OriginOf(used+len(g.Rest)-1))
			g.Rest = nil
		}
	}
	c.reportGap(s)
	d.lost, d.why = true, reasonOf(g)
	if d.gap == nil { // otherwise the protocol is not recognised yet; later, one finding reports all gaps
		d.gap = &gap{packet: *c.shared.Latest(), offset: g.Offset, why: d.why, cutOff: true}
	}
	d.gap.missing += g.Missing
	d.gap.cutOff = d.gap.cutOff && g.CutOff
	d.gap.skipped += int64(len(g.Rest))
	if known {
		c.shared.skip(d.why, len(g.Rest))
		c.loseBytes(s)
	} else {
		c.pend(len(g.Rest))
	}
}

// reasonOf returns the reason why the bytes around a gap are not in a message.
func reasonOf(g tcp.Gap) Reason {
	switch {
	case g.Missing > 0:
		return AroundGap
	case g.Crowded:
		return LetGo
	}
	return TooLarge
}

func (c *connection) End(s *tcp.Stream, why tcp.Ending, rest []byte) {
	d := c.side(s)
	if c.conversation.protocol == 0 {
		c.endRow(s, rest)
	}
	if c.conversation.protocol == 0 {
		c.skipped(s, len(rest), false) // the other stream may still show the protocol
		return
	}
	if s.Alone() {
		c.reportOneWay(s)
	}
	// Bytes kept while the protocol was unknown may contain complete messages.
	all, lost := rest, d.lost
	rest = rest[c.split(s, rest, why == tcp.Finished || why == tcp.Aborted):]
	if c.shared.options.Partial != nil && len(all) > 0 && !lost && d.lost {
		c.decodePartial(s, all, c.shared.Position(), len(all)+1) // the stream ends within this message
	}
	if d.lost {
		c.skipped(s, len(rest), false)
	} else {
		c.shared.skip(Unfinished, len(rest))
	}
	if d.gap != nil && !d.lost {
		d.gap.skipped += int64(len(rest))
	}
	c.reportGap(s)
	c.reportMiddle(s)
	c.reportUnfinished(s, rest, c.shared.Position()+int64(len(all)-len(rest)))
	switch why {
	case tcp.Aborted, tcp.Replaced:
		c.reportLoss(s) // the last bytes that the side sent may be missing
		fallthrough
	case tcp.Finished:
		place := c.place(s, c.shared.Latest())
		c.shared.out.ended(c.protocol(), &place)
	default:
		if len(rest) > 0 && !d.lost {
			c.reportLoss(s) // the rest of a message is missing
		}
	}
}

func (c *connection) Conflict(s *tcp.Stream, offset int64, n int) {
	if c.conversation.protocol == 0 {
		return
	}
	text := fmt.Sprintf("%s at offset %d of the stream differ from those that came first", wire.Counted(n, "byte"), offset)
	place := c.place(s, c.shared.Latest())
	c.shared.out.finding(&wire.TrafficFinding{Place: place, Rule: RuleOverlap, Text: text})
}

func (c *connection) MidStream(s *tcp.Stream) {
	d := c.side(s)
	d.lost, d.why = true, BeforeFirst
	c.opening(s).mid = true
	if m := c.middle; m.stream == nil && c.conversation.protocol == 0 {
		m.first, m.stream = *c.shared.Latest(), s
	}
}

func (c *connection) Unread(s *tcp.Stream, why tcp.Unread, n int) {
	if c.conversation.protocol == 0 {
		c.pend(n)
		return
	}
	c.shared.skip(unreadReasons[why], n)
	if why == tcp.BehindEnd {
		c.loseBytes(s) // the receiver may have read these bytes
	}
}
