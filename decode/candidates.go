package decode

import (
	"math"
	"net/netip"
	"slices"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/tcp"
)

// candidates are the protocols that a stream may speak whose beginning is not in the capture. Messages in a row,
// anywhere in the stream, speak for a protocol.
type candidates struct {
	start int64 // of the stream; it falls when earlier bytes arrive
	list  []candidate
}

// A candidate is a protocol with the messages of it that were found in a stream.
type candidate struct {
	protocol *protocol
	way      wire.Direction
	known    bool // one of the ends is a server that spoke it before
	near     bool // known, or one of the ports is the protocol's

	search search
	row    boundary // messages in a row, if open
	open   bool
	before int // messages in rows that ended at a gap
	broken int // rows that ended in anything else
}

const (
	// evidence is how many messages in rows it takes to recognise a protocol in the middle of a connection. One less
	// is enough if the server is known, or if no more can follow. Another game may frame its messages in the same way
	// and have some that look like ours, but not many in a row.
	evidence = 4

	// undecidedRow is undecided for a stream that has messages in a row.
	undecidedRow = 64 << 10

	candidateCost = int(unsafe.Sizeof(candidate{}))
)

// look looks at more of the stream: b, which begins at position at. It gives the first position that it still needs.
func (l *candidate) look(b []byte, at int64) (kept int64) {
	for {
		if !l.open {
			found, kept := l.search.next(l.protocol.splitter, l.way, b, at, false)
			if found == nil {
				return kept
			}
			l.row, l.open = *found, true
		}
		if alive, _ := l.row.follow(l.protocol.splitter, l.way, b, at, math.MaxInt); alive {
			return l.row.at
		}
		l.search, l.open, l.before = search{looked: l.row.next}, false, 0
		l.broken++
	}
}

// messages is how many messages stand in rows. The last may be unfinished.
func (l *candidate) messages() (n int) {
	if l == nil {
		return 0
	}
	n = l.before
	if l.open {
		n += l.row.whole
		if l.row.begun {
			n++
		}
	}
	return n
}

// suffices reports whether so many messages are enough to recognise the protocol. With last, no more can follow.
func (l *candidate) suffices(messages int, last bool) bool {
	if l.known || last {
		messages++
	}
	return messages >= evidence+l.broken
}

// direction gives the direction of a stream whose bytes b begin at position at. If ports and servers do not tell it, it
// is the direction in which more of the messages are plausible.
func (l *candidate) direction(b []byte, at int64) wire.Direction {
	if l.way != wire.Unknown || !l.open {
		return l.way
	}
	rest := b[l.row.at-at:]
	to, _ := wire.CountPlausible(l.protocol.splitter, wire.ToServer, rest)
	from, _ := wire.CountPlausible(l.protocol.splitter, wire.FromServer, rest)
	switch {
	case to > from:
		return wire.ToServer
	case from > to:
		return wire.FromServer
	}
	return wire.Unknown
}

// renew makes the candidates of a stream, or updates them with what is known by now of its ends.
func (x *candidates) renew(r *recogniser, src, dst netip.AddrPort, way wire.Direction) {
	d := &wire.Datagram{Src: src, Dst: dst}
	speak, fresh := r.known(d), len(x.list) == 0
	for _, p := range r.protocols {
		probe := p.probe(p.TCP, d, speak)
		if fresh && p.ProbeStream != nil && p.ProbeStream(&probe).Confidence > wire.No {
			x.list = append(x.list, candidate{protocol: p})
		}
		if l := x.of(p); l != nil {
			l.known, l.near, l.way = probe.Known, probe.OnPort() || probe.Known, way
			if way == wire.Unknown {
				l.way = probe.PortDirection()
			}
		}
	}
}

// of gives the candidate of a protocol, nil if there is none.
func (x *candidates) of(p *protocol) *candidate {
	if x == nil {
		return nil
	}
	if i := slices.IndexFunc(x.list, func(l candidate) bool { return l.protocol == p }); i >= 0 {
		return &x.list[i]
	}
	return nil
}

// gap ends the rows: bytes are missing here.
func (x *candidates) gap() {
	if x == nil {
		return
	}
	for i := range x.list {
		l := &x.list[i]
		l.search, l.open, l.before = search{}, false, l.messages()
	}
}

