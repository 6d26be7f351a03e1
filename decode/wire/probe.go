package wire

import "net/netip"

// Datagram is a UDP datagram and where it goes.
type Datagram struct {
	Src, Dst netip.AddrPort
	Payload  []byte
	Missing  int    // bytes cut off its end
	Lane     uint32 // see Place
}

// Probe is a datagram to be recognised, or the beginning of one direction of a connection.
type Probe struct {
	*Datagram
	ToPort   bool // it goes to one of the protocol's ports
	FromPort bool // it comes from one
	Known    bool // one of its endpoints, an address with its port, is a server that spoke the protocol before

	// It goes to or comes from an endpoint that the session expects the protocol at.
	ToExpected, FromExpected bool

	// Earlier are datagrams of the conversation of which the protocol said Maybe, the oldest first: as many as are
	// kept.
	Earlier []Datagram
}

// OnPort reports whether one of the ports is the protocol's, or expected.
func (p *Probe) OnPort() bool { return p.ToPort || p.FromPort || p.ToExpected || p.FromExpected }

// PortDirection is the direction as the session expects it, and where it expects nothing as the
// ports have it: Unknown if none or both are the protocol's.
func (p *Probe) PortDirection() Direction {
	if d := towards(p.ToExpected, p.FromExpected); d != Unknown {
		return d
	}
	return towards(p.ToPort, p.FromPort)
}

// towards is the direction of what goes to a server, comes from one, or both.
func towards(to, from bool) Direction {
	switch {
	case to == from:
		return Unknown
	case to:
		return ToServer
	}
	return FromServer
}

// Confidence is how sure a protocol is that a datagram is its own.
type Confidence uint8

// The degrees of confidence.
const (
	No     Confidence = iota
	Maybe             // not enough alone: something later in the conversation has to confirm it
	Likely            // enough on the protocol's port, or where Probe.Known is true
	Sure              // enough on any port
)

// Verdict is what a protocol makes of a datagram.
type Verdict struct {
	Confidence Confidence
	Direction  Direction // Unknown: as the ports have it
}
