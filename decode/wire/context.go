package wire

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

// String returns the short form used in every output: "", "c2s", "s2c" or "p2p".
func (d Direction) String() string { return directions[d] }

// Reverse returns the direction of an answer.
func (d Direction) Reverse() Direction {
	switch d {
	case ToServer:
		return FromServer
	case FromServer:
		return ToServer
	}
	return d
}

// Dialect chooses between two readings, if a protocol's document and real programs differ and the bytes do not show
// which applies.
type Dialect uint8

// The dialects.
const (
	Wire     Dialect = iota // what real programs send
	Document                // what the document says
)

// Context is what is known about a message apart from its bytes. With the zero value, layers guess the direction.
type Context struct {
	Direction Direction
	Dialect   Dialect
	Missing   int       // bytes of the message that the snap length cut off
	IPv6      bool      // it came over IPv6
	Transport Transport // what carried it

	// AnyTransport says that the transport is unknown, as in gopacket.NewPacket. Rules about the transport are then not
	// checked.
	AnyTransport bool

	MaxMemory int // limit of the bytes allocated for all lists' elements; 0: none. Above it, reading fails

	Sealed bool // messages inside this one are not read

	Roster Roster // names of players by number; may be nil
}

// Transport is what carried a message.
type Transport uint8

// The transports.
const (
	UDP Transport = iota
	TCP
	NoTransport // a packet without one; messages have one
)

func (t Transport) String() string { return [...]string{"udp", "tcp", ""}[t] }

// A Roster contains the names of players and similar numbers. Sessions fill it.
type Roster interface {
	// Name returns "" for an unknown number.
	Name(number uint64) string
}
