package bzflag24

import (
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

const (
	callSignSize = 32
	mottoSize    = 128
	tokenSize    = 22
	versionText  = 60
)

// AddPlayer announces a player who is in the game.
type AddPlayer struct {
	Player    Player
	Type      PlayerType
	Team      Team
	Wins      uint16
	Losses    uint16
	TeamKills uint16
	CallSign  []byte
	Motto     []byte
}

const addPlayerSize = 11 + callSignSize + mottoSize

func (a *AddPlayer) Walk(c *wire.Cursor) {
	wire.Enum8(c, "player", &a.Player.ID, playerIDs) // shown without the name, which may still be the previous player's
	playerType(c, &a.Type)
	team(c, "team", &a.Team)
	wire.U16(c, "wins", &a.Wins)
	wire.U16(c, "losses", &a.Losses)
	wire.U16(c, "team_kills", &a.TeamKills)
	wire.Text(c, "call_sign", &a.CallSign, callSignSize)
	wire.Text(c, "motto", &a.Motto, mottoSize)
}

func (a *AddPlayer) AppendSummary(b []byte) []byte {
	b = strconv.AppendUint(b, uint64(a.Player.ID), 10)
	b = append(b, "  "...)
	return appendJoin(b, a.CallSign, a.Team, a.Motto)
}

func playerType(c *wire.Cursor, v *PlayerType) {
	wire.Enum16(c, "type", v, playerTypes)
	checkEnum(c, playerTypes, "player type", int64(*v))
}

func appendJoin(b, callSign []byte, t Team, motto []byte) []byte {
	b = format.AppendQuoted(b, wire.Trim(callSign))
	b = append(b, ' ')
	b = bzflag.AppendSymbol(b, teams, int64(t))
	if motto = wire.Trim(motto); len(motto) > 0 {
		b = append(b, "  "...)
		b = format.AppendQuoted(b, motto)
	}
	return b
}

// OnePlayer is the body of the messages MsgRemovePlayer, MsgAccept and MsgNewRabbit, which contain only a player.
type OnePlayer struct {
	Player Player
}

func (o *OnePlayer) Walk(c *wire.Cursor) { o.Player.walk(c, "player") }

func (o *OnePlayer) AppendSummary(b []byte) []byte { return o.Player.AppendTo(b) }

// Spawn announces that a player's tank is alive, and where the tank is. A client requests a spawn with an empty
// MsgAlive.
type Spawn struct {
	Player   Player
	Position [3]float32
	Azimuth  float32 // radians
}

func (s *Spawn) Walk(c *wire.Cursor) {
	s.Player.walk(c, "player")
	vector(c, "position", &s.Position)
	float(c, "azimuth", &s.Azimuth)
}

func (s *Spawn) AppendSummary(b []byte) []byte {
	b = append(s.Player.AppendTo(b), "  "...)
	return bzflag.AppendAt(b, &s.Position)
}

// Killed reports a death. The victim sends it, and the server adds the victim's number.
type Killed struct {
	Victim        Player // only in the server's message
	Killer        Player
	Reason        KillReason
	Shot          int16 // bzflag.NoShot: none
	FlagType      FlagType
	PhysicsDriver int32 // only if Reason is DeathTouch

	fromServer bool
}

func (k *Killed) Walk(c *wire.Cursor) {
	k.fromServer = c.FromServer()
	sender(c, "victim", &k.Victim)
	k.Killer.walk(c, "killer")
	wire.EnumI16(c, "reason", &k.Reason, killReasons)
	checkEnum(c, killReasons, "reason", int64(k.Reason))
	wire.I16(c, "shot_id", &k.Shot)
	k.FlagType.walk(c, "flag_type")
	if c.When(k.Reason == DeathTouch) {
		wire.I32(c, "physics_driver", &k.PhysicsDriver)
	}
}

func (k *Killed) AppendSummary(b []byte) []byte {
	b = appendSender(b, k.fromServer, &k.Victim)
	b = append(b, "by "...)
	b = k.Killer.AppendTo(b)
	b = append(b, "  "...)
	b = bzflag.AppendSymbol(b, killReasons, int64(k.Reason))
	if k.Shot != bzflag.NoShot {
		b = bzflag.AppendShot(append(b, ' '), k.Shot)
	}
	return k.FlagType.append(b, " with ")
}

// killedSize is the length of the body of a client's MsgKilled without the number of a physics driver.
const killedSize = 7

// sizeKilled returns a function that computes the length of a MsgKilled body from the reason in it. victim is the size
// in bytes of the victim's number: 0 from a client, 1 from a server.
func sizeKilled(victim int) func(body []byte) int {
	return func(body []byte) int {
		at := victim + 1
		if len(body) < at+2 {
			return -1
		}
		n := victim + killedSize
		if KillReason(body[at])<<8|KillReason(body[at+1]) == DeathTouch {
			n += 4
		}
		return n
	}
}

// Teleport reports that a player went through a teleporter. Teleporter N has the faces 2N and 2N+1.
type Teleport struct {
	Player Player // only in the server's message
	From   uint16
	To     uint16

	fromServer bool
}

func (t *Teleport) Walk(c *wire.Cursor) {
	t.fromServer = c.FromServer()
	sender(c, "player", &t.Player)
	wire.U16(c, "from", &t.From)
	wire.U16(c, "to", &t.To)
}

func (t *Teleport) AppendSummary(b []byte) []byte {
	b = appendSender(b, t.fromServer, &t.Player)
	b = bzflag.AppendNumber(b, "face", int64(t.From))
	return bzflag.AppendNumber(b, " to", int64(t.To))
}

// Switch turns something on or off for a player: MsgPause, MsgAutoPilot.
type Switch struct {
	Player Player // only in the server's message
	On     wire.Bool

	fromServer bool
}

func (s *Switch) walk(c *wire.Cursor, name string) {
	s.fromServer = c.FromServer()
	sender(c, "player", &s.Player)
	wire.Bool8(c, name, &s.On)
}

func (s *Switch) AppendSummary(b []byte) []byte {
	b = appendSender(b, s.fromServer, &s.Player)
	if s.On.True() {
		return append(b, "on"...)
	}
	return append(b, "off"...)
}

// Pause stops a tank, or lets it resume.
type Pause struct{ Switch }

func (p *Pause) Walk(c *wire.Cursor) { p.walk(c, "paused") }

// AutoPilot passes control of a tank to the computer, or back to its player.
type AutoPilot struct{ Switch }

func (a *AutoPilot) Walk(c *wire.Cursor) { a.walk(c, "autopilot") }
