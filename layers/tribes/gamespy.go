package tribes

import (
	"encoding/hex"
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// gameSpyID is the constant that follows the sequence in every answer to a GameSpy-style query.
const gameSpyID = 0x62

// Code is the first byte of a GameSpy-style message.
type Code uint8

// The codes.
const (
	CodeGameSpyPingQuery Code = 0x60
	CodeGameSpyPingReply Code = 0x61
	CodeGameSpyQuery     Code = 0x62
	CodeGameSpyReply     Code = 0x63
)

var codes = wire.Symbols{
	{Value: int64(CodeGameSpyPingQuery), Name: "GameSpyPingQuery"},
	{Value: int64(CodeGameSpyPingReply), Name: "GameSpyPingReply"},
	{Value: int64(CodeGameSpyQuery), Name: "GameSpyQuery"},
	{Value: int64(CodeGameSpyReply), Name: "GameSpyReply"},
}

func (c Code) String() string { return codes.Format(int64(c)) }

// GameSpyQuery asks a game server to describe itself. Code 0x60 requests a short answer, 0x62 a full one. Real servers
// answer a 0x60 message of any length, but a 0x62 message only if it has exactly three bytes.
type GameSpyQuery struct {
	Code        Code
	Sequence    [2]byte // repeated in the answer
	HasSequence bool
	Trailing    []byte
}

func (*GameSpyQuery) headless() {}

func (q *GameSpyQuery) Walk(c *wire.Cursor) {
	wire.Enum8(c, "code", &q.Code, codes)
	if c.Present(&q.HasSequence, 2) {
		wire.Opaque(c, "sequence", q.Sequence[:])
	}
	wire.Trailing(c, &q.Trailing)
}

func (q *GameSpyQuery) AppendSummary(b []byte) []byte {
	if !q.HasSequence {
		return b
	}
	b = append(b, "sequence "...)
	return hex.AppendEncode(b, q.Sequence[:])
}

// GameSpyReply is a game server's answer. Code 0x61 ends after MaxPlayers, and 0x63 continues with the details. Real
// servers cut the answer at 1400 bytes, so the list of players may be incomplete.
type GameSpyReply struct {
	Code          Code
	Sequence      [2]byte
	ID            uint8
	Game          []byte // "Tribes"
	Version       []byte // "1.11"
	Name          []byte
	Dedicated     wire.Bool
	Password      wire.Bool
	Players       uint8
	MaxPlayers    uint8
	CPU           uint16 // MHz
	Mods          []byte
	MissionType   []byte
	Mission       []byte
	Info          []byte
	TeamCount     uint8
	TeamHeading   []byte
	PlayerHeading []byte
	Teams         []GameSpyTeam
	List          []GameSpyPlayer
	Trailing      []byte
}

// GameSpyTeam is a team with its row of the score board.
type GameSpyTeam struct {
	Name  []byte
	Score []byte
}

// GameSpyPlayer is a player with the player's row of the score board.
type GameSpyPlayer struct {
	Ping  uint8 // ms, divided by 4
	Loss  uint8 // percent
	Team  uint8 // index of the team; 255: an observer
	Name  []byte
	Score []byte
}

func (*GameSpyReply) headless() {}

func (r *GameSpyReply) Walk(c *wire.Cursor) {
	wire.Enum8(c, "code", &r.Code, codes)
	wire.Opaque(c, "sequence", r.Sequence[:])
	wire.U8(c, "id", &r.ID)
	wire.Text8(c, "game", &r.Game)
	wire.Text8(c, "version", &r.Version)
	wire.Text8(c, "server_name", &r.Name)
	wire.Bool8(c, "dedicated", &r.Dedicated)
	wire.Bool8(c, "password", &r.Password)
	have := int(r.Players)
	if r.full() {
		have = len(r.List)
	}
	wire.Count8(c, "players", &r.Players, have)
	wire.U8(c, "max_players", &r.MaxPlayers)
	if r.full() {
		r.details(c)
	}
	off := c.Offset()
	wire.Trailing(c, &r.Trailing)
	if len(r.Trailing) > 0 && !c.Failed() {
		c.ReportRange(ruleTrailing, off, len(r.Trailing), "%s after the last field", wire.Counted(len(r.Trailing), "byte"))
	}
}

// full reports whether this is the full answer.
func (r *GameSpyReply) full() bool { return r.Code == CodeGameSpyReply }

// details lists the fields that only code 0x63 has.
func (r *GameSpyReply) details(c *wire.Cursor) {
	c.LittleEndian()
	wire.U16(c, "cpu", &r.CPU)
	c.BigEndian()
	wire.Text8(c, "mods", &r.Mods)
	wire.Text8(c, "mission_type", &r.MissionType)
	wire.Text8(c, "mission", &r.Mission)
	wire.Text8(c, "info", &r.Info)
	wire.Count8(c, "number_of_teams", &r.TeamCount, len(r.Teams))
	wire.Text8(c, "team_heading", &r.TeamHeading)
	wire.Text8(c, "player_heading", &r.PlayerHeading)
	wire.List(c, "teams", &r.Teams, wire.Count(r.TeamCount), 1, (*GameSpyTeam).walk)
	there := wire.List(c, playerList, &r.List, wire.Count(r.Players), 1, (*GameSpyPlayer).walk)
	if c.Reading() && !c.Failed() && there < int(r.Players) {
		r.reportCount(c, c.Offset(), 0, "%d listed", there)
	}
}

// reportCount reports an answer that lists fewer players than it announces. It accepts an answer that a real server may
// have cut because of its length, or that the snap length cut.
func (r *GameSpyReply) reportCount(c *wire.Cursor, off, n int, format string, args ...any) {
	if c.Size() < cutAt && !c.Truncated() {
		c.ReportRange(rulePlayerCount, off, n, "%s announced, "+format,
			append([]any{wire.Counted(int(r.Players), "player")}, args...)...)
	}
}

const (
	playerList = "player_list"

	// cutAt is the minimum length of a cut answer. Real servers have a buffer of 1400 bytes, and the longest entry of a
	// player has 33 bytes.
	cutAt = 1400 - 33
)

func (t *GameSpyTeam) walk(c *wire.Cursor) {
	wire.Text8(c, "name", &t.Name)
	wire.Text8(c, "score", &t.Score)
}

func (p *GameSpyPlayer) walk(c *wire.Cursor) {
	wire.U8(c, "ping", &p.Ping)
	c.ComputedUint("ping_ms", 4*uint64(p.Ping))
	wire.U8(c, "loss", &p.Loss)
	wire.Enum8(c, "team", &p.Team, playerTeams)
	wire.Text8(c, "name", &p.Name)
	wire.Text8(c, "score", &p.Score)
}

func (r *GameSpyReply) AppendSummary(b []byte) []byte {
	b = format.AppendQuoted(b, r.Name)
	if r.full() {
		b = append(b, "  "...)
		b = format.AppendQuoted(b, r.Mission)
	}
	b = append(b, "  players "...)
	b = strconv.AppendUint(b, uint64(r.Players), 10)
	b = append(b, '/')
	return strconv.AppendUint(b, uint64(r.MaxPlayers), 10)
}