// pickUp looks for messages in a stream whose beginning is missing, to recognise the connection by them. It returns how
// many bytes are needed no longer: 0 if the connection is recognised. With last, b ends the stream or a gap follows.
func (c *connection) pickUp(s *tcp.Stream, b []byte, last bool) (used int) {
	src, dst := c.shared.ends.of(&c.endpoints, sender(s))
	o := c.opening(s)
	wait := false
	if !o.past {
		p, v := c.shared.recogniseStream(src, dst, b)
		if p != nil {
			// The message it was recognised by begins here, unless that is the middle of another.
			c.side(s).lost = new(wire.Progress).Plausible(p.splitter, v.Direction, b) < 0
			c.recognised(s, p, v.Direction)
			return 0
		}
		wait = v.Confidence > wire.No && len(b) < undecided
		o.past = !wait
	}
	x := c.candidates(s)
	x.renew(c.shared.recogniser, src, dst, c.way(s))
	at := c.shared.Position()
	end := at + int64(len(b))
	kept, most := end, int64(undecided)
	for i := range x.list {
		kept = min(kept, x.list[i].look(b, at))
		if x.list[i].open {
			most = undecidedRow
		}
	}
	over := int64(len(b))+c.passed(s) > most
	if l := c.strongest(s, x, last, last || over); l != nil {
		c.recognised(s, l.protocol, l.direction(b, at))
		return 0
	}
	if over {
		return c.giveUp(s, b)
	}
	if wait {
		kept = at
	}
	if most > undecided || end-kept > remembered {
		c.keepCandidates(s, x)
	}
	c.skipped(s, int(kept-at), false)
	return int(kept - at)
}

// endRow looks for the last time at the bytes that a stream kept: the stream ends, or bytes are missing behind them. It
// returns how many it used.
func (c *connection) endRow(s *tcp.Stream, rest []byte) (used int) {
	if d := c.side(s); d.foreign || !d.lost {
		return 0
	}
	if len(rest) > 0 {
		used = c.pickUp(s, rest, true)
	}
	if c.conversation.protocol == 0 {
		c.opening(s).past = false
		c.opening(s).candidates.gap()
	}
	return used
}

// passed is how many bytes of a stream were skipped since its beginning or its last gap.
func (c *connection) passed(s *tcp.Stream) (bytes int64) {
	if g := c.side(s).gap; g != nil {
		bytes = g.skipped
	}
	return bytes + c.opening(s).skipped
}

// candidates gives the candidates of a stream, new ones if there are none.
func (c *connection) candidates(s *tcp.Stream) *candidates {
	if x := c.opening(s).candidates; x != nil && x.start == s.Start() {
		return x
	}
	x := &c.shared.candidates
	x.start, x.list = s.Start(), x.list[:0]
	return x
}

// strongest gives the candidate with the most messages in both streams, nil if they do not suffice. Of several with as
// many it gives the one that is near, but only with decide, and otherwise none.
func (c *connection) strongest(s *tcp.Stream, x *candidates, last, decide bool) (best *candidate) {
	most, same := 0, false
	for i := range x.list {
		l := &x.list[i]
		n := l.messages() + c.opening(s.Other()).candidates.of(l.protocol).messages()
		if n == 0 || n < most {
			continue
		}
		same = n == most
		if n > most || l.near && !best.near {
			best, most = l, n
		}
	}
	if best == nil || !best.suffices(most, last) || same && !(decide && best.near) {
		return nil
	}
	return best
}

// keepCandidates stores the candidates of a stream.
func (c *connection) keepCandidates(s *tcp.Stream, x *candidates) {
	if o := c.opening(s); o.candidates != x {
		c.dropCandidates(s)
		o.candidates = &candidates{x.start, slices.Clone(x.list)}
		c.shared.conversations.budget.Spend(candidateCost * len(x.list))
	}
}

// dropCandidates forgets the candidates of a stream.
func (c *connection) dropCandidates(s *tcp.Stream) {
	if c.middle != nil && c.opening(s).candidates != nil {
		o := c.opening(s)
		c.shared.conversations.budget.Spend(-candidateCost * len(o.candidates.list))
		o.candidates = nil
	}
}
