package tribes

import "github.com/gamedissect/gamedissect/decode/wire"

// GameConnection is a packet of the game itself. It is named and otherwise left alone: what it
// carries is no matchmaking.
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

// head is what a game packet begins with.
type head struct {
	parity       int // of the connection
	sequence     int // nine bits
	acknowledged int // five bits
	pairs        int // of acknowledgements
	kind         int
	flags        int    // it comes again, or only acknowledges
	connection   uint32 // the number that packets which open one carry
	numbered     bool   // they have it
}

// bitReader reads bits, the lowest of a byte first. Behind the end they are zero.
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

// readHead reads the head of a game packet: one that is set, the parity of the connection, nine of sequence, five of
// the highest acknowledged, then pairs of three and five bits up to one that begins with zero, then five bits of
// kind. Of the kind only the low three bits name it.
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
