package decode

import (
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/tcp"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// Bits of tcp.Connection.Marks, which record what the segments of a connection have shown.
const (
	closedByA uint8 = 1 << iota
	closedByB
	closedByReset
	closingSent // the signal that a side closed the connection was sent
	stalledA    // the receive window of end A is 0
	stalledB
	synWaits // a SYN waits for an answer
)

// closer returns the side that closed the connection first.
func (c *connection) closer() end {
	switch {
	case c.Marks&closedByA != 0:
		return endA
	case c.Marks&closedByB != 0:
		return endB
	}
	return noEnd
}

// closes records which side closes a connection first. It is called before the segment's bytes are delivered, so that
// trackers know which side closed when they receive these bytes or the end of the stream.
func (e *Engine) closes(connection *connection, from end, s *tcp.Segment) {
	if s.Flags&(tcp.FIN|tcp.RST) == 0 || connection.closer() != noEnd {
		return
	}
	connection.Marks |= closedByA << (from - endA)
	if s.Flags.Has(tcp.RST) {
		connection.Marks |= closedByReset
	}
	e.closing(connection)
}

// signal sends the signals that follow from the header of a TCP segment.
func (e *Engine) signal(connection *connection, from end, s *tcp.Segment) {
	if s.Flags&(tcp.SYN|tcp.FIN|tcp.RST) == 0 && connection.Marks == 0 && s.Window != 0 {
		return // true of nearly all segments
	}
	c := connection.conversation
	reset := s.Flags.Has(tcp.RST)
	switch {
	case s.Flags.Has(tcp.SYN):
		e.opening(connection, from, s.Flags.Has(tcp.ACK))
		return
	case connection.Marks&synWaits == 0:
	case !reset:
		e.opened(connection, wire.Opened)
	case from == c.server:
		e.opened(connection, wire.Rejected)
	}
	e.closing(connection)
	e.turnedAway(connection, from, s)
	bit := stalledA << (from - endA)
	if stalled := s.Window == 0 && !reset; stalled != (connection.Marks&bit != 0) && c.protocol != 0 {
		connection.Marks ^= bit
		what := wire.Resumed
		if stalled {
			what = wire.Stalled
		}
		e.send(what, connection.protocol(), c, from)
	}
}

// closing reports which side closed a connection first, once the protocol of the connection is known.
func (e *Engine) closing(connection *connection) {
	by := connection.closer()
	if by == noEnd || connection.Marks&closingSent != 0 || connection.protocol() == nil {
		return
	}
	connection.Marks |= closingSent
	what := wire.Finishing
	if connection.Marks&closedByReset != 0 {
		what = wire.Resetting
	}
	e.send(what, connection.protocol(), connection.conversation, by)
}

// opening handles a SYN, or a SYN-ACK if answer is set. It records attempts to connect to the port or host of a game.
func (e *Engine) opening(connection *connection, from end, answer bool) {
	c := connection.conversation
	switch {
	case answer && connection.Marks&synWaits != 0:
		e.opened(connection, wire.Opened)
	case answer || c.protocol != 0:
	default:
		src, dst := e.conversations.path(&c.endpoints, from)
		if p := e.recogniser.listens(src, dst); p != nil {
			connection.Marks |= synWaits
			e.send(wire.Opening, p, c, from)
		}
	}
}

// opened sends a signal that a connection was opened, or was refused by a reset.
func (e *Engine) opened(connection *connection, what wire.Signal) {
	c := connection.conversation
	connection.Marks &^= synWaits
	src, dst := e.conversations.path(&c.endpoints, endA+endB-c.server)
	e.send(what, e.recogniser.listens(src, dst), c, c.server)
}

// turnedAway reports that a server closed a connection that it had accepted, before either end sent data.
func (e *Engine) turnedAway(connection *connection, from end, s *tcp.Segment) {
	c := connection.conversation
	if !s.Flags.Has(tcp.FIN) || from != c.server || connection.closer() != from || connection.Marks&closingSent != 0 ||
		c.protocol != 0 || !connection.Silent() {
		return
	}
	src, dst := e.conversations.path(&c.endpoints, endA+endB-from)
	connection.Marks |= closingSent
	e.send(wire.TurnedAway, e.recogniser.listens(src, dst), c, from)
}

// listens returns the protocol of a server, or nil. It judges by the server's port and by what is known about its
// endpoint.
func (r *recogniser) listens(src, dst netip.AddrPort) *protocol {
	if p, _ := r.forced(wire.TCP, src, dst); p != nil {
		return p
	}
	if p := r.protocols.named(r.servers.speaks(r.conversations.of(dst))); p != nil && p.ProbeStream != nil {
		return p
	}
	for _, p := range r.protocols {
		usual := slices.Contains(p.TCP, dst.Port()) || slices.Contains(p.FurtherTCP, dst.Port())
		if p.ProbeStream != nil && (usual || p.expects(dst)) {
			return p
		}
	}
	return nil
}

// undelivered sends a signal for an ICMP error about a recognised conversation.
func (e *Engine) undelivered(u *ip.Undelivered) {
	transport := wire.UDP
	if u.Protocol == ip.ProtocolTCP {
		transport = wire.TCP
	}
	key, fromB := e.conversations.key(transport, u.Src, u.Dst)
	if c := e.conversations.look(&key, e.conversations.hash(&key)); c != nil && c.protocol != 0 {
		e.send(wire.Undelivered, e.decoder.protocols.of(c), c, endIf(fromB))
	}
}

// send sends a signal about a conversation at the current frame. from is the end that becomes the source.
func (e *Engine) send(s wire.Signal, p *protocol, c *conversation, from end) {
	if p == nil {
		return
	}
	place := e.here()
	place.Transport, place.Conversation, place.Lane = wire.Transport(c.transport), int(c.number), c.lane(from)
	place.Src, place.Dst = e.conversations.path(&c.endpoints, from)
	place.Protocol = p.Protocol
	e.decoder.out.signal(s, p, &place)
}
