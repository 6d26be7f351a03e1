package decode

import (
	"fmt"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// tcpState is what a conversation over TCP has besides.
type tcpState struct {
	connection connection
	splitter   wire.Splitter // nil: not recognised
	lost       [2]bool       // by stream: where messages begin has to be found again
	search     [2]*search    // by stream: how far that got; nil: not begun
	given      *[2]given     // by stream: what Options.Raw has; nil: nothing
	gaps       [2]*gap       // by stream: a gap not reported yet
	mid        *wire.Place   // where a stream that began before the capture was met first
	packets    int64         // before it was recognised
	foreign    [2]bool       // by stream: no protocol's, as far as it goes
	begun      *[2]origin    // by stream: the packet in which a message that is not whole begins; nil: there was none
	behind     [2]bool       // by stream: it waits at a hole, and the tracker knows
}

// begin remembers the packet in which a message begins, if it has not.
func (t *tcpState) begin(i int, o *origin) {
	if t.begun == nil {
		t.begun = new([2]origin)
	}
	if t.begun[i].serial == 0 {
		t.begun[i] = *o
	}
}

// beginning is that packet, nil if there is none.
func (t *tcpState) beginning(i int) *origin {
	if t.begun == nil || t.begun[i].serial == 0 {
		return nil
	}
	return &t.begun[i]
}

// A gap is bytes that are missing, and those around it that were skipped.
type gap struct {
	place   wire.Place
	offset  int64 // in the stream
	missing int64
	skipped int64
	crowded bool // nothing is missing, but there was no room to wait for more
}

// given is how many of the bytes that a stream keeps Options.Raw has already.
type given struct {
	bytes int
	start int64 // of the stream, which may turn out to begin earlier
}

// undecided is how much of a stream may be looked at before it counts as foreign.
const undecided = 4 << 10

// tcp takes a TCP packet and reports whether it was one of ours.
func (e *Engine) tcp(p *packet) bool {
	seg := &e.segment
	if !parseSegment(p, seg) {
		return false
	}
	key, fromB := makeKey(wire.TCP, netip.AddrPortFrom(p.src, seg.srcPort), netip.AddrPortFrom(p.dst, seg.dstPort))
	c := e.flows.find(key)
	c.last = e.place.Time
	if c.tcp == nil {
		e.connect(c)
	}
	if !c.tcp.connection.add(&e.streams, fromB, seg) {
		e.closeConnection(c, replaced)
		e.flows.renew(c)
		e.connect(c)
		c.tcp.connection.add(&e.streams, fromB, seg)
	}
	if c.server == noEnd && seg.flags.has(flagSYN) {
		way := wire.ToServer // who opens a connection is the client
		if seg.flags.has(flagACK) {
			way = wire.FromServer
		}
		c.setServer(endIf(fromB), way)
	}
	e.carriage.Transport, e.carriage.Conversation, e.carriage.Second, e.carriage.At = wire.TCP, c.number, fromB, seg.at
	if c.protocol == nil {
		c.tcp.packets += int64(e.carriers)
		return false
	}
	e.carriage.Protocol = c.protocol.Protocol
	return true
}

func (e *Engine) connect(c *conversation) {
	c.tcp = &tcpState{}
	c.tcp.connection.conversation = c
}

func (e *Engine) closeConnection(c *conversation, why ending) {
	if e.ahead != nil {
		e.ahead.pass() // many may be closed in a row, and each may have something to tell
	}
	if c.tcp != nil {
		c.tcp.connection.close(&e.streams, why)
	}
}

// evict is called when the table of conversations needs room.
func (e *Engine) evict(c *conversation) { e.closeConnection(c, expired) }

// data implements receiver.
func (e *Engine) data(s *stream, b []byte) (used int) {
	c := s.connection.conversation
	if e.options.Raw == nil {
		return e.take(c, s, b)
	}
	if c.tcp.given == nil {
		c.tcp.given = new([2]given)
	}
	g := &c.tcp.given[s.index()]
	if g.start != s.start {
		g.bytes += max(int(g.start-s.start), 0) // they came too late for their place
		g.start = s.start
	}
	if g.bytes < len(b) {
		place := e.streamPlace(c, s, e.streams.last)
		e.raw(&place, c.direction(s.from()), b[g.bytes:])
		g.bytes = len(b)
	}
	used = e.take(c, s, b)
	g.bytes -= used
	return used
}

// take takes what a stream gives.
func (e *Engine) take(c *conversation, s *stream, b []byte) (used int) {
	if c.protocol != nil {
		return e.split(c, s, b, false)
	}
	i := s.index()
	if c.tcp.foreign[i] {
		return len(b)
	}
	switch v := e.recogniseStream(c, s, b); {
	case v == wire.Sure:
		// What the other side said before, and was kept, comes first.
		s.connection.streams[1-i].retry(&e.streams)
		return e.split(c, s, b, false)
	case v > wire.No && len(b) < undecided:
		return 0
	}
	// The other side may still make clear whose the connection is: a server tells those who
	// begin with something foreign what it speaks.
	c.tcp.foreign[i], c.tcp.lost[i] = true, true
	if c.tcp.foreign[1-i] {
		s.connection.ignore()
	}
	return len(b)
}

// cut cuts a stream's next bytes into messages and returns how many bytes they take.
func (e *Engine) split(c *conversation, s *stream, b []byte, ended bool) (used int) {
	i := s.index()
	way := c.direction(s.from())
	resumed := -1 // where messages were found again
	for used < len(b) {
		rest := b[used:]
		if c.tcp.lost[i] {
			if x := c.tcp.search[i]; x == nil || x.start != s.start {
				c.tcp.search[i] = &search{start: s.start}
			}
			skip, found := c.tcp.search[i].next(c.tcp.splitter, way, rest, ended)
			e.skipped(c, i, skip, found)
			used += skip
			if !found {
				return used
			}
			resumed = used
			continue
		}
		n := c.tcp.splitter.Next(way, rest, ended)
		switch {
		case n < 0 && resumed == used:
			e.skipped(c, i, 1, false) // a protocol that contradicts itself must not stop us here
			used++
			fallthrough
		case n < 0:
			c.tcp.lost[i], c.tcp.search[i] = true, nil
			continue
		case n == wire.NeedMore || n > len(rest):
			c.tcp.begin(i, e.streams.originOf(used))
			return used
		}
		if c.tcp.begun != nil {
			c.tcp.begun[i].serial = 0
		}
		o := e.streams.originOf(used + n - 1)
		if ended && c.tcp.splitter.Next(way, rest, false) == wire.NeedMore {
			o = e.streams.last // it is whole because the stream ended
		}
		e.streamMessage(c, s, rest[:n], s.given+int64(used), 0, o)
		used += n
	}
	return used
}

// originOf is the packet that completed a message whose last byte is byte i of what is given.
func (a *assembler) originOf(i int) *origin {
	if i < a.kept {
		return a.keptIn.origin(i)
	}
	return a.last
}

// A search looks for the place where a stream can be picked up: where two messages in a row are
// beyond doubt, since one alone may be chance. It looks at every byte once; places where the two
// are not whole yet it remembers, as many as it can.
type search struct {
	start      int64 // of the stream
	looked     int   // at so many of the bytes that are kept
	count      int
	candidates [maxCandidates]int
}

const (
	maxCandidates = 8
	maxAhead      = 64 << 10 // what may follow a candidate until the messages have to be whole
)

// next looks at more of a stream. skip is how far the place is, or how much can be given up for
// certain. With ended nothing follows.
func (x *search) next(cut wire.Splitter, way wire.Direction, b []byte, ended bool) (skip int, found bool) {
	old := x.candidates
	n := x.count
	x.count = 0
	for _, at := range old[:n] {
		if x.try(cut, way, b, at, ended) {
			return at, true
		}
	}
	for ; x.looked < len(b) && x.count < maxCandidates; x.looked++ {
		if x.try(cut, way, b, x.looked, ended) {
			return x.looked, true
		}
	}
	skip = x.looked
	if x.count > 0 {
		skip = x.candidates[0]
	}
	x.looked -= skip
	for i := range x.candidates[:x.count] {
		x.candidates[i] -= skip
	}
	return skip, false
}

// try reports whether two messages stand at a place, and remembers it if they may.
func (x *search) try(cut wire.Splitter, way wire.Direction, b []byte, at int, ended bool) bool {
	messages, broken := cut.Plausible(way, b[at:])
	if messages < 2 && !broken && !ended && len(b)-at <= maxAhead {
		x.candidates[x.count] = at
		x.count++
	}
	return messages >= 2
}

// streamMessage decodes and delivers one message, which begins at a position of the stream. missing
// bytes of its end are not captured.
func (e *Engine) streamMessage(c *conversation, s *stream, data []byte, at int64, missing int, o *origin) {
	e.checkOrder(c, s)
	place := &e.here
	e.putPlace(place, c, s, o)
	d := &e.rest
	*d = wire.Datagram{Src: place.Src, Dst: place.Dst, Payload: e.own(data), Missing: missing}
	l := e.layer(c.protocol)
	l.Core().Context = wire.Context{Direction: c.direction(s.from()), Dialect: e.options.Dialect, Missing: missing, IPv6: place.Src.Addr().Is6(), Transport: wire.TCP}
	e.at = at
	e.decode(c, s.from(), d, l)
}

// streamPlace tells where a packet of a stream is in the traffic.
func (e *Engine) streamPlace(c *conversation, s *stream, o *origin) (place wire.Place) {
	e.putPlace(&place, c, s, o)
	return place
}

// putPlace is streamPlace for a place that is there: it is large.
func (e *Engine) putPlace(p *wire.Place, c *conversation, s *stream, o *origin) {
	p.Frame, p.File, p.Time = o.frame, o.file, o.time
	p.Transport, p.Conversation = wire.TCP, c.number
	p.Src, p.Dst = e.ends.of(c, s.from())
	p.Protocol = nil
	if c.protocol != nil {
		p.Protocol = c.protocol.Protocol
	}
}

// end implements receiver.
func (e *Engine) end(s *stream, why ending, rest []byte) {
	c, i := s.connection.conversation, s.index()
	if c.protocol == nil {
		return
	}
	// What was kept while the protocol was not known may have whole messages in any case.
	all, lost := rest, c.tcp.lost[i]
	rest = rest[e.split(c, s, rest, why == finished || why == aborted):]
	if e.options.Partial != nil && len(all) > 0 && !lost && c.tcp.lost[i] {
		e.decodePartial(c, s, all, s.given, len(all)+1) // what is no message since it ends
	}
	if g := c.tcp.gaps[i]; g != nil {
		g.skipped += int64(len(rest))
	}
	e.reportGap(c, i)
	e.neverWhole(c, s, rest, s.given+int64(len(all)-len(rest)))
}

// conflict implements receiver.
func (e *Engine) conflict(s *stream, offset int64, n int) {
	c := s.connection.conversation
	if c.protocol == nil {
		return
	}
	place := e.streamPlace(c, s, e.streams.last)
	e.to.find(&wire.TrafficFinding{Place: place, Rule: RuleOverlap,
		Text: fmt.Sprintf("%s at offset %d of the stream differ from those that came first", wire.Counted(n, "byte"), offset)})
}

// midStream implements receiver.
func (e *Engine) midStream(s *stream) {
	c := s.connection.conversation
	if c.tcp.mid == nil && c.protocol == nil {
		place := e.streamPlace(c, s, e.streams.last)
		c.tcp.mid = &place
	}
	c.tcp.lost[s.index()] = true
}

// index is 0 for the stream from end a, 1 for that from end b.
func (s *stream) index() int { return int(s.from() - endA) }
