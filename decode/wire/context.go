package wire

// Direction says who sent a message.
type Direction uint8

// The directions.
const (
	Unknown    Direction = iota
	ToServer             // to the server or the master server
	FromServer           // from the server or the master server
	PeerToPeer           // from player to player
)

var directions = [...]string{"", "c2s", "s2c", "p2p"}

// String returns the short form used in every output: "", "c2s", "s2c" or "p2p".
func (d Direction) String() string { return directions[d] }

// Reverse returns the opposite direction.
func (d Direction) Reverse() Direction {
	switch d {
	case ToServer:
		return FromServer
	case FromServer:
		return ToServer
	}
	return d
}

// Dialect chooses between two interpretations if a protocol's document and real programs differ and the bytes do not
// show which one applies.
type Dialect uint8

// The dialects.
const (
	Wire     Dialect = iota // as real programs send it
	Document                // as the document describes it
)

// Context is what is known about a message in addition to its bytes. With the zero value, layers guess the direction.
type Context struct {
	Direction Direction
	Dialect   Dialect
	Missing   int       // number of bytes that the snap length cut off
	IPv6      bool      // the message came over IPv6
	Transport Transport // the transport that carried the message

	// AnyTransport says that the transport is unknown, as in gopacket.NewPacket. Rules about the transport are not
	// checked then.
	AnyTransport bool

	MaxMemory int // limit on the bytes allocated for elements of all lists; 0: no limit. Reading beyond it fails

	Sealed bool // messages inside the current one are not read

	Roster Roster // names of players by number; may be nil
}

// Transport is the transport protocol that carried a message.
type Transport uint8

// The transports.
const (
	UDP Transport = iota
	TCP
	NoTransport // for packets without a transport; messages always have one
)

func (t Transport) String() string { return [...]string{"udp", "tcp", ""}[t] }

// A Roster contains the names of players and similar numbers. Sessions fill it in.
type Roster interface {
	// Name returns "" for an unknown number.
	Name(number uint64) string
}
