package tribes

import (
	"bytes"
	"encoding/hex"
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// GameInfoReply is type 0x04, a game server's description of itself. See PACKET TYPE 0x04 in the protocol document.
type GameInfoReply struct {
	Number            uint8
	HasNumber         bool
	GameType          GameType
	HasGameType       bool
	Key               [2]byte
	HasKey            bool
	Layout            InfoLayout
	MaxPlayers        uint8
	HasMaxPlayers     bool
	Players           uint8
	HasPlayers        bool
	GamePacketVersion uint16
	HasVersion        bool
	Name              []byte // 30 bytes with NULs; nil if the packet ends before it
	Information       [][]byte
	Trailing          []byte
}

// InfoLayout is the layout of the fields after the key in a game info reply.
type InfoLayout uint8

// The layouts.
const (
	RealInfo     InfoLayout = iota // maximum, players, version, 30 bytes of name
	DocumentInfo                   // 32 bytes of name
	ListedInfo                     // an id of 0, a little endian count, and that many texts: the requested values
)

const (
	realName        = 30
	documentName    = 32
	realInfoSize    = 40
	documentInfSize = 38
)

func (g *GameInfoReply) Walk(c *wire.Cursor) {
	if c.Present(&g.HasNumber, 1) {
		wire.Enum8(c, "packet_number", &g.Number, packetNumbers)
	}
	if c.Present(&g.HasGameType, 1) {
		wire.Enum8(c, "game_type", &g.GameType, gameTypes)
		g.checkGame(c)
	}
	if c.Present(&g.HasKey, 2) {
		wire.Opaque(c, "key", g.Key[:])
	}
	if c.Reading() {
		g.Layout = g.layout(c)
	}
	if c.When(g.Layout == RealInfo && g.HasKey) {
		g.real(c)
	}
	if c.When(g.Layout == DocumentInfo) {
		wire.Text(c, "server_name", &g.Name, documentName)
	}
	if c.When(g.Layout == ListedInfo) {
		g.listed(c)
	}
	trailing(c, &g.Trailing)
}

// trailing reads the bytes after the last field and reports them.
func trailing(c *wire.Cursor, v *[]byte) {
	off := c.Offset()
	wire.Trailing(c, v)
	if n := len(*v); n > 0 && !c.Truncated() {
		c.ReportRange(ruleTrailing, off, n, "%s after the last field", wire.Counted(n, "byte"))
	}
}

func (g *GameInfoReply) checkGame(c *wire.Cursor) {
	switch g.GameType {
	case GameTribes:
	case GameStarsiege:
		c.Report(ruleGameType, "0x%02x is Starsiege, Tribes is 0x%02x", uint8(g.GameType), uint8(GameTribes))
	default:
		c.Report(ruleGameType, "0x%02x, Tribes is 0x%02x", uint8(g.GameType), uint8(GameTribes))
	}
}

// layout determines the layout from the length. If no layout has this length, it chooses the layout whose fields are
// consistent.
func (g *GameInfoReply) layout(c *wire.Cursor) InfoLayout {
	rest := c.Peek()
	switch size := c.Size(); {
	case size == realInfoSize && g.GameType == GameTribes:
	case size == documentInfSize, c.Dialect() == wire.Document && size > documentInfSize && size < realInfoSize:
		return DocumentInfo
	case len(rest) > 4 && rest[0] == 0 && rest[1] == 0 && countedFit(rest[2:]):
		return ListedInfo
	}
	return RealInfo
}

func (g *GameInfoReply) real(c *wire.Cursor) {
	if c.Present(&g.HasMaxPlayers, 1) {
		wire.U8(c, "max_players", &g.MaxPlayers)
	}
	if c.Present(&g.HasPlayers, 1) {
		wire.U8(c, "players", &g.Players)
	}
	if c.Present(&g.HasVersion, 2) {
		c.LittleEndian()
		wire.U16(c, "game_packet_version", &g.GamePacketVersion)
		c.BigEndian()
	}
	if c.When(g.HasVersion) {
		wire.TextUpTo(c, "server_name", &g.Name, realName)
	}
	if g.Name != nil && g.GameType == GameTribes && !c.Truncated() && len(wire.Trim(g.Name)) == len(g.Name) {
		c.Report(ruleName, "%d bytes without a NUL", len(g.Name))
	}
}

func (g *GameInfoReply) listed(c *wire.Cursor) {
	var id, n uint16
	wire.U16(c, "id", &id)
	n = uint16(len(g.Information))
	c.LittleEndian()
	wire.U16(c, "number_of_values", &n)
	c.BigEndian()
	wire.List(c, "information", &g.Information, wire.Count(n), 1, func(v *[]byte, c *wire.Cursor) {
		wire.TextZ(c, "", v)
	})
}

// Starsiege has other fields in place of the version and the beginning of the name: "es3a", a byte, and its own
// version. The rest of the field is the name.
const (
	starsiegeMark    = "3a" // follows the two bytes of the version
	starsiegeVersion = "V 001.000r"
	starsiegeName    = len(starsiegeMark) + 1 + len(starsiegeVersion)
)

// name returns the name of the server without Starsiege's prefix.
func (g *GameInfoReply) name() []byte {
	name := g.Name
	if g.GameType == GameStarsiege && len(name) >= starsiegeName && bytes.HasPrefix(name, []byte(starsiegeMark)) {
		name = name[starsiegeName:]
	}
	return wire.Trim(name)
}

func (g *GameInfoReply) AppendSummary(b []byte) []byte {
	if g.Name != nil {
		b = format.AppendQuoted(b, g.name())
		b = append(b, "  "...)
	}
	if g.HasPlayers {
		b = append(b, "players "...)
		b = strconv.AppendUint(b, uint64(g.Players), 10)
		b = append(b, '/')
		b = strconv.AppendUint(b, uint64(g.MaxPlayers), 10)
		b = append(b, "  "...)
	}
	if g.HasKey {
		b = append(b, "key "...)
		b = hex.AppendEncode(b, g.Key[:])
	}
	return b
}

// InfoQuery is type 0x07, a client's query to a game server. In the document, this type is a game server's verification
// reply to a master.
type InfoQuery struct {
	Head
	Trailing []byte

	atMaster bool
}

func (q *InfoQuery) Walk(c *wire.Cursor) {
	q.walk(c)
	trailing(c, &q.Trailing)
	if q.atMaster {
		c.ReportRange(ruleVerifyReply, 1, 1, "masters ignore type 0x07")
	}
}

func (q *InfoQuery) AppendSummary(b []byte) []byte {
	if !q.HasKey {
		return b
	}
	b = append(b, "key "...)
	return hex.AppendEncode(b, q.Key[:])
}

// InfoResponse is type 0x08, one of the answers to 0x07. The document does not describe it. Its content is a bit stream
// that this package does not decode.
type InfoResponse struct {
	Number            uint8
	Total             uint8
	Key               [2]byte
	ID                uint16
	GamePacketVersion uint16
	HasVersion        bool
	Data              []byte
}

func (r *InfoResponse) Walk(c *wire.Cursor) {
	wire.Enum8(c, "packet_number", &r.Number, packetNumbers)
	wire.U8(c, "packet_total", &r.Total)
	wire.Opaque(c, "key", r.Key[:])
	wire.U16(c, "id", &r.ID)
	if c.Present(&r.HasVersion, 2) {
		c.LittleEndian()
		wire.U16(c, "game_packet_version", &r.GamePacketVersion)
		c.BigEndian()
	}
	wire.Rest(c, "data", &r.Data)
}

func (r *InfoResponse) AppendSummary(b []byte) []byte {
	b = append(b, "key "...)
	return hex.AppendEncode(b, r.Key[:])
}
