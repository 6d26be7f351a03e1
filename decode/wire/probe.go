package wire

import "net/netip"

// Datagram is a UDP datagram and where it goes.
type Datagram struct {
	Src, Dst netip.AddrPort
	Payload  []byte
	Missing  int    // bytes cut off at its end
	Lane     uint32 // see Place
	Lossy    bool   // see Place
}

// Probe is a datagram to be recognised, or the beginning of one direction of a connection.
type Probe struct {
	*Datagram
	ToPort   bool // it goes to one of the protocol's ports
	FromPort bool // it comes from one of them
	Known    bool // one of its endpoints is a server that spoke the protocol before

	// It goes to or comes from an endpoint where the session expects the protocol.
	ToExpected, FromExpected bool

	// Earlier contains the conversation's datagrams that the protocol judged Maybe and that are still kept, the oldest
	// first.
	Earlier []Datagram
}

// OnPort reports whether one of the ports is the protocol's, or is expected.
func (p *Probe) OnPort() bool { return p.ToPort || p.FromPort || p.ToExpected || p.FromExpected }

// PortDirection returns the direction that the session expects, or else the one that the ports imply: Unknown if none
// or both are the protocol's.
func (p *Probe) PortDirection() Direction {
	if d := towards(p.ToExpected, p.FromExpected); d != Unknown {
		return d
	}
	return towards(p.ToPort, p.FromPort)
}

// towards returns the direction, given whether the destination and the source are servers.
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
	Maybe             // a later datagram of the conversation must confirm it
	Likely            // enough on the protocol's port, or if Probe.Known is true
	Sure              // enough on any port
)

// Verdict is a protocol's judgement of a datagram.
type Verdict struct {
	Confidence Confidence
	Direction  Direction // Unknown: the ports decide
}
