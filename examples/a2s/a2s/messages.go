package a2s

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// packed is the bit in a part's ID that is set if the answer was compressed with bzip2 before it was split.
const packed = 1 << 31

// A Part is the part of a long answer that is in one packet.
type Part struct {
	ID            uint32 // ID of the answer
	Total, Number uint8
	Most          uint16 // maximum size of a packet in bytes
	Size, CRC     uint32 // of the uncompressed answer; only in the first part of a compressed answer
	Data          []byte
}

func (p *Part) walk(c *wire.Cursor) {
	c.Begin("part")
	wire.U32(c, "id", &p.ID)
	wire.U8(c, "total", &p.Total)
	wire.U8(c, "number", &p.Number)
	wire.U16(c, "most", &p.Most)
	if c.When(p.ID&packed != 0 && p.Number == 0) {
		wire.U32(c, "size", &p.Size)
		wire.U32(c, "crc", &p.CRC)
	}
	wire.Rest(c, "data", &p.Data)
	c.End()
}

// InfoQuery requests information about the server. A client's first query has no challenge.
type InfoQuery struct {
	Text         []byte // "Source Engine Query"
	HasChallenge bool
	Challenge    uint32
}

func (q *InfoQuery) Walk(c *wire.Cursor) {
	wire.TextZ(c, "text", &q.Text)
	if c.Present(&q.HasChallenge, 4) {
		wire.U32(c, "challenge", &q.Challenge)
	}
}

// Challenge is the body of queries for players and rules, and of the answer to a query that lacks the right challenge.
// In a client's first query, the challenge is -1.
type Challenge struct{ Challenge uint32 }

func (q *Challenge) Walk(c *wire.Cursor) { wire.U32(c, "challenge", &q.Challenge) }

// Info describes the server. Flags determine which fields are at its end.
type Info struct {
	Protocol                  uint8
	Name, Map, Folder, Game   []byte
	ID                        uint16
	Players, MaxPlayers, Bots uint8
	Kind, System              uint8 // letters
	Password, VAC             wire.Bool
	Version                   []byte
	HasFlags                  bool
	Flags                     uint8
	Port, TVPort              uint16
	SteamID, GameID           uint64
	TVName, Keywords          []byte
}

const (
	hasPort = 0x80 >> iota
	hasTV
	hasKeywords
	hasSteamID
	_
	_
	_
	hasGameID
)

var (
	kinds   = wire.Symbols{{Value: 'd', Name: "dedicated"}, {Value: 'l', Name: "listen"}, {Value: 'p', Name: "relay"}}
	systems = wire.Symbols{{Value: 'l', Name: "Linux"}, {Value: 'w', Name: "Windows"}, {Value: 'm', Name: "macOS"}}
	flags   = wire.Symbols{{Value: hasPort, Name: "port"}, {Value: hasTV, Name: "tv"},
		{Value: hasKeywords, Name: "keywords"}, {Value: hasSteamID, Name: "steam_id"}, {Value: hasGameID, Name: "game_id"}}
)

func (i *Info) Walk(c *wire.Cursor) {
	wire.U8(c, "protocol", &i.Protocol)
	wire.TextZ(c, "name", &i.Name)
	wire.TextZ(c, "map", &i.Map)
	wire.TextZ(c, "folder", &i.Folder)
	wire.TextZ(c, "game", &i.Game)
	wire.U16(c, "id", &i.ID)
	wire.U8(c, "players", &i.Players)
	wire.U8(c, "max_players", &i.MaxPlayers)
	wire.U8(c, "bots", &i.Bots)
	wire.Enum8(c, "kind", &i.Kind, kinds)
	wire.Enum8(c, "system", &i.System, systems)
	wire.Bool8(c, "password", &i.Password)
	wire.Bool8(c, "vac", &i.VAC)
	wire.TextZ(c, "version", &i.Version)
	if c.Present(&i.HasFlags, 1) {
		i.extra(c)
	}
}

// extra reads the fields that depend on the flags.
func (i *Info) extra(c *wire.Cursor) {
	wire.Bits8(c, "flags", &i.Flags, flags)
	if c.When(i.Flags&hasPort != 0) {
		wire.U16(c, "port", &i.Port)
	}
	if c.When(i.Flags&hasSteamID != 0) {
		wire.U64(c, "steam_id", &i.SteamID)
	}
	if c.When(i.Flags&hasTV != 0) {
		wire.U16(c, "tv_port", &i.TVPort)
		wire.TextZ(c, "tv_name", &i.TVName)
	}
	if c.When(i.Flags&hasKeywords != 0) {
		wire.TextZ(c, "keywords", &i.Keywords)
	}
	if c.When(i.Flags&hasGameID != 0) {
		wire.U64(c, "game_id", &i.GameID)
	}
}

func (i *Info) AppendSummary(b []byte) []byte { return format.AppendQuoted(b, i.Name) }

// Player is an entry of Players.
type Player struct {
	Index   uint8
	Name    []byte
	Score   int32
	Seconds float32 // time since joining
}

// Players lists the players.
type Players struct {
	Count   uint8
	Players []Player
}

func (p *Players) Walk(c *wire.Cursor) {
	wire.List(c, "players", &p.Players, wire.Count8(c, "count", &p.Count, len(p.Players)), 10, func(v *Player, c *wire.Cursor) {
		wire.U8(c, "index", &v.Index)
		wire.TextZ(c, "name", &v.Name)
		wire.I32(c, "score", &v.Score)
		wire.F32(c, "seconds", &v.Seconds)
	})
}

// Rule is an entry of Rules.
type Rule struct{ Name, Value []byte }

// Rules lists the server's settings.
type Rules struct {
	Count uint16
	Rules []Rule
}

func (r *Rules) Walk(c *wire.Cursor) {
	wire.List(c, "rules", &r.Rules, wire.Count16(c, "count", &r.Count, len(r.Rules)), 2, func(v *Rule, c *wire.Cursor) {
		wire.TextZ(c, "name", &v.Name)
		wire.TextZ(c, "value", &v.Value)
	})
}
