package bzflag24

import (
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// Limits are the values that end a game, and the values that end the effect of a bad flag.
type Limits = bzflag.Limits

// teamCount is the number of teams in the answer to a query: from rogues to observers.
const teamCount = 6

var (
	sizeNames  = [teamCount]string{"rogue_size", "red_size", "green_size", "blue_size", "purple_size", "observer_size"}
	countNames = [teamCount]string{
		"rogue_count", "red_count", "green_count", "blue_count", "purple_count", "observer_count",
	}
	maxNames = [teamCount]string{"rogue_max", "red_max", "green_max", "blue_max", "purple_max", "observer_max"}
)

// Game answers MsgQueryGame.
type Game struct {
	GameType    GameType
	Options     GameOptions
	MaxPlayers  uint16
	MaxShots    uint16
	Sizes       [teamCount]uint16 // number of players in each team
	Maxima      [teamCount]uint16
	Limits      Limits
	TimeElapsed uint16 // seconds
}

const gameSize = 44

func (g *Game) Walk(c *wire.Cursor) {
	gameType(c, &g.GameType)
	wire.Bits16(c, "options", &g.Options, gameOptionBits)
	wire.U16(c, "max_players", &g.MaxPlayers)
	wire.U16(c, "max_shots", &g.MaxShots)
	for i, name := range sizeNames {
		wire.U16(c, name, &g.Sizes[i])
	}
	for i, name := range maxNames {
		wire.U16(c, name, &g.Maxima[i])
	}
	g.Limits.Walk(c)
	wire.U16(c, "time_elapsed", &g.TimeElapsed)
}

func (g *Game) AppendSummary(b []byte) []byte {
	players := 0
	for _, n := range g.Sizes {
		players += int(n)
	}
	return appendGame(b, g.GameType, players, int(g.MaxPlayers))
}

func appendGame(b []byte, t GameType, players, most int) []byte {
	b = bzflag.AppendSymbol(b, gameTypes, int64(t))
	b = bzflag.AppendNumber(b, "  players", int64(players))
	b = append(b, '/')
	return strconv.AppendInt(b, int64(most), 10)
}

// PlayerCounts answers MsgQueryPlayers. A MsgTeamUpdate follows, and then one MsgAddPlayer per player.
type PlayerCounts = bzflag.PlayerCounts

// PingRequest searches a network for servers.
type PingRequest struct {
	Unused uint16
}

func (r *PingRequest) Walk(c *wire.Cursor) { wire.U16(c, "unused", &r.Unused) }

// PingReply describes a server.
type PingReply struct {
	Version  []byte  // as in ServerHello
	Host     [4]byte // IP address of the server
	Port     uint16
	Number   uint16
	Family   uint8   // length of the next address: 4
	Source   [4]byte // IP address of the client
	GameType GameType
	Options  GameOptions
	MaxShots uint16
	Limits   Limits

	MaxPlayers uint8
	Counts     [teamCount]uint8 // number of players in each team
	Maxima     [teamCount]uint8
	Padding    [6]byte
}

const pingReplySize = 56

func (r *PingReply) Walk(c *wire.Cursor) {
	wire.Text(c, "version", &r.Version, bzflag.VersionSize)
	checkVersion(c, r.Version)
	wire.IPv4(c, "server_host", &r.Host)
	wire.U16(c, "port", &r.Port)
	wire.U16(c, "number", &r.Number)
	wire.U8(c, "family", &r.Family)
	wire.IPv4(c, "source_ip", &r.Source)
	gameType(c, &r.GameType)
	wire.Bits16(c, "options", &r.Options, gameOptionBits)
	wire.U16(c, "max_shots", &r.MaxShots)
	r.Limits.Walk(c)
	wire.U8(c, "max_players", &r.MaxPlayers)
	for i := range teamCount {
		wire.U8(c, countNames[i], &r.Counts[i])
		wire.U8(c, maxNames[i], &r.Maxima[i])
	}
	wire.Opaque(c, "padding", r.Padding[:])
}

func (r *PingReply) AppendSummary(b []byte) []byte {
	players := 0
	for _, n := range r.Counts {
		players += int(n)
	}
	b = append(format.AppendQuoted(b, wire.Trim(r.Version)), "  "...)
	return appendGame(b, r.GameType, players, int(r.MaxPlayers))
}
