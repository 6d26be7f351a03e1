package bzflag17

import (
	"encoding/binary"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// playerIDSize is the length of a PlayerID on the wire.
const playerIDSize = 8

// PlayerID identifies a player. It consists of the server's address as the client sees it, the port that the hello
// announced, and a number that distinguishes the players of a client. A server of 1.07e assigns other ids. They consist
// of the client's address and port, and an index. See "common message structures" in the protocol document.
type PlayerID struct {
	Host   [4]byte
	Port   uint16
	Number uint16
}

func (p *PlayerID) walk(c *wire.Cursor, name string) {
	b := p.bytes()
	wire.IPv4PortNumber(c, name, &b, nil)
	*p = playerIDFrom(b)
}

func (p PlayerID) bytes() (b [playerIDSize]byte) {
	copy(b[:], p.Host[:])
	binary.BigEndian.PutUint16(b[4:], p.Port)
	binary.BigEndian.PutUint16(b[6:], p.Number)
	return b
}

func playerIDFrom(b [playerIDSize]byte) PlayerID {
	return PlayerID{[4]byte(b[:]), binary.BigEndian.Uint16(b[4:]), binary.BigEndian.Uint16(b[6:])}
}

// order returns the id as a number. It is the key in rosters, and the sort key of ids.
func (p PlayerID) order() uint64 {
	b := p.bytes()
	return binary.BigEndian.Uint64(b[:])
}

// IsZero reports whether the id is zero. Depending on the message, this means no player or all players.
func (p PlayerID) IsZero() bool { return p == PlayerID{} }

// AppendTo appends the id as text: "127.0.0.1:5156:0".
func (p PlayerID) AppendTo(b []byte) []byte {
	return format.AppendEndpoint(b, p.Host, p.Port, p.Number)
}

func (p PlayerID) String() string { return string(p.AppendTo(nil)) }

// Player is a player in a message.
type Player struct {
	ID       PlayerID
	CallSign string // "" unless a session knows it
}

func (p *Player) walk(c *wire.Cursor, name string) {
	b := p.ID.bytes()
	wire.IPv4PortNumber(c, name, &b, &p.CallSign)
	p.ID = playerIDFrom(b)
}

// AppendTo appends the player in readable form: "127.0.0.1:5156:0 Alice", "127.0.0.1:5156:0".
func (p *Player) AppendTo(b []byte) []byte {
	return bzflag.AppendCallSign(p.ID.AppendTo(b), p.CallSign)
}

func (p *Player) String() string { return string(p.AppendTo(nil)) }

// sender walks the acting player. A client's message does not contain it, because a client acts only for its own
// players.
func sender(c *wire.Cursor, name string, p *Player) {
	if c.FromServer() {
		p.walk(c, name)
	}
}

// appendSender begins a summary with the acting player, if the message names one.
func appendSender(b []byte, p *Player) []byte {
	if p.ID.IsZero() {
		return b
	}
	return append(p.AppendTo(b), "  "...)
}

// vector walks the three numbers of a position, a velocity or a direction.
func vector(c *wire.Cursor, name string, v *[3]float32) { bzflag.Vector(c, name, v, ruleNumber) }

// float walks a single number.
func float(c *wire.Cursor, name string, v *float32) { bzflag.Float(c, name, v, ruleNumber) }

// text walks a text in a field of n bytes. According to the document, a text is ASCII and ends with a NUL, and NULs
// fill the rest of the field.
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
