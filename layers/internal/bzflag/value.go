package bzflag

import (
	"github.com/gamedissect/gamedissect/decode/wire"

	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// Vector walks the three numbers of a position, a velocity or a direction. NaN and infinity break the rule.
func Vector(c *wire.Cursor, name string, v *[3]float32, rule *wire.Rule) {
	wire.Vec3(c, name, v)
	if !Finite(v[0]) || !Finite(v[1]) || !Finite(v[2]) {
		c.Report(rule, "%s is (%s, %s, %s)", name, decimal(v[0]), decimal(v[1]), decimal(v[2]))
	}
}

// Float walks a single number. NaN and infinity break the rule.
func Float(c *wire.Cursor, name string, v *float32, rule *wire.Rule) {
	wire.F32(c, name, v)
	if !Finite(*v) {
		c.Report(rule, "%s is %s", name, decimal(*v))
	}
}

func decimal(f float32) string { return string(format.AppendFloat(nil, f)) }

// Finite reports whether f is neither NaN nor infinite. For NaN and infinity, f-f is NaN.
func Finite(f float32) bool { return f-f == 0 }

// Flight is the position and the movement of a flag. It is the last part of a flag's state in all messages.
type Flight struct {
	Position        [3]float32 // position on the ground; the only position that is set while the flag is Coming
	Launch          [3]float32
	Landing         [3]float32
	FlightTime      float32 // seconds since the flag was thrown
	FlightEnd       float32 // seconds until the flag reaches the ground
	InitialVelocity float32 // upwards
}

func (f *Flight) Walk(c *wire.Cursor, rule *wire.Rule) {
	Vector(c, "position", &f.Position, rule)
	Vector(c, "launch", &f.Launch, rule)
	Vector(c, "landing", &f.Landing, rule)
	Float(c, "flight_time", &f.FlightTime, rule)
	Float(c, "flight_end", &f.FlightEnd, rule)
	Float(c, "initial_velocity", &f.InitialVelocity, rule)
}

// LagPing measures the round-trip time to a client. The server sends it every ten seconds to players who are alive, and
// the client returns it.
type LagPing struct {
	Sequence uint16 // increases by one each time, modulo 10000
}

func (p *LagPing) Walk(c *wire.Cursor) { wire.U16(c, "seq", &p.Sequence) }

func (p *LagPing) AppendSummary(b []byte) []byte {
	return AppendNumber(b, "seq", int64(p.Sequence))
}

// PingModulo is the modulus of the numbers of lag pings.
const PingModulo = 10000

// PingStep returns the difference of two numbers of lag pings, from 0 to PingModulo-1.
func PingStep(from, to uint16) int {
	return (int(to)%PingModulo - int(from)%PingModulo + PingModulo) % PingModulo
}

// FlagRequest is a client's request for a flag.
type FlagRequest struct {
	Number uint16
}

func (r *FlagRequest) Walk(c *wire.Cursor) { wire.U16(c, "flag_num", &r.Number) }

func (r *FlagRequest) AppendSummary(b []byte) []byte {
	return AppendNumber(b, "flag", int64(r.Number))
}

// PlayerCounts contains the numbers of teams and players in a game. Messages about these teams and players follow.
type PlayerCounts struct {
	Teams   uint16
	Players uint16
}

func (p *PlayerCounts) Walk(c *wire.Cursor) {
	wire.U16(c, "num_teams", &p.Teams)
	wire.U16(c, "num_players", &p.Players)
}

func (p *PlayerCounts) AppendSummary(b []byte) []byte {
	b = AppendNumber(b, "teams", int64(p.Teams))
	return AppendNumber(b, ", players", int64(p.Players))
}

// Limits are the values that end a game, and the values that end the effect of a bad flag.
type Limits struct {
	ShakeWins      uint16 // number of wins after which a bad flag is dropped
	ShakeTimeout   uint16 // tenths of seconds after which a bad flag is dropped
	MaxPlayerScore uint16 // 0: no limit
	MaxTeamScore   uint16
	MaxTime        uint16 // seconds
}

func (l *Limits) Walk(c *wire.Cursor) {
	wire.U16(c, "shake_wins", &l.ShakeWins)
	wire.U16(c, "shake_timeout", &l.ShakeTimeout)
	wire.U16(c, "max_player_score", &l.MaxPlayerScore)
	wire.U16(c, "max_team_score", &l.MaxTeamScore)
	wire.U16(c, "max_time", &l.MaxTime)
}

// CheckEnum reports an undefined value in the last field that the cursor visited.
func CheckEnum(c *wire.Cursor, rule *wire.Rule, s wire.Symbols, name string, v int64) {
	if !s.Has(v) {
		c.Report(rule, "%s %d is not defined", name, v)
	}
}
