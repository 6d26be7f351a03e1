package bzflag24

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// NegotiateFlags lists kinds of flags. A client's request lists the kinds that the client knows. The answer lists the
// kinds in the game that the client does not know.
type NegotiateFlags struct {
	Flags []FlagType
}

func (n *NegotiateFlags) Walk(c *wire.Cursor) {
	wire.List(c, "flags", &n.Flags, wire.UntilEnd, abbreviation, func(f *FlagType, c *wire.Cursor) { f.walk(c, "") })
}

func (n *NegotiateFlags) AppendSummary(b []byte) []byte { return appendCount(b, len(n.Flags), "flag") }

// CustomFlag describes a kind of flag that only this server defines: MsgFlagType.
type CustomFlag struct {
	Type    FlagType
	Quality uint8
	Shot    uint8
	Name    []byte
	Help    []byte
}

func (f *CustomFlag) Walk(c *wire.Cursor) {
	f.Type.walk(c, "flag_type")
	wire.Enum8(c, "quality", &f.Quality, flagQualities)
	checkEnum(c, flagQualities, "quality", int64(f.Quality))
	wire.Enum8(c, "shot", &f.Shot, flagShots)
	checkEnum(c, flagShots, "shot", int64(f.Shot))
	wire.Text32(c, "flag_name", &f.Name)
	wire.Text32(c, "help", &f.Help)
}

func (f *CustomFlag) AppendSummary(b []byte) []byte {
	b = append(f.Type.append(b, ""), ' ')
	return format.AppendQuoted(b, f.Name)
}

// Settings are the rules of a game: MsgGameSettings.
type Settings struct {
	WorldSize    float32 // from one wall to the other
	GameType     GameType
	Options      GameOptions
	MaxPlayers   uint16
	MaxShots     uint16 // maximum number of shots per player at a time
	NumFlags     uint16
	LinearAccel  float32
	AngularAccel float32
	ShakeTimeout uint16 // tenths of seconds until a bad flag can be dropped
	ShakeWins    uint16 // wins until a bad flag can be dropped
	Unused       uint32
}

const settingsSize = 30

func (s *Settings) Walk(c *wire.Cursor) {
	float(c, "world_size", &s.WorldSize)
	gameType(c, &s.GameType)
	wire.Bits16(c, "options", &s.Options, gameOptionBits)
	wire.U16(c, "max_players", &s.MaxPlayers)
	wire.U16(c, "max_shots", &s.MaxShots)
	wire.U16(c, "num_flags", &s.NumFlags)
	float(c, "linear_accel", &s.LinearAccel)
	float(c, "angular_accel", &s.AngularAccel)
	wire.U16(c, "shake_timeout", &s.ShakeTimeout)
	wire.U16(c, "shake_wins", &s.ShakeWins)
	wire.U32(c, "unused", &s.Unused)
}

func gameType(c *wire.Cursor, v *GameType) {
	wire.Enum16(c, "game_type", v, gameTypes)
	checkEnum(c, gameTypes, "game type", int64(*v))
}

func (s *Settings) AppendSummary(b []byte) []byte {
	b = bzflag.AppendSymbol(b, gameTypes, int64(s.GameType))
	b = bzflag.AppendNumber(b, "  shots", int64(s.MaxShots))
	return bzflag.AppendNumber(b, "  flags", int64(s.NumFlags))
}

// CustomSound requests that the client play a sound. Programs no longer send it.
type CustomSound struct {
	Type uint16
	Name []byte
}

func (s *CustomSound) Walk(c *wire.Cursor) {
	wire.U16(c, "type", &s.Type)
	wire.Text16(c, "name", &s.Name)
}
