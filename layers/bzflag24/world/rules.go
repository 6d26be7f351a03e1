package world

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

const inGame = "the real programs (2.4.26)"

// The rules about worlds. They belong to the protocol bzflag24.
var (
	RuleStructure = &wire.Rule{
		ID: "bzflag24.world-structure", Severity: wire.Error, Rests: wire.OnContext,
		Title:  "a malformed world database",
		Why:    "The world database begins with a header (code he), which has a version and sizes, and ends with the code ed. Between them is the compressed world. Each of its lists begins with a length. A client that cannot read the world to the last byte does not join.",
		Source: inGame + ", MsgGetWorld",
	}
	RuleNumber = &wire.Rule{
		ID: "bzflag24.not-a-number", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "NaN or infinity in a float",
		Why:    "Programs use positions and velocities to compute the next ones. After one value that is not a number, all later values are not numbers either, and the tank or shot vanishes.",
		Source: inGame,
	}
)

// vector walks the three numbers of a position, a direction or a size.
func vector(c *wire.Cursor, name string, v *[3]float32) { bzflag.Vector(c, name, v, RuleNumber) }

// float walks one float.
func float(c *wire.Cursor, name string, v *float32) { bzflag.Float(c, name, v, RuleNumber) }
