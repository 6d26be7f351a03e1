package bzflag17

import (
	"math"
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// The lengths of the bodies of MsgAddPlayer and MsgPlayerUpdate. In 1.07e, the MsgAddPlayer that adds the receiver
// itself is eight bytes longer.
const (
	addPlayerSize    = 16 + callSignSize + emailSize
	playerUpdateSize = 42
)

// AddPlayer announces a player who is in the game. See MsgAddPlayer in the protocol document.
type AddPlayer struct {
	Player   Player
	Type     PlayerType
	Team     Team
	Wins     uint16
	Losses   uint16
	CallSign []byte
	Email    []byte
	NewID    PlayerID // the id that a server of 1.07e assigned, if the player is the receiver
	HasNewID bool
}

func (a *AddPlayer) Walk(c *wire.Cursor) {
	a.Player.walk(c, "player")
	playerType(c, &a.Type)
	team(c, "team", &a.Team)
	wire.U16(c, "wins", &a.Wins)
	wire.U16(c, "losses", &a.Losses)
	text(c, "call_sign", &a.CallSign, callSignSize)
	text(c, "email", &a.Email, emailSize)
	if c.Present(&a.HasNewID, playerIDSize) {
		a.NewID.walk(c, "new_id")
	}
}

func (a *AddPlayer) AppendSummary(b []byte) []byte {
	b = appendPlayer(b, a.Player.ID, a.CallSign, a.Team)
	if a.HasNewID {
		b = append(b, "  now "...)
		b = a.NewID.AppendTo(b)
	}
	return b
}

// RemovePlayer reports that a player has left. See MsgRemovePlayer in the protocol document.
type RemovePlayer struct {
	Player Player
}

func (r *RemovePlayer) Walk(c *wire.Cursor) { r.Player.walk(c, "player") }

func (r *RemovePlayer) AppendSummary(b []byte) []byte { return r.Player.AppendTo(b) }

// Spawn reports that a player's tank appears on the board. See MsgAlive in the protocol document.
type Spawn struct {
	Player   Player // only in the server's message
	Position [3]float32
	Forward  [3]float32 // direction of the tank
}

// unitTolerance is the maximum difference between 1 and the length of a unit vector.
const unitTolerance = 0.01

func (s *Spawn) Walk(c *wire.Cursor) {
	sender(c, "player", &s.Player)
	place(c, &s.Position)
	vector(c, "forward", &s.Forward)
	if n := length(s.Forward[:]); math.Abs(n-1) > unitTolerance {
		c.Report(ruleForward, "the vector's length is %.3g", n)
	}
}

func (s *Spawn) AppendSummary(b []byte) []byte {
	return bzflag.AppendAt(appendSender(b, &s.Player), &s.Position)
}

func length(v []float32) float64 {
	sum := 0.0
	for _, f := range v {
		sum += float64(f) * float64(f)
	}
	return math.Sqrt(sum)
}

// The bounds of the world, and the speed of a tank with the High Speed flag. They include a margin for rounding errors.
const (
	worldHalf = 400.5
	topSpeed  = 25 * 1.5 * 1.01
)

func place(c *wire.Cursor, v *[3]float32) {
	vector(c, "position", v)
	if math.Abs(float64(v[0])) > worldHalf || math.Abs(float64(v[1])) > worldHalf {
		c.Report(ruleMotion, "(%v, %v) is outside the world", v[0], v[1])
	}
}

// PlayerUpdate reports the position and the movement of a tank. Other clients extrapolate the movement. See
// MsgPlayerUpdate in the protocol document.
type PlayerUpdate struct {
	Player          Player
	Status          PlayerStatus
	Position        [3]float32
	Velocity        [3]float32 // per second
	Azimuth         float32    // radians; 0 is the direction of x
	AngularVelocity float32
}

func (u *PlayerUpdate) Walk(c *wire.Cursor) {
	u.Player.walk(c, "player")
	wire.Bits16(c, "status", &u.Status, statusBits)
	if extra := u.Status &^ definedStatus; extra != 0 {
		c.Report(ruleStatus, "bits 0x%04x of 0x%04x are not defined", uint16(extra), uint16(u.Status))
	}
	place(c, &u.Position)
	vector(c, "velocity", &u.Velocity)
	if n := length(u.Velocity[:2]); n > topSpeed { // horizontal speed only, because a falling tank may be faster
		c.Report(ruleMotion, "the tank moves at %.4g a second", n)
	}
	float(c, "azimuth", &u.Azimuth)
	float(c, "angular_velocity", &u.AngularVelocity)
}

func (u *PlayerUpdate) AppendSummary(b []byte) []byte {
	b = u.Player.AppendTo(b)
	b = append(b, "  "...)
	b = bzflag.AppendStatus(b, statusBits, int64(u.Status))
	return bzflag.AppendAt(b, &u.Position)
}

// Killed reports a death. See MsgKilled in the protocol document.
type Killed struct {
	Victim Player // only in the server's message
	Killer Player // receives the credit for the kill; may be the victim
	ShotID int16  // shot of the killer; NoShot: run over, or self-inflicted
}

// NoShot takes the place of a shot's number if there was no shot.
const NoShot = bzflag.NoShot

func (k *Killed) Walk(c *wire.Cursor) {
	sender(c, "victim", &k.Victim)
	k.Killer.walk(c, "killer")
	wire.I16(c, "shot_id", &k.ShotID)
}

func (k *Killed) AppendSummary(b []byte) []byte {
	b = appendSender(b, &k.Victim)
	b = append(b, "by "...)
	b = k.Killer.AppendTo(b)
	b = append(b, "  "...)
	return bzflag.AppendShot(b, k.ShotID)
}

// Score is a player's new score. See MsgScore in the protocol document.
type Score struct {
	Player Player // only in the server's message
	Wins   uint16
	Losses uint16
}

func (s *Score) Walk(c *wire.Cursor) {
	sender(c, "player", &s.Player)
	wire.U16(c, "wins", &s.Wins)
	wire.U16(c, "losses", &s.Losses)
}

func (s *Score) AppendSummary(b []byte) []byte {
	return bzflag.AppendScore(appendSender(b, &s.Player), s.Wins, s.Losses)
}

// Teleport reports that a player went through a teleporter, from one face to another. Teleporter N has the faces 2N and
// 2N+1. See MsgTeleport in the protocol document.
type Teleport struct {
	Player Player // only in the server's message
	From   uint16
	To     uint16
}

func (t *Teleport) Walk(c *wire.Cursor) {
	sender(c, "player", &t.Player)
	wire.U16(c, "from", &t.From)
	wire.U16(c, "to", &t.To)
}

func (t *Teleport) AppendSummary(b []byte) []byte {
	b = appendSender(b, &t.Player)
	b = append(b, "face "...)
	b = strconv.AppendUint(b, uint64(t.From), 10)
	b = append(b, " to "...)
	return strconv.AppendUint(b, uint64(t.To), 10)
}
