package bzflag17

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// PlayerType is the kind of a player's client.
type PlayerType uint16

// The player types. Observers of 1.07e are tanks whose call sign begins with '@'.
const (
	TankPlayer PlayerType = iota
	JAFOPlayer            // an observer, who only watches
	ComputerPlayer
)

func (t PlayerType) String() string { return playerTypes.Format(int64(t)) }

var playerTypes = wire.Names("TankPlayer", "JAFOPlayer", "ComputerPlayer")

// Team is a team's number. It is signed: NoTeam is 0xffff on the wire.
type Team int16

// The teams. In a message, Rogue means all players.
const (
	NoTeam Team = iota - 1
	RogueTeam
	RedTeam
	GreenTeam
	BlueTeam
	PurpleTeam
)

func (t Team) String() string { return teams.Format(int64(t)) }

var teams = wire.Symbols{
	{Value: int64(RogueTeam), Name: "Rogue"}, {Value: int64(RedTeam), Name: "Red"},
	{Value: int64(GreenTeam), Name: "Green"}, {Value: int64(BlueTeam), Name: "Blue"},
	{Value: int64(PurpleTeam), Name: "Purple"}, {Value: int64(NoTeam), Name: "NoTeam"},
}

// RejectReason is the server's reason for refusing a MsgEnter. See "join game" in the protocol document.
type RejectReason uint16

func (r RejectReason) String() string { return rejectReasons.Format(int64(r)) }

var rejectReasons = wire.Names("BadRequest", "BadTeam", "BadType", "NoRogues", "TeamFull", "ServerFull")

// EndReason is the reason why a shot ended. It determines whether clients show an explosion.
type EndReason uint16

// The reasons, as real programs use them.
const (
	HitObstacle EndReason = iota // a building or the ground; clients show the explosion
	HitTank                      // a tank; clients show only the explosion of the tank
)

func (r EndReason) String() string { return endReasons.Format(int64(r)) }

var (
	endReasons         = bzflag.EndReasonNames
	documentEndReasons = wire.Names("NoExplosion", "ShowExplosion") // the document swaps the two reasons
)

// PlayerStatus is the status of a tank, one bit for each property. In the status of a dead tank, no bit is set.
type PlayerStatus uint16

// The bits of PlayerStatus. A tank that is shot while in the air is Exploding and Falling.
const (
	Alive PlayerStatus = 1 << iota
	Paused
	Exploding
	Teleporting
	FlagActive   // the flag's power is in use, for example that of Phantom Zone
	CrossingWall // inside a wall or a teleporter
	Falling

	definedStatus = 2*Falling - 1 // all bits
)

var statusBits = wire.Symbols{
	{Value: int64(Alive), Name: "Alive"}, {Value: int64(Paused), Name: "Paused"},
	{Value: int64(Exploding), Name: "Exploding"}, {Value: int64(Teleporting), Name: "Teleporting"},
	{Value: int64(FlagActive), Name: "FlagActive"}, {Value: int64(CrossingWall), Name: "CrossingWall"},
	{Value: int64(Falling), Name: "Falling"},
}

// GameStyle is the style of a game, one bit for each option.
type GameStyle uint16

// The bits of GameStyle that this package names.
const (
	TeamFlags GameStyle = 0x0001
	Jumping   GameStyle = 0x0008
	Ricochet  GameStyle = 0x0020
)

var gameStyleBits = wire.Symbols{
	{Value: 0x0001, Name: "TeamFlag"}, {Value: 0x0002, Name: "SuperFlag"}, {Value: 0x0004, Name: "Rogues"},
	{Value: 0x0008, Name: "Jumping"}, {Value: 0x0010, Name: "Inertia"}, {Value: 0x0020, Name: "Ricochet"},
	{Value: 0x0040, Name: "Shakable"}, {Value: 0x0080, Name: "Antidote"}, {Value: 0x0100, Name: "TimeSync"},
}

// RadioFlags has the flag bits of MsgAcquireRadio.
type RadioFlags uint16

var radioFlagBits = wire.Symbols{{Value: 0x0001, Name: "RadioToAll"}}

// checkEnum reports an undefined value in the last field that the cursor visited.
func checkEnum(c *wire.Cursor, s wire.Symbols, name string, v int64) {
	bzflag.CheckEnum(c, ruleEnum, s, name, v)
}

// team walks a team's number.
func team(c *wire.Cursor, name string, v *Team) {
	wire.EnumI16(c, name, v, teams)
	checkEnum(c, teams, name, int64(*v))
}

// FlagID is the number of a kind of flag. The kind determines the effect on the tank that carries the flag.
type FlagID uint16

// The flags that the rules and the tracker mention. Some of them are the first or last of a group.
const (
	NoFlag          FlagID = 0
	PurpleFlag      FlagID = 4  // the last team flag
	RapidFire       FlagID = 8  // the first flag that changes the kind of shots
	GuidedMissile   FlagID = 10 // MsgGMUpdate steers its shots
	InvisibleBullet FlagID = 14 // the last flag that changes the kind of shots, apart from Shock Wave and Phantom Zone
	Steamroller     FlagID = 19
	ShockWave       FlagID = 20
	PhantomZone     FlagID = 21
	Genocide        FlagID = 22
	Cloaking        FlagID = 25 // the last good flag
	WideAngle       FlagID = 33 // the last bad flag and the last of all flags
)

func (f FlagID) String() string { return flagIDs.Format(int64(f)) }

// Type returns the type of the flag, which is the same in all releases of 1.07.
func (f FlagID) Type() FlagType {
	switch {
	case f <= PurpleFlag:
		return Normal
	case f <= Cloaking:
		return Unstable
	}
	return Sticky
}

var flagIDs = wire.Names("None", "Red Team", "Green Team", "Blue Team", "Purple Team",
	"High Speed", "Quick Turn", "Oscillation Overthruster", "Rapid Fire", "Machine Gun", "Guided Missile", "Laser",
	"Ricochet", "Super Bullet", "Invisible Bullet", "Stealth", "Tiny", "Narrow", "Shield", "Steamroller", "Shock Wave",
	"Phantom Zone", "Genocide", "Jumping", "Identify", "Cloaking",
	"Colorblindness", "Obesity", "Left Turn Only", "Right Turn Only", "Momentum", "Blindness", "Jamming", "Wide Angle")

// FlagStatus is the state of a flag.
type FlagStatus uint16

// The values of FlagStatus.
const (
	NoExist FlagStatus = iota
	OnGround
	OnTank
	InAir  // was thrown and will land
	Coming // just appeared and is landing
	Going  // was thrown and is disappearing
)

func (s FlagStatus) String() string { return flagStatuses.Format(int64(s)) }

var flagStatuses = bzflag.FlagStatusNames

// FlagType determines whether and how a tank can lose a flag.
type FlagType uint16

// The types.
const (
	Normal   FlagType = iota // stays until the player drops it
	Unstable                 // may disappear after use
	Sticky                   // the player cannot drop it at will
)

func (t FlagType) String() string { return flagTypes.Format(int64(t)) }

var flagTypes = bzflag.EnduranceNames
