package decode

import (
	"math"
	"net/netip"
	"slices"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/tcp"
)

// candidates are what a stream that nobody has recognised, and of which the capture lacks the beginning, shows of the
// protocols that it may be of: messages in a row, wherever they stand.
type candidates struct {
	start int64 // of the stream, which may turn out to begin earlier
	list  []candidate
}

// A candidate is what a stream shows of one protocol.
type candidate struct {
	protocol *protocol
	way      wire.Direction
	known    bool // one of the ends is a server that spoke it before
	near     bool // so it is, or the ports speak for it

	search search
	row    boundary // messages in a row, if it is open
	open   bool
	before int // messages in rows that ended at a gap
	broken int // rows that ended in something else
}

const (
	// evidence is how many messages in rows it takes to recognise a protocol in the middle of a connection. One
	// less is enough where the server is known, and where no more can follow. Another game may
	// tell its messages apart in the same way, and have one like ours now and then; it will not have many.
	evidence = 4

	// undecidedRow is how much of a stream is looked at that has messages in a row.
	undecidedRow = 64 << 10

	candidateCost = int(unsafe.Sizeof(candidate{}))
)

// look looks at more of the stream, and gives the position from which on it is needed.
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

// messages is how many stand in rows. Of the last one the beginning may do.
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

// suffices reports whether so many messages are enough to recognise the protocol.
func (l *candidate) suffices(messages int, last bool) bool {
	if l.known || last {
		messages++
	}
	return messages >= evidence+l.broken
}

// turn gives the direction of a stream, whose bytes are there from a position on: where nothing else tells, that in
// which most of its messages go.
func (l *candidate) turn(b []byte, at int64) wire.Direction {
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

// renew makes candidates of the protocols that a stream may be of, or has those that are there take note of what is known by
// now.
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

// of gives what a stream shows of a protocol, nil if it is not of that.
func (x *candidates) of(p *protocol) *candidate {
	if x == nil {
		return nil
	}
	if i := slices.IndexFunc(x.list, func(l candidate) bool { return l.protocol == p }); i >= 0 {
		return &x.list[i]
	}
	return nil
}

// gap ends the rows: bytes are missing behind them.
func (x *candidates) gap() {
	if x == nil {
		return
	}
	for i := range x.list {
		l := &x.list[i]
		l.search, l.open, l.before = search{}, false, l.messages()
	}
}

// pickUp looks for messages in a stream of which the beginning is missing, and recognises the connection by them. It
// returns how many bytes nobody needs any more, none if it did. With last nothing follows but missing bytes.
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
		c.recognised(s, l.protocol, l.turn(b, at))
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

// endRow looks at what a stream kept for the last time, since it ends or bytes are missing behind. It returns how many
// bytes were used.
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

// passed is how many bytes of a stream were skipped since it was met in the middle, or lacks some.
func (c *connection) passed(s *tcp.Stream) (bytes int64) {
	if g := c.side(s).gap; g != nil {
		bytes = g.skipped
	}
	return bytes + c.opening(s).skipped
}

// candidates gives those of a stream, new ones if there are none.
func (c *connection) candidates(s *tcp.Stream) *candidates {
	if x := c.opening(s).candidates; x != nil && x.start == s.Start() {
		return x
	}
	x := &c.shared.candidates
	x.start, x.list = s.Start(), x.list[:0]
	return x
}

// strongest gives the candidate by which a protocol is recognised, in what both sides say: more messages than of any other
// protocol. Where several have the same, the one that is near is taken when it has to be decided.
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

// keepCandidates remembers candidates of a stream.
func (c *connection) keepCandidates(s *tcp.Stream, x *candidates) {
	if o := c.opening(s); o.candidates != x {
		c.dropCandidates(s)
		o.candidates = &candidates{x.start, slices.Clone(x.list)}
		c.shared.conversations.budget.Spend(candidateCost * len(x.list))
	}
}

// dropCandidates forgets them.
func (c *connection) dropCandidates(s *tcp.Stream) {
	if c.middle != nil && c.opening(s).candidates != nil {
		o := c.opening(s)
		c.shared.conversations.budget.Spend(-candidateCost * len(o.candidates.list))
		o.candidates = nil
	}
}
