package bzflag17

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// ShotBegin reports a shot. The server relays the client's message unchanged to all players, including the shooter. See
// MsgShotBegin in the protocol document.
type ShotBegin struct {
	Shooter  Player
	ShotID   uint16 // low byte: slot, one for each shot that a player may have at a time; high byte: counter of shots
	Position [3]float32
	Velocity [3]float32
	Time     float32 // seconds since the shot was fired
	FlagType FlagID  // flag that the shooter carried
	Lifetime float32
}

func (s *ShotBegin) Walk(c *wire.Cursor) {
	s.Shooter.walk(c, "shooter")
	wire.U16(c, "shot_id", &s.ShotID)
	vector(c, "position", &s.Position)
	vector(c, "velocity", &s.Velocity)
	float(c, "time", &s.Time)
	flagID(c, "flag_type", &s.FlagType)
	float(c, "lifetime", &s.Lifetime)
}

func (s *ShotBegin) AppendSummary(b []byte) []byte {
	b = s.Shooter.AppendTo(b)
	b = append(b, "  "...)
	b = bzflag.AppendShot(b, int16(s.ShotID))
	if s.FlagType != NoFlag {
		b = append(b, " with "...)
		b = bzflag.AppendSymbol(b, flagIDs, int64(s.FlagType))
	}
	b = append(b, ' ')
	return bzflag.AppendAt(b, &s.Position)
}

// ShotEnd reports that a shot ended before its lifetime was over. Usually the player who was hit sends it. See
// MsgShotEnd in the protocol document.
type ShotEnd struct {
	Shooter Player
	ShotID  int16
	Reason  EndReason

	byDocument bool // names the reason as the document does
}

func (s *ShotEnd) Walk(c *wire.Cursor) {
	s.byDocument = c.Dialect() == wire.Document
	s.Shooter.walk(c, "shooter")
	wire.I16(c, "shot_id", &s.ShotID)
	wire.Enum16(c, "reason", &s.Reason, s.reasons())
	if s.Reason > HitTank {
		c.Report(ruleEndReason, "reason %d, 0 and 1 are defined", uint16(s.Reason))
	}
}

// reasons returns the names of the reasons. The document swaps their meanings.
func (s *ShotEnd) reasons() wire.Symbols {
	if s.byDocument {
		return documentEndReasons
	}
	return endReasons
}

func (s *ShotEnd) AppendSummary(b []byte) []byte {
	b = s.Shooter.AppendTo(b)
	b = append(b, "  "...)
	b = bzflag.AppendShot(b, s.ShotID)
	b = append(b, ' ')
	return bzflag.AppendSymbol(b, s.reasons(), int64(s.Reason))
}

// GuidedUpdate changes the course of a guided missile. The shooter sends it to all other players. See MsgGMUpdate in
// the protocol document.
type GuidedUpdate struct {
	Shooter  Player
	ShotID   uint16
	Position [3]float32
	Velocity [3]float32
	Time     float32 // seconds since the shot was fired
	Target   Player  // zero: no target
}

func (g *GuidedUpdate) Walk(c *wire.Cursor) {
	g.Shooter.walk(c, "shooter")
	wire.U16(c, "shot_id", &g.ShotID)
	vector(c, "position", &g.Position)
	vector(c, "velocity", &g.Velocity)
	float(c, "time", &g.Time)
	g.Target.walk(c, "target")
}

func (g *GuidedUpdate) AppendSummary(b []byte) []byte {
	b = g.Shooter.AppendTo(b)
	b = append(b, "  "...)
	b = bzflag.AppendShot(b, int16(g.ShotID))
	b = append(b, ' ')
	b = bzflag.AppendAt(b, &g.Position)
	if g.Target.ID.IsZero() {
		return append(b, " no target"...)
	}
	b = append(b, " target "...)
	return g.Target.AppendTo(b)
}
