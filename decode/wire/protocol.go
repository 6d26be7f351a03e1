package wire

import (
	"net/netip"

	"github.com/google/gopacket"
)

// Direction says who sent a message.
type Direction uint8

// The directions.
const (
	Unknown    Direction = iota
	ToServer             // to the server or the master
	FromServer           // from it
	PeerToPeer           // from player to player
)

var directions = [...]string{"", "c2s", "s2c", "p2p"}

// String is the short form used in every output: "", "c2s", "s2c" or "p2p".
func (d Direction) String() string { return directions[d] }

// Reverse is the direction of an answer.
func (d Direction) Reverse() Direction {
	switch d {
	case ToServer:
		return FromServer
	case FromServer:
		return ToServer
	}
	return d
}

// Dialect chooses between readings where a protocol's document and real programs differ
// and the bytes cannot tell.
type Dialect uint8

// The dialects.
const (
	Wire     Dialect = iota // what real programs send
	Document                // what the document says
)

// Context is what surrounds a message and is not in its bytes. The zero value is fine: the
// layers then guess the direction.
type Context struct {
	Direction Direction
	Dialect   Dialect
	Missing   int       // bytes of the message that the snap length of the capture cut off
	IPv6      bool      // it came over IPv6
	Transport Transport // that carried it

	MaxElements int // of all lists together; more is an error. 0: any number

	Roster Roster // of those whom numbers in the message stand for; may be nil
}

// A Roster tells what players and the like are called. Sessions learn it.
type Roster interface {
	// Name is "" for a number that nobody is known by.
	Name(number uint64) string
}

// A Protocol is everything the engine has to know of one.
type Protocol struct {
	Name    string // in filters and output
	Title   string // for people
	Type    gopacket.LayerType
	UDP     []uint16 // ports of its servers
	TCP     []uint16
	AnyPort bool // its servers send clients on to ports of any number
	Rules   []*Rule

	// Messages lists the protocol's messages, in the order of its document.
	Messages *Messages

	// New makes a layer; the engine decodes one message after the other with it.
	New func() Layer

	// Probe judges a datagram of a conversation that is not known yet.
	Probe func(*Probe) Verdict

	// Part gives the next part of a datagram, from an offset on, and where the one after it
	// begins, for protocols that wrap messages in a framing of their own. May be nil.
	Unwrap func(d *Datagram, at int) (part []byte, missing, next int)

	// ProbeStream judges the beginning of one direction of a connection; Maybe asks for more
	// of it. NewSplitter makes what cuts a connection into messages. Both are nil for protocols
	// that are not spoken over TCP.
	ProbeStream func(*StreamProbe) Verdict
	NewSplitter func() Splitter

	// NewTracker makes what finds the rules broken that are about several messages. May be nil.
	NewTracker func(*Reporter) Tracker

	// NewSession makes the memory of a capture, where telling messages apart needs one. May be nil.
	NewSession func() Session

	// Private says what a stranger must not see of what is said.
	Private Privacies

	// Roles says which fields an expectation can rely on.
	Roles Roles

	// Secret finds a password or the like in what people say: text[from:to], which is empty if there
	// is none. May be nil.
	Secret func(text []byte) (from, to int)

	// Differences lists where the document and real programs differ, a sentence each.
	Differences []string
}

// Datagram is a UDP datagram and where it goes.
type Datagram struct {
	Src, Dst netip.AddrPort
	Payload  []byte
	Missing  int // bytes cut off its end
}

// Probe is a datagram to be recognised.
type Probe struct {
	*Datagram
	ToPort   bool // it goes to one of the protocol's ports
	FromPort bool // it comes from one
	Known    bool // one of its endpoints has spoken the protocol before, beyond doubt

	// It goes to or comes from an endpoint that the session expects the protocol at.
	ToExpected, FromExpected bool
}

// OnPort reports whether one of the ports is the protocol's, or expected.
func (p *Probe) OnPort() bool { return p.ToPort || p.FromPort || p.ToExpected || p.FromExpected }

// PortDirection is the direction as the session expects it, and where it expects nothing as the
// ports have it: Unknown if none or both are the protocol's.
func (p *Probe) PortDirection() Direction {
	return expectedDirection(p.ToExpected, p.FromExpected, p.ToPort, p.FromPort)
}

func expectedDirection(toExpected, fromExpected, toPort, fromPort bool) Direction {
	if d := portDirection(toExpected, fromExpected); d != Unknown {
		return d
	}
	return portDirection(toPort, fromPort)
}

func portDirection(to, from bool) Direction {
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
	Likely            // enough on the protocol's port, or with an endpoint that is known
	Sure              // enough on any port
)

// Verdict is what a protocol makes of a datagram.
type Verdict struct {
	Confidence Confidence
	Direction  Direction // Unknown: as the ports have it
}

// A Session remembers, for one capture and protocol, who is who: which endpoint is a master,
// say. It sees every datagram of the protocol before it is decoded and after.
type Session interface {
	Before(Layer, *Datagram)
	After(Layer, *Datagram)
}
