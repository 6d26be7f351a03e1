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
	Wire     Dialect = iota // as real programs send messages
	Document                // as the document describes messages
)

// Context is what is known about a message in addition to its bytes. With the zero value, layers guess the direction.
type Context struct {
	Direction Direction
	Dialect   Dialect
	Missing   int       // number of bytes that the snap length cut off
	IPv6      bool      // the message came over IPv6
	Transport Transport // the transport that carried the message

	// AnyTransport says that the transport is unknown, as in gopacket.NewPacket. Then rules about the transport are not
	// checked.
	AnyTransport bool

	MaxMemory int // limit in bytes on the elements of all lists, beyond which reading fails; 0: no limit

	Sealed bool // messages inside the current one are not read: see Cursor.Inside

	Roster Roster // names of players by number; may be nil
}

// Transport is the transport protocol that carried a message.
type Transport uint8

// The transports.
const (
	UDP Transport = iota
	TCP
	NoTransport // neither UDP nor TCP; messages always have a transport
)

func (t Transport) String() string { return [...]string{"udp", "tcp", ""}[t] }

// A Roster maps the numbers of players, and similar numbers, to names. Sessions fill it in.
type Roster interface {
	// Name returns "" for an unknown number.
	Name(number uint64) string
}
