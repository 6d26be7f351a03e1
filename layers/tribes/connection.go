package tribes

import "github.com/gamedissect/gamedissect/decode/wire"

// GameConnection is a packet of the game itself. It is named and otherwise left alone: what it
// carries is no matchmaking.
type GameConnection struct {
	Data []byte
}

func (*GameConnection) headless() {}

// Walk lists the fields.
func (g *GameConnection) Walk(c *wire.Cursor) {
	wire.Rest(c, "data", &g.Data)
	c.Computed("packet_type", g.AppendSummary)
}

// AppendSummary implements wire.Summarizer: the kind of the packet.
func (g *GameConnection) AppendSummary(b []byte) []byte {
	kind, ok := packetKind(g.Data)
	if !ok {
		return append(b, "malformed"...)
	}
	return append(b, packetKinds.Format(int64(kind))...)
}

// The kinds of packets of a game connection.
const kindRequest = 3

var packetKinds = wire.Symbols{
	{Value: 0, Name: "Data"}, {Value: 2, Name: "Disconnect"}, {Value: kindRequest, Name: "ConnectRequest"},
	{Value: 4, Name: "ConnectAccept"}, {Value: 5, Name: "ConnectReject"}, {Value: 7, Name: "Ping"},
}

// packetKind reads the head of a game packet: bits, the lowest of a byte first. One that is
// set, the parity of the connection, nine of sequence, five of the highest acknowledged, then
// pairs of three and five bits up to one that begins with zero, then five bits of kind. Of the
// kind only the low three bits name it.
func packetKind(data []byte) (kind int, ok bool) {
	at := 0
	bits := func(n int) int {
		v := 0
		for i := range n {
			if at/8 < len(data) {
				v |= int(data[at/8]>>(at%8)&1) << i
			}
			at++
		}
		return v
	}
	if bits(1) != 1 {
		return 0, false
	}
	bits(1 + 9 + 5)
	const mostPairs = 32
	for range mostPairs {
		if bits(3) == 0 {
			kind = bits(5)
			return kind & 7, at <= 8*len(data) && packetKinds.Has(int64(kind&7))
		}
		bits(5)
	}
	return 0, false
}
