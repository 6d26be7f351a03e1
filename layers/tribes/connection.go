package tribes

import "github.com/gamedissect/gamedissect/decode/wire"

// GameConnection is a packet of the game itself. This package decodes only its kind, because the content has nothing to
// do with matchmaking.
type GameConnection struct {
	Data []byte
}

func (*GameConnection) headless() {}

func (g *GameConnection) Walk(c *wire.Cursor) {
	wire.Rest(c, "data", &g.Data)
	c.Computed("packet_type", g.AppendSummary)
}

// AppendSummary appends the kind of the packet.
func (g *GameConnection) AppendSummary(b []byte) []byte {
	h, ok := readHead(g.Data)
	if !ok {
		return append(b, "malformed"...)
	}
	return append(b, packetKinds.Format(int64(h.kind))...)
}

// The kinds of packets of a game connection.
const (
	kindData       = 0
	kindDisconnect = 2
	kindRequest    = 3
	kindAccept     = 4
	kindReject     = 5
)

var packetKinds = wire.Symbols{
	{Value: kindData, Name: "Data"}, {Value: kindDisconnect, Name: "Disconnect"},
	{Value: kindRequest, Name: "ConnectRequest"}, {Value: kindAccept, Name: "ConnectAccept"},
	{Value: kindReject, Name: "ConnectReject"}, {Value: 7, Name: "Ping"},
}

// head is the header of a game packet.
type head struct {
	parity       int // parity of the connection
	sequence     int // nine bits
	acknowledged int // five bits
	pairs        int // number of pairs of acknowledgements
	kind         int
	flags        int    // marks retransmissions and packets that only acknowledge
	connection   uint32 // number of the connection, in packets that open it
	numbered     bool   // the packet has a connection number
}

// bitReader reads bits, beginning with the lowest bit of a byte. Bits after the end are zero.
type bitReader struct {
	data []byte
	at   int
}

func (b *bitReader) next(n int) int {
	v := 0
	for i := range n {
		if b.at/8 < len(b.data) {
			v |= int(b.data[b.at/8]>>(b.at%8)&1) << i
		}
		b.at++
	}
	return v
}

func (b *bitReader) overrun() bool { return b.at > 8*len(b.data) }

// readHead reads the header of a game packet. It consists of
//   - one bit that is set,
//   - the parity of the connection, one bit,
//   - the sequence, nine bits,
//   - the highest acknowledged sequence, five bits,
//   - pairs of three and five bits; three zero bits end them,
//   - the kind, five bits, of which the low three identify it.
func readHead(data []byte) (h head, ok bool) {
	b := bitReader{data: data}
	if b.next(1) != 1 {
		return h, false
	}
	h.parity, h.sequence, h.acknowledged = b.next(1), b.next(sequenceBits), b.next(5)
	const maxPairs = 32
	for ; b.next(3) != 0; h.pairs++ {
		if b.next(5); h.pairs == maxPairs-1 {
			return h, false
		}
	}
	h.kind, h.flags = b.next(3), b.next(2)
	if b.overrun() || !packetKinds.Has(int64(h.kind)) {
		return h, false
	}
	if h.kind >= kindRequest && h.kind <= kindReject {
		h.connection = uint32(b.next(32))
		h.numbered = !b.overrun()
	}
	return h, true
}

const sequenceBits = 9
