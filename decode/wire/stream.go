package wire

import "net/netip"

// What Splitter.Next returns when there is no message to cut off.
const (
	NeedMore  = 0  // the size does not show yet
	NoMessage = -1 // no message begins here: bytes are lost, or this is something else
)

// A Splitter cuts the two directions of a connection into messages. There is one a connection,
// so it may remember what was said.
type Splitter interface {
	// Next gives the size of the message at the start of data, which may be more than there
	// is. ended tells that nothing follows the data.
	Next(way Direction, data []byte, ended bool) int

	// Plausible counts the whole messages at the start of data that are beyond doubt. broken
	// tells that something else follows them, not just the beginning of another one. With
	// it a stream of which bytes are lost is picked up again.
	Plausible(way Direction, data []byte) (messages int, broken bool)

	// Lost tells that bytes of a direction are missing.
	Lost(way Direction)
}

// StreamProbe is the beginning of one direction of a connection, to be recognised.
type StreamProbe struct {
	Src, Dst netip.AddrPort
	Data     []byte
	ToPort   bool // it goes to one of the protocol's ports
	FromPort bool // it comes from one

	// It goes to or comes from an endpoint that the session expects the protocol at.
	ToExpected, FromExpected bool

	Known bool // one of its endpoints has spoken the protocol before, beyond doubt
}

// OnPort reports whether one of the ports is the protocol's, or expected.
func (p *StreamProbe) OnPort() bool {
	return p.ToPort || p.FromPort || p.ToExpected || p.FromExpected
}

// PortDirection is the direction as the session expects it, and where it expects nothing as the
// ports have it.
func (p *StreamProbe) PortDirection() Direction {
	return expectedDirection(p.ToExpected, p.FromExpected, p.ToPort, p.FromPort)
}

// An Expecter is a Session that learns of servers from what it hears.
type Expecter interface {
	// Expects reports whether what goes to this endpoint is likely to be the protocol's.
	Expects(server netip.AddrPort) bool
}

// A Forgetter is a Session that joins what is said in several messages.
type Forgetter interface {
	// Lost tells that bytes are missing of what src sent to dst over a connection.
	Lost(src, dst netip.AddrPort)
}
