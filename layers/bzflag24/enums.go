package bzflag24

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// PlayerType is the kind of a player's client.
type PlayerType uint16

// The player types.
const (
	TankPlayer PlayerType = iota
	ComputerPlayer
)

func (t PlayerType) String() string { return playerTypes.Format(int64(t)) }

var playerTypes = wire.Names("TankPlayer", "ComputerPlayer")

// Team is a team's number. It is signed: NoTeam is 0xffff on the wire.
type Team int16

// The teams.
const (
	AutomaticTeam Team = iota - 2 // the server chooses a team
	NoTeam
	RogueTeam
	RedTeam
	GreenTeam
	BlueTeam
	PurpleTeam
	ObserverTeam
	RabbitTeam
	HunterTeam
)

func (t Team) String() string { return teams.Format(int64(t)) }

var teams = bzflag.TeamNames

// GameType is the mode of a game.
type GameType uint16

// The game types.
const (
	TeamFFA GameType = iota
	ClassicCTF
	OpenFFA
	RabbitChase
)

func (t GameType) String() string { return gameTypes.Format(int64(t)) }

var gameTypes = wire.Names("TeamFFA", "ClassicCTF", "OpenFFA", "RabbitChase")

// GameOptions are the rules of a game that can be on or off.
type GameOptions uint16

// The bits.
const (
	SuperFlags  GameOptions = 0x0002
	Jumping     GameOptions = 0x0008
	Inertia     GameOptions = 0x0010
	Ricochet    GameOptions = 0x0020
	Shakable    GameOptions = 0x0040
	Antidote    GameOptions = 0x0080
	Handicap    GameOptions = 0x0100
	NoTeamKills GameOptions = 0x0400
)

var gameOptionBits = wire.Symbols{
	{Value: int64(SuperFlags), Name: "SuperFlags"}, {Value: int64(Jumping), Name: "Jumping"},
	{Value: int64(Inertia), Name: "Inertia"}, {Value: int64(Ricochet), Name: "Ricochet"},
	{Value: int64(Shakable), Name: "Shakable"}, {Value: int64(Antidote), Name: "Antidote"},
	{Value: int64(Handicap), Name: "Handicap"}, {Value: int64(NoTeamKills), Name: "NoTeamKills"},
}

// RejectReason is the server's reason for refusing a MsgEnter.
type RejectReason uint16

// The reasons.
const (
	RejectBadRequest RejectReason = iota
	RejectBadTeam
	RejectBadType
	RejectBadMotto
	RejectTeamFull
	RejectServerFull
	RejectBadCallsign
	RejectRepeatCallsign
	RejectRejoinWaitTime
	RejectIPBanned
	RejectHostBanned
	RejectIDBanned
)

func (r RejectReason) String() string { return rejectReasons.Format(int64(r)) }

var rejectReasons = wire.Names("BadRequest", "BadTeam", "BadType", "BadMotto", "TeamFull", "ServerFull",
	"BadCallsign", "RepeatCallsign", "RejoinWaitTime", "IPBanned", "HostBanned", "IDBanned")

// FlagStatus is the state of a flag.
type FlagStatus uint16

// The states.
const (
	FlagNoExist FlagStatus = iota
	FlagOnGround
	FlagOnTank
	FlagInAir
	FlagComing // appears, for the first time or again
	FlagGoing
)

func (s FlagStatus) String() string { return flagStatuses.Format(int64(s)) }

var flagStatuses = bzflag.FlagStatusNames

// Endurance determines how a flag is lost.
type Endurance uint16

// The endurances.
const (
	FlagNormal   Endurance = iota // a flag of a team
	FlagUnstable                  // a good flag: it vanishes when it is dropped
	FlagSticky                    // a bad flag: the player cannot drop it at will
)

func (e Endurance) String() string { return endurances.Format(int64(e)) }

var endurances = bzflag.EnduranceNames

// KillReason is the cause of a player's death.
type KillReason int16

// The reasons.
const (
	GotKilledMsg KillReason = iota
	GotShot
	GotRunOver
	GotCaptured
	Genocide
	SelfDestruct
	WaterDeath
	LastReason
	DeathTouch KillReason = 0x7064 // death by a physics driver; the driver's number follows
)

func (r KillReason) String() string { return killReasons.Format(int64(r)) }

var killReasons = append(wire.Names("GotKilledMsg", "GotShot", "GotRunOver", "GotCaptured", "Genocide",
	"SelfDestruct", "WaterDeath", "LastReason"), wire.Symbol{Value: int64(DeathTouch), Name: "DeathTouch"})

// EndReason is the reason why a shot ended. It determines whether clients show an explosion.
type EndReason uint16

// The reasons.
const (
	HitObstacle EndReason = iota
	HitTank
)

func (r EndReason) String() string { return endReasons.Format(int64(r)) }

var endReasons = bzflag.EndReasonNames

// PlayerStatus has the bits of a tank's status. Some bits mean that optional fields follow the update.
type PlayerStatus uint16

// The bits.
const (
	Alive PlayerStatus = 1 << iota
	Paused
	Exploding
	Teleporting
	FlagActive
	CrossingWall
	Falling
	OnDriver   // a physics driver moves the tank; the driver's number follows
	UserInputs // the player's input follows
	JumpJets   // the scale of the tank's jump jets follows
	PlaySound  // sounds to be played follow
)

var playerStatusBits = wire.BitNames("Alive", "Paused", "Exploding", "Teleporting", "FlagActive", "CrossingWall",
	"Falling", "OnDriver", "UserInputs", "JumpJets", "PlaySound")

// Sounds has a bit for each sound that an update can request.
type Sounds uint8

// The bits.
const (
	SoundJump Sounds = 1 << iota
	SoundWings
	SoundBounce
)

var soundBits = wire.BitNames("Jump", "Wings", "Bounce")

// PlayerAttributes are the attributes of a player in MsgPlayerInfo.
type PlayerAttributes uint8

// The bits.
const (
	Registered PlayerAttributes = 1 << iota
	Verified
	Admin
)

var attributeBits = wire.BitNames("Registered", "Verified", "Admin")

// MessageType is the type of a line of chat.
type MessageType uint8

// The types.
const (
	Chatted MessageType = iota
	Action
)

func (t MessageType) String() string { return messageTypes.Format(int64(t)) }

var messageTypes = wire.Names("Chat", "Action")

var (
	flagQualities = wire.Names("Good", "Bad")
	flagShots     = wire.Names("Normal", "Special")
)

// checkEnum reports an undefined value in the last field that the cursor visited.
func checkEnum(c *wire.Cursor, s wire.Symbols, name string, v int64) {
	bzflag.CheckEnum(c, ruleEnum, s, name, v)
}

// team walks a team's number.
func team(c *wire.Cursor, name string, v *Team) {
	wire.EnumI16(c, name, v, teams)
	checkEnum(c, teams, name, int64(*v))
}
