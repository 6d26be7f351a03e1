package bzflag24

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// Shot is a shot in flight. MsgShotBegin and MsgGMUpdate contain it.
type Shot struct {
	Shooter  Player
	ID       uint16 // low byte: slot; high byte: counter of shots
	Position [3]float32
	Velocity [3]float32
	DT       float32 // seconds since it was fired
	Team     Team    // team of the shooter
}

const shotSize = 33

func (s *Shot) walk(c *wire.Cursor) {
	s.Shooter.walk(c, "shooter")
	wire.U16(c, "shot_id", &s.ID)
	vector(c, "position", &s.Position)
	vector(c, "velocity", &s.Velocity)
	float(c, "dt", &s.DT)
	team(c, "team", &s.Team)
}

func (s *Shot) append(b []byte, f FlagType) []byte {
	b = append(s.Shooter.AppendTo(b), "  "...)
	b = bzflag.AppendShot(b, int16(s.ID))
	b = f.append(b, " with ")
	return bzflag.AppendAt(append(b, ' '), &s.Position)
}

// ShotBegin reports a shot. The server relays the client's message unchanged.
type ShotBegin struct {
	TimeSent float32 // seconds, by the sender's clock
	Shot     Shot
	FlagType FlagType // flag that the shooter carries
	Lifetime float32  // seconds
}

func (s *ShotBegin) Walk(c *wire.Cursor) {
	float(c, "time_sent", &s.TimeSent)
	s.Shot.walk(c)
	s.FlagType.walk(c, "flag_type")
	float(c, "lifetime", &s.Lifetime)
}

func (s *ShotBegin) AppendSummary(b []byte) []byte { return s.Shot.append(b, s.FlagType) }

// GMUpdate changes the course of a guided missile.
type GMUpdate struct {
	Shot   Shot
	Target Player // NoPlayer: none
}

func (g *GMUpdate) Walk(c *wire.Cursor) {
	g.Shot.walk(c)
	g.Target.walk(c, "target")
}

func (g *GMUpdate) AppendSummary(b []byte) []byte {
	b = g.Shot.append(b, FlagType{})
	b = append(b, " target "...)
	return g.Target.AppendTo(b)
}

// ShotEnd reports that a shot ended before its lifetime. Usually the player who was hit sends it.
type ShotEnd struct {
	Shooter Player
	ID      int16
	Reason  EndReason
}

func (s *ShotEnd) Walk(c *wire.Cursor) {
	s.Shooter.walk(c, "shooter")
	wire.I16(c, "shot_id", &s.ID)
	wire.Enum16(c, "reason", &s.Reason, endReasons)
	checkEnum(c, endReasons, "reason", int64(s.Reason))
}

func (s *ShotEnd) AppendSummary(b []byte) []byte {
	b = append(s.Shooter.AppendTo(b), "  "...)
	b = bzflag.AppendShot(b, s.ID)
	return bzflag.AppendSymbol(append(b, ' '), endReasons, int64(s.Reason))
}
