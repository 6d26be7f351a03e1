package bzflag17

import (
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// playerIDSize is the length of a PlayerID on the wire.
const playerIDSize = 8

// PlayerID names a player. Document, common message structures. It is the address of the server as
// the client sees it, the port that the hello announced, and a number that counts the players of
// one client. A server of 1.07e makes its own: the client's address and port, and an index.
type PlayerID struct {
	Host   [4]byte
	Port   uint16
	Number uint16
}

// Walk lists the id as one field.
func (p *PlayerID) Walk(c *wire.Cursor, name string) {
	wire.Endpoint(c, name, &p.Host, &p.Port, &p.Number)
}

// IsZero tells whether the id is all zeros, which stands for nobody or everybody.
func (p PlayerID) IsZero() bool { return p == PlayerID{} }

// AppendTo appends the id as text: "127.0.0.1:5156:0".
func (p PlayerID) AppendTo(b []byte) []byte { return wire.AppendEndpoint(b, p.Host, p.Port, p.Number) }

func (p PlayerID) String() string { return string(p.AppendTo(nil)) }

// sender walks the id of the player who acts. A client leaves it out: it speaks for itself.
func sender(c *wire.Cursor, name string, p *PlayerID) {
	if c.FromServer() {
		p.Walk(c, name)
	}
}

// appendSender begins a summary with the player who acts, if the message names one.
func appendSender(b []byte, p PlayerID) []byte {
	if p.IsZero() {
		return b
	}
	return append(p.AppendTo(b), "  "...)
}

// vector walks a position, a velocity or a direction.
func vector(c *wire.Cursor, name string, v *[3]float32) {
	wire.Vec3(c, name, v)
	if !finite(v[0]) || !finite(v[1]) || !finite(v[2]) {
		c.Report(ruleNumber, "%s is (%s, %s, %s)", name, decimal(v[0]), decimal(v[1]), decimal(v[2]))
	}
}

// float walks a single number.
func float(c *wire.Cursor, name string, v *float32) {
	wire.F32(c, name, v)
	if !finite(*v) {
		c.Report(ruleNumber, "%s is %s", name, decimal(*v))
	}
}

func decimal(f float32) string { return string(wire.AppendFloat(nil, f)) }

// finite tells numbers from what is none: the difference of such a thing to itself is no number.
func finite(f float32) bool { return f-f == 0 }

// text walks a text in a field of n bytes. Document: NUL terminated ASCII, padded with NULs.
func text(c *wire.Cursor, name string, v *[]byte, n int) {
	wire.Text(c, name, v, n)
	if !c.Reading() || c.Failed() {
		return
	}
	words := wire.Trim(*v)
	switch {
	case len(words) == n:
		c.Report(rulePadding, "%s has no NUL in its %d bytes", name, n)
	case !wire.Padded(*v):
		c.Report(rulePadding, "bytes other than NUL follow the end of %s", name)
	}
	for _, x := range words {
		if x >= 0x80 {
			c.Report(ruleASCII, "%s has byte 0x%02x", name, x)
			return
		}
	}
}

// appendAt tells a position, rounded: a line is no place for nine digits.
func appendAt(b []byte, v *[3]float32) []byte {
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
	if !finite(f) {
		return wire.AppendFloat(b, f)
	}
	return strconv.AppendFloat(b, float64(f), 'f', 1, 32)
}

// appendSymbol appends a value's name, or the number without one. It costs no memory, as String
// may.
func appendSymbol(b []byte, s wire.Symbols, v int64) []byte {
	if name := s.Name(v); name != "" {
		return append(b, name...)
	}
	return strconv.AppendInt(b, v, 10)
}

// appendShot appends the number of a shot: the salt that makes it differ from earlier ones, and
// the slot it takes.
func appendShot(b []byte, id int16) []byte {
	if id == NoShot {
		return append(b, "no shot"...)
	}
	b = append(b, "shot "...)
	return strconv.AppendInt(b, int64(id), 10)
}
