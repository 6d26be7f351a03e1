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

	MaxMemory int // bytes that may be taken for the elements of all lists; more is an error. 0: any number

	Roster Roster // of those whom numbers in the message stand for; may be nil
}

// Transport is what carried a message.
type Transport uint8

// The transports.
const (
	UDP Transport = iota
	TCP
)

func (t Transport) String() string { return [...]string{"udp", "tcp"}[t] }

// A Roster tells what players and the like are called. Sessions learn it.
type Roster interface {
	// Name is "" for a number that nobody is known by.
	Name(number uint64) string
}
