package bzflag17

import "github.com/gamedissect/gamedissect/decode/wire"

// FlagID says what a flag does to the tank that carries it.
type FlagID uint16

// Some of the flags, by which others are bounded.
const (
	NoFlag        FlagID = 0
	PurpleFlag    FlagID = 4  // the last of the team flags
	HighSpeed     FlagID = 5  // the first of the good ones
	GuidedMissile FlagID = 10 // its shots are steered by MsgGMUpdate
	Cloaking      FlagID = 25 // the last of the good ones
	WideAngle     FlagID = 33 // the last of the bad ones, and of all
)

// String is the flag's name.
func (f FlagID) String() string { return flagIDs.Format(int64(f)) }

// Abbreviation is what the game shows beside a call sign. Team flags and those that nobody defined
// have none.
func (f FlagID) Abbreviation() string {
	if f < HighSpeed || f > WideAngle {
		return ""
	}
	return abbreviations[f-HighSpeed]
}

// Type is the one that goes with the flag in all of 1.07.
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

var abbreviations = [...]string{"V", "A", "OO", "F", "MG", "GM", "L", "R", "SB", "IB", "ST", "T", "N", "SH", "SR", "SW",
	"PZ", "G", "JP", "ID", "CL", "CB", "O", "<-", "->", "M", "B", "JM", "WA"}

// FlagStatus says where a flag is.
type FlagStatus uint16

// The places.
const (
	NoExist FlagStatus = iota
	OnGround
	OnTank
	InAir  // thrown, and will come down
	Coming // just appeared, and comes down
	Going  // thrown, and disappears
)

func (s FlagStatus) String() string { return flagStatuses.Format(int64(s)) }

var flagStatuses = wire.Names("NoExist", "OnGround", "OnTank", "InAir", "Coming", "Going")

// FlagType says how a flag behaves.
type FlagType uint16

// The types.
const (
	Normal   FlagType = iota // stays, and can be dropped
	Unstable                 // may disappear after use
	Sticky                   // cannot be dropped at will
)

func (t FlagType) String() string { return flagTypes.Format(int64(t)) }

var flagTypes = wire.Names("Normal", "Unstable", "Sticky")
