package bzflag24

import (
	"math"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// Motion is the position and the movement of a tank, from MsgPlayerUpdate or MsgPlayerUpdateSmall. The server relays
// both messages unchanged to all other players.
type Motion struct {
	Timestamp       float32 // seconds, by the sender's clock
	Player          Player
	Order           int32 // increases by one with each update
	Status          PlayerStatus
	Position        [3]float32
	Velocity        [3]float32 // per second
	Azimuth         float32    // radians
	AngularVelocity float32    // radians per second

	// Each of the following fields is present only if its bit in the status is set.
	JumpJets            float32 // 1: full power
	PhysicsDriver       int32
	UserSpeed           float32
	UserAngularVelocity float32
	Sounds              Sounds
}

// The units of MsgPlayerUpdateSmall, and of the optional fields in both types of updates.
const (
	unitPosition        = 0.02
	unitVelocity        = 0.01
	unitAngle           = math.Pi / 32766
	unitAngularVelocity = 0.001
	unitJumpJets        = 1.0 / 32766
)

// The lengths of the updates without the optional fields.
const (
	updateHead      = 11
	updateSize      = updateHead + 32
	updateSmallSize = updateHead + 16
	updateTail      = 11 // maximum length of the optional fields
)

func (m *Motion) walkHead(c *wire.Cursor) {
	float(c, "timestamp", &m.Timestamp)
	m.Player.walk(c, "player")
	wire.I32(c, "order", &m.Order)
	wire.Bits16(c, "status", &m.Status, playerStatusBits)
}

// walkTail lists the optional fields in their order on the wire.
func (m *Motion) walkTail(c *wire.Cursor) {
	if c.When(m.Status&JumpJets != 0) {
		wire.ScaledI16(c, "jump_jets", &m.JumpJets, unitJumpJets)
	}
	if c.When(m.Status&OnDriver != 0) {
		wire.I32(c, "physics_driver", &m.PhysicsDriver)
	}
	if c.When(m.Status&UserInputs != 0) {
		wire.ScaledI16(c, "user_speed", &m.UserSpeed, unitVelocity)
		wire.ScaledI16(c, "user_angular_velocity", &m.UserAngularVelocity, unitAngularVelocity)
	}
	if c.When(m.Status&PlaySound != 0) {
		wire.Bits8(c, "sounds", &m.Sounds, soundBits)
	}
}

// sizeUpdate returns a function that computes the length of an update from its status.
func sizeUpdate(fixed int) func(body []byte) int {
	return func(body []byte) int {
		if len(body) < updateHead {
			return -1
		}
		status := PlayerStatus(body[9])<<8 | PlayerStatus(body[10])
		if status&(JumpJets|OnDriver|UserInputs|PlaySound) == 0 {
			return fixed
		}
		n := fixed
		for _, part := range [...]struct {
			bit  PlayerStatus
			size int
		}{{JumpJets, 2}, {OnDriver, 4}, {UserInputs, 4}, {PlaySound, 1}} {
			if status&part.bit != 0 {
				n += part.size
			}
		}
		return n
	}
}

func (m *Motion) AppendSummary(b []byte) []byte {
	b = append(m.Player.AppendTo(b), "  "...)
	b = bzflag.AppendStatus(b, playerStatusBits, int64(m.Status))
	return bzflag.AppendAt(b, &m.Position)
}

// PlayerUpdate is a full update. Clients send it for positions and speeds outside the range of MsgPlayerUpdateSmall,
// and to servers that forbid MsgPlayerUpdateSmall.
type PlayerUpdate struct{ Motion }

func (u *PlayerUpdate) Walk(c *wire.Cursor) {
	u.walkHead(c)
	vector(c, "position", &u.Position)
	vector(c, "velocity", &u.Velocity)
	float(c, "azimuth", &u.Azimuth)
	float(c, "angular_velocity", &u.AngularVelocity)
	u.walkTail(c)
}

// PlayerUpdateSmall is a short update. Its numbers have two bytes each and are multiples of small units.
type PlayerUpdateSmall struct{ Motion }

func (u *PlayerUpdateSmall) Walk(c *wire.Cursor) {
	u.walkHead(c)
	wire.ScaledVec3(c, "position", &u.Position, unitPosition)
	wire.ScaledVec3(c, "velocity", &u.Velocity, unitVelocity)
	wire.ScaledI16(c, "azimuth", &u.Azimuth, unitAngle)
	wire.ScaledI16(c, "angular_velocity", &u.AngularVelocity, unitAngularVelocity)
	u.walkTail(c)
}
