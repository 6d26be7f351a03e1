package bzflag

import (
	"strconv"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// These functions append parts of summaries. They do not allocate.

// AppendAt appends a position with one decimal.
func AppendAt(b []byte, v *[3]float32) []byte {
	b = append(b, "at ("...)
	for i, f := range v {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendRounded(b, f)
	}
	return append(b, ')')
}

func appendRounded(b []byte, f float32) []byte {
	if !Finite(f) {
		return format.AppendFloat(b, f)
	}
	return strconv.AppendFloat(b, float64(f), 'f', 1, 32)
}

// AppendNumber appends a word and a number, such as "flag 3".
func AppendNumber(b []byte, word string, v int64) []byte {
	b = append(b, word...)
	b = append(b, ' ')
	return strconv.AppendInt(b, v, 10)
}

// AppendCallSign appends a call sign after the player's id. It appends nothing if the call sign is "".
func AppendCallSign(b []byte, callSign string) []byte {
	switch {
	case callSign == "":
		return b
	case strings.Contains(callSign, " "): // ambiguous without quotes
		return format.AppendQuoted(append(b, ' '), []byte(callSign))
	}
	return format.AppendEscaped(append(b, ' '), []byte(callSign))
}

// AppendSymbol appends the name of a value, or the number if the value has no name.
func AppendSymbol(b []byte, s wire.Symbols, v int64) []byte {
	if name := s.Name(v); name != "" {
		return append(b, name...)
	}
	return strconv.AppendInt(b, v, 10)
}

// AppendStatus appends the names of the set bits, each followed by a space. A tank with no bits is dead.
func AppendStatus(b []byte, s wire.Symbols, v int64) []byte {
	if v == 0 {
		b = append(b, "Dead "...)
	}
	for i := range s {
		if s[i].Value&v != 0 {
			b = append(b, s[i].Name...)
			b = append(b, ' ')
		}
	}
	return b
}

// NoShot takes the place of a shot's number if there is no shot.
const NoShot = -1

// AppendShot appends the number of a shot, such as "shot 258".
func AppendShot(b []byte, id int16) []byte {
	if id == NoShot {
		return append(b, "no shot"...)
	}
	return AppendNumber(b, "shot", int64(id))
}

// AppendScore appends wins and losses.
func AppendScore(b []byte, wins, losses uint16) []byte {
	b = AppendNumber(b, "wins", int64(wins))
	return AppendNumber(b, ", losses", int64(losses))
}

// A shot's number consists of a slot among the player's shots, in the low byte, and a salt that distinguishes the shot
// from earlier shots in that slot.

// ShotSlot returns the slot of a shot.
func ShotSlot(id uint16) int { return int(id & 0xff) }

// ShotSalt returns the salt of a shot.
func ShotSalt(id uint16) int { return int(id >> 8) }
