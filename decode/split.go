package decode

import (
	"slices"

	"github.com/gamedissect/gamedissect/decode/tcp"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// split splits the next bytes of a stream into messages. It returns the number of bytes used. ended means that there
// are no further bytes.
func (c *connection) split(s *tcp.Stream, b []byte, ended bool) (used int) {
	d, way := c.side(s), c.way(s)
	resumed := -1 // where the search last found a message
	for used < len(b) {
		rest := b[used:]
		if d.lost {
			at := c.shared.Position() + int64(used)
			found, kept := c.search(s, rest, at, ended)
			skip := int(kept - at)
			c.skipped(s, skip, found != nil)
			used += skip
			if found == nil {
				return used
			}
			resumed = used
			continue
		}
		at := c.shared.Position() + int64(used)
		p := c.progress(d, at)
		n, byEnd := p.Next(c.splitter, way, rest, false), false
		if ended && (n == wire.NeedMore || n > len(rest)) {
			n, byEnd = p.Next(c.splitter, way, rest, true), true
		}
		switch {
		case n < 0 && resumed == used:
			c.skipped(s, 1, false) // the splitter contradicts the search: skip a byte, so the loop ends
			used++
			fallthrough
		case n < 0:
			*p = wire.Progress{}
			c.loseStep(s, used, byEnd)
			continue
		case n == wire.NeedMore || n > len(rest):
			d.begin(c.shared.OriginOf(used), at, p)
			return used
		}
		if d.begun != nil {
			d.begun.Serial = 0
		}
		o := c.shared.OriginOf(used + n - 1)
		if byEnd {
			o = c.shared.Latest()
		}
		c.decodeMessage(s, rest[:n], at, 0, o)
		used += n
	}
	return used
}

// search looks for the next message of a lost stream, see search.next.
func (c *connection) search(s *tcp.Stream, b []byte, at int64, ended bool) (found *boundary, kept int64) {
	d := c.side(s)
	x := d.search
	if x == nil || x.start != s.Start() {
		x = &c.shared.search
		x.begin(s.Start())
	}
	found, kept = x.next(c.splitter, c.way(s), b, at, ended)
	if x != d.search && found == nil && at+int64(len(b))-kept > remembered {
		d.search = new(search)
		*d.search = *x
	}
	return found, kept
}

// decodeMessage decodes the message at a position of the stream. o is the origin of its last packet. missing is the
// number of bytes at its end that were not captured.
func (c *connection) decodeMessage(s *tcp.Stream, data []byte, at int64, missing int, o *tcp.Origin) {
	c.checkOrder(s, o)
	x := c.shared.decoder
	place, d := &x.place, &x.datagram // filled in place, since they are large
	c.putPlace(place, s, o)
	d.Src, d.Dst = place.Src, place.Dst
	d.Payload, d.Missing, d.Lane, d.Lossy = x.own(data), missing, place.Lane, place.Lossy
	l := x.layer(c.protocol())
	x.setContext(&l.Core().Context, c.conversation, sender(s), missing, place.Src.Addr().Is6(), wire.TCP)
	x.decode(c.conversation, sender(s), d, l, place, at)
	if other := s.Other(); c.side(other).behind {
		c.reportLoss(other) // the answer to this message may be among the bytes that wait
	}
	x.skip(NoMessage, len(data)-len(l.Core().Contents))
}

// loseStep marks the stream as lost at an offset of its current bytes, because no message begins there. If unfinished
// is set, the stream ended within a message.
func (c *connection) loseStep(s *tcp.Stream, at int, unfinished bool) {
	d := c.side(s)
	d.lost, d.search, d.why = true, nil, Unfinished
	if !unfinished {
		d.why = NoMessage
		d.gap = &gap{packet: *c.shared.OriginOf(at), offset: c.shared.Position() + int64(at) - s.Start(), why: NoMessage}
		c.loseBytes(s)
	}
}

// maxWaiting is the maximum number of connections that checkBeside compares with a datagram.
const maxWaiting = 64

func (x *streams) noteWaiting(c *connection) {
	waits := c.splitter != nil && (c.Stream(0).Waits() || c.Stream(1).Waits())
	if !waits && len(x.waiting) == 0 {
		return
	}
	switch i := slices.Index(x.waiting, c); {
	case i < 0 && waits && len(x.waiting) < maxWaiting:
		x.waiting = append(x.waiting, c)
	case i >= 0 && !waits:
		x.waiting = slices.Delete(x.waiting, i, i+1)
	}
}

// checkBeside is called for a datagram of a UDP conversation. If streams between the same hosts wait for missing bytes,
// it informs the tracker that messages older than the datagram may be missing.
func (x *streams) checkBeside(beside *conversation) {
	for _, c := range x.waiting {
		if c.hosts() == beside.hosts() {
			c.checkBehind()
		}
	}
}

// checkBehind informs the tracker that messages may be missing in the streams that wait for missing bytes.
func (c *connection) checkBehind() {
	for side := range c.sides {
		if s := c.Stream(side); !c.sides[side].behind && s.Waits() {
			c.sides[side].behind = true
			c.reportLoss(s)
		}
	}
}

// checkOrder informs the tracker that messages may be missing or out of order. It does so when a stream continues while
// the other stream waits for missing bytes, and again when the other stream has caught up. o is the origin of the
// current message's last packet.
func (c *connection) checkOrder(s *tcp.Stream, o *tcp.Origin) {
	other := s.Other()
	if d, waits := c.side(other), other.Waits(); waits != d.behind {
		d.behind = waits
		c.reportLoss(other)
	}
	if d := c.side(s); d.behind && !s.Waits() && o.Serial == c.shared.Latest().Serial {
		d.behind = false
		c.reportLoss(s)
	}
}

// reportLoss informs the tracker that messages of a stream may be missing.
func (c *connection) reportLoss(s *tcp.Stream) {
	c.noteLoss()
	place := c.place(s, c.shared.Latest())
	c.shared.out.lost(c.protocol(), &place)
}
