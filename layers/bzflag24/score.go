package bzflag24

import (
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// appendCount appends the number of elements of a list to a summary.
func appendCount(b []byte, n int, what string) []byte {
	b = strconv.AppendInt(b, int64(n), 10)
	b = append(b, ' ')
	b = append(b, what...)
	if n != 1 {
		b = append(b, 's')
	}
	return b
}

// TeamScore is the state of a team.
type TeamScore struct {
	Team   Team
	Size   uint16 // number of players
	Wins   uint16
	Losses uint16
}

const teamScoreSize = 8

func (t *TeamScore) walk(c *wire.Cursor) {
	team(c, "team", &t.Team)
	wire.U16(c, "size", &t.Size)
	wire.U16(c, "wins", &t.Wins)
	wire.U16(c, "losses", &t.Losses)
}

// TeamUpdate reports the state of teams.
type TeamUpdate struct {
	Count uint8
	Teams []TeamScore
}

func (u *TeamUpdate) Walk(c *wire.Cursor) {
	wire.List(c, "teams", &u.Teams, wire.Count8(c, "count", &u.Count, len(u.Teams)), teamScoreSize, (*TeamScore).walk)
}

func (u *TeamUpdate) AppendSummary(b []byte) []byte {
	start := len(b)
	for i := range u.Teams {
		t := &u.Teams[i]
		if t.Size == 0 && t.Wins == 0 && t.Losses == 0 && len(u.Teams) > 1 {
			continue
		}
		if len(b) > start {
			b = append(b, "  "...)
		}
		b = bzflag.AppendSymbol(b, teams, int64(t.Team))
		b = bzflag.AppendNumber(b, ": players", int64(t.Size))
		b = bzflag.AppendScore(append(b, ", "...), t.Wins, t.Losses)
	}
	if len(b) == start {
		return append(b, "no players"...)
	}
	return b
}

// PlayerScore is the score of a player.
type PlayerScore struct {
	Player    Player
	Wins      uint16
	Losses    uint16
	TeamKills uint16
}

const playerScoreSize = 7

func (s *PlayerScore) walk(c *wire.Cursor) {
	s.Player.walk(c, "player")
	wire.U16(c, "wins", &s.Wins)
	wire.U16(c, "losses", &s.Losses)
	wire.U16(c, "team_kills", &s.TeamKills)
}

// Score reports scores of players.
type Score struct {
	Count   uint8
	Players []PlayerScore
}

func (s *Score) Walk(c *wire.Cursor) {
	n := wire.Count8(c, "count", &s.Count, len(s.Players))
	wire.List(c, "players", &s.Players, n, playerScoreSize, (*PlayerScore).walk)
}

func (s *Score) AppendSummary(b []byte) []byte {
	for i := range s.Players {
		p := &s.Players[i]
		if i > 0 {
			b = append(b, "  "...)
		}
		b = append(p.Player.AppendTo(b), ": "...)
		b = bzflag.AppendScore(b, p.Wins, p.Losses)
	}
	return b
}

// PlayerHandicap is a player's handicap: how much weaker the player's shots are.
type PlayerHandicap struct {
	Player   Player
	Handicap int16
}

const playerHandicapSize = 3

func (h *PlayerHandicap) walk(c *wire.Cursor) {
	h.Player.walk(c, "player")
	wire.I16(c, "handicap", &h.Handicap)
}

// Handicaps reports the handicaps of players: MsgHandicap.
type Handicaps struct {
	Count   uint8
	Players []PlayerHandicap
}

func (h *Handicaps) Walk(c *wire.Cursor) {
	n := wire.Count8(c, "count", &h.Count, len(h.Players))
	wire.List(c, "players", &h.Players, n, playerHandicapSize, (*PlayerHandicap).walk)
}

func (h *Handicaps) AppendSummary(b []byte) []byte {
	for i := range h.Players {
		p := &h.Players[i]
		if i > 0 {
			b = append(b, "  "...)
		}
		b = append(p.Player.AppendTo(b), ": "...)
		b = strconv.AppendInt(b, int64(p.Handicap), 10)
	}
	return b
}

// PlayerFacts says whether a player is registered, verified or an administrator.
type PlayerFacts struct {
	Player Player
	Bits   PlayerAttributes
}

const playerFactsSize = 2

func (f *PlayerFacts) walk(c *wire.Cursor) {
	f.Player.walk(c, "player")
	wire.Bits8(c, "bits", &f.Bits, attributeBits)
}

// PlayerInfo reports which players are registered and which are administrators.
type PlayerInfo struct {
	Count   uint8
	Players []PlayerFacts
}

func (i *PlayerInfo) Walk(c *wire.Cursor) {
	n := wire.Count8(c, "count", &i.Count, len(i.Players))
	wire.List(c, "players", &i.Players, n, playerFactsSize, (*PlayerFacts).walk)
}

func (i *PlayerInfo) AppendSummary(b []byte) []byte {
	if len(i.Players) == 1 {
		return i.Players[0].Player.AppendTo(b)
	}
	return appendCount(b, len(i.Players), "player")
}

// PlayerAddress is a player's address.
type PlayerAddress struct {
	Length  uint8 // length of the IP version and the address: 5
	Player  Player
	Version uint8 // IP version: 4
	IP      [4]byte
}

const playerAddressSize = 7

func (a *PlayerAddress) walk(c *wire.Cursor) {
	wire.U8(c, "ip_length", &a.Length)
	a.Player.walk(c, "player")
	wire.U8(c, "ip_version", &a.Version)
	wire.IPv4(c, "ip", &a.IP)
}

// AdminInfo sends the addresses of players to administrators.
type AdminInfo struct {
	Count   uint8
	Players []PlayerAddress
}

func (i *AdminInfo) Walk(c *wire.Cursor) {
	n := wire.Count8(c, "count", &i.Count, len(i.Players))
	wire.List(c, "players", &i.Players, n, playerAddressSize, (*PlayerAddress).walk)
}

func (i *AdminInfo) AppendSummary(b []byte) []byte {
	if len(i.Players) == 1 {
		p := &i.Players[0]
		b = append(p.Player.AppendTo(b), "  "...)
		return format.AppendAddress(b, p.IP[:])
	}
	return appendCount(b, len(i.Players), "player")
}

// ScoreOver reports which player or team reached the score that ends the game.
type ScoreOver struct {
	Player Player
	Team   Team // NoTeam: a player has won, not a team
}

func (s *ScoreOver) Walk(c *wire.Cursor) {
	s.Player.walk(c, "player")
	team(c, "team", &s.Team)
}

func (s *ScoreOver) AppendSummary(b []byte) []byte {
	if s.Team != NoTeam {
		return bzflag.AppendSymbol(b, teams, int64(s.Team))
	}
	return s.Player.AppendTo(b)
}
