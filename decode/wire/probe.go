package wire

import "net/netip"

// Datagram is a UDP datagram with its source and destination.
type Datagram struct {
	Src, Dst netip.AddrPort
	Payload  []byte
	Missing  int    // number of bytes cut off at its end
	Lane     uint32 // see Place
	Lossy    bool   // see Place
	Memo     *Memo  // memo of the conversation; valid during the call; nil if there is no conversation
}

// A Memo is memory in which a session may keep what it knows about a conversation. It is zero for a new conversation.
type Memo [12]byte

// Probe is the input for recognising a protocol: a datagram, or the beginning of one direction of a connection.
type Probe struct {
	*Datagram
	ToPort   bool // the destination port is a port of the protocol
	FromPort bool // the source port is a port of the protocol
	Known    bool // one of the endpoints is a server that spoke the protocol before

	// The session expects packets of the protocol at the destination or from the source: see Expecter.
	ToExpected, FromExpected bool

	// Earlier contains earlier datagrams of the conversation for which the protocol returned Maybe, the oldest first.
	// Some may have been dropped.
	Earlier []Datagram
}

// OnPort reports whether one of the ports is a port of the protocol, or the session expects the protocol at one of the
// endpoints.
func (p *Probe) OnPort() bool { return p.ToPort || p.FromPort || p.ToExpected || p.FromExpected }

// PortDirection returns the direction that follows from the session's expectations, or else from the ports. It returns
// Unknown if neither endpoint looks like a server, or both do.
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

// Confidence is how sure a protocol is that a datagram belongs to it.
type Confidence uint8

// The degrees of confidence.
const (
	No     Confidence = iota
	Maybe             // needs confirmation by a later datagram of the conversation
	Likely            // sufficient on a port of the protocol, or if Probe.Known is true
	Sure              // sufficient on any port
)

// Verdict is a protocol's judgement of a datagram.
type Verdict struct {
	Confidence Confidence
	Direction  Direction // Unknown: derived from the ports
}
