package bzflag24

import (
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/layers/bzflag24/world"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// PlayerID is a player's number on a server. Players have the numbers 0 to 199, and observers of a replay 200 to 215.
type PlayerID uint8

// Numbers with a special meaning. The numbers from 244 to 251 are teams.
const (
	HunterPlayers PlayerID = 244
	RoguePlayers  PlayerID = 251
	AdminPlayers  PlayerID = 252
	ServerPlayer  PlayerID = 253
	AllPlayers    PlayerID = 254
	NoPlayer      PlayerID = 255
)

var playerIDs = wire.Symbols{
	{Value: int64(NoPlayer), Name: "none"}, {Value: int64(AllPlayers), Name: "all"},
	{Value: int64(ServerPlayer), Name: "server"}, {Value: int64(AdminPlayers), Name: "admins"},
	{Value: int64(RoguePlayers), Name: "Rogue team"}, {Value: 250, Name: "Red team"},
	{Value: 249, Name: "Green team"}, {Value: 248, Name: "Blue team"}, {Value: 247, Name: "Purple team"},
	{Value: 246, Name: "observers"}, {Value: 245, Name: "Rabbit team"}, {Value: int64(HunterPlayers), Name: "Hunter team"},
}

// Player is a player in a message.
type Player struct {
	ID       PlayerID
	CallSign string // "" unless a session knows it
}

func (p *Player) walk(c *wire.Cursor, name string) {
	wire.Named8(c, name, &p.ID, &p.CallSign, playerIDs)
}

// AppendTo appends the player in readable form: "3 Alice", "3", "server".
func (p *Player) AppendTo(b []byte) []byte {
	if name := playerIDs.Name(int64(p.ID)); name != "" {
		return append(b, name...)
	}
	return bzflag.AppendCallSign(strconv.AppendUint(b, uint64(p.ID), 10), p.CallSign)
}

func (p *Player) String() string { return string(p.AppendTo(nil)) }

// subject returns the name of the player in values and events. The call sign is not escaped, so programs that display
// it must escape it.
func (p *Player) subject() string {
	if p.CallSign == "" {
		return p.String()
	}
	return strconv.Itoa(int(p.ID)) + " " + p.CallSign
}

// sender walks the acting player. A client's message does not contain it, because a client acts only for its own
// player.
func sender(c *wire.Cursor, name string, p *Player) {
	if c.When(c.FromServer()) {
		p.walk(c, name)
	}
}

// appendSender begins a summary with the acting player, if the message names one.
func appendSender(b []byte, fromServer bool, p *Player) []byte {
	if !fromServer {
		return b
	}
	return append(p.AppendTo(b), "  "...)
}

// vector walks the three numbers of a position, a velocity or a direction.
func vector(c *wire.Cursor, name string, v *[3]float32) { bzflag.Vector(c, name, v, world.RuleNumber) }

// float walks a single number.
func float(c *wire.Cursor, name string, v *float32) { bzflag.Float(c, name, v, world.RuleNumber) }

// abbreviation is the length of the abbreviation of a kind of flag: "GM", or "V" and a NUL. Two NULs mean no flag.
const abbreviation = 2

// FlagType is the abbreviation of a kind of flag, such as "GM" or "R*"; "" means no flag.
type FlagType [abbreviation]byte

func (f *FlagType) walk(c *wire.Cursor, name string) {
	wire.Word(c, name, f[:])
}

func (f FlagType) String() string { return string(wire.Trim(f[:])) }

func (f FlagType) append(b []byte, before string) []byte {
	if f == (FlagType{}) {
		return b
	}
	b = append(b, before...)
	return format.AppendEscaped(b, wire.Trim(f[:]))
}
