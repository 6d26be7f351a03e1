package bzflag17

import (
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// The hello has no header. It consists of a version of eight bytes and a port.
const (
	helloSize   = 10
	versionSize = bzflag.VersionSize
	Version     = bzflag.Magic + "107" // clients compare these seven bytes; the eighth byte is a revision
)

// ServerHello is the server's first message on a connection to its usual port. It contains the server's version, and
// the port to which the client must connect next for the game. See "connect to server" in the protocol document.
type ServerHello struct {
	Version       []byte // "BZFS107c"
	ReconnectPort uint16 // 0: the server is full, or the game is over
}

func (h *ServerHello) Walk(c *wire.Cursor) {
	wire.Text(c, "version", &h.Version, versionSize)
	switch {
	case !c.Reading() || c.Failed():
	case string(h.Version[:len(bzflag.Magic)]) != bzflag.Magic:
		c.Report(ruleVersion, "%q is no BZFlag server", h.Version)
	case string(h.Version[:len(Version)]) != Version:
		c.Report(ruleVersion, "%q is not 1.07", h.Version)
	}
	wire.U16(c, "reconnect_port", &h.ReconnectPort)
}

func (h *ServerHello) AppendSummary(b []byte) []byte {
	b = format.AppendQuoted(b, wire.Trim(h.Version))
	if h.ReconnectPort == 0 {
		return append(b, "  refused"...)
	}
	b = append(b, "  reconnect to port "...)
	return strconv.AppendUint(b, uint64(h.ReconnectPort), 10)
}

// callSign returns the call sign in a field.
func callSign(field []byte) string { return string(wire.Trim(field)) }

const (
	callSignSize = 32
	emailSize    = 128
)

// Enter asks to join the game. See "join game" in the protocol document.
type Enter struct {
	Player   PlayerID
	Type     PlayerType
	Team     Team
	CallSign []byte
	Email    []byte
}

func (e *Enter) Walk(c *wire.Cursor) {
	e.Player.walk(c, "player")
	playerType(c, &e.Type)
	team(c, "team", &e.Team)
	text(c, "call_sign", &e.CallSign, callSignSize)
	text(c, "email", &e.Email, emailSize)
}

func (e *Enter) AppendSummary(b []byte) []byte {
	return appendPlayer(b, e.Player, e.CallSign, e.Team)
}

func playerType(c *wire.Cursor, v *PlayerType) {
	wire.Enum16(c, "type", v, playerTypes)
	checkEnum(c, playerTypes, "player type", int64(*v))
}

func appendPlayer(b []byte, p PlayerID, callSign []byte, t Team) []byte {
	b = p.AppendTo(b)
	b = append(b, "  "...)
	b = format.AppendQuoted(b, wire.Trim(callSign))
	b = append(b, ' ')
	return bzflag.AppendSymbol(b, teams, int64(t))
}

// Reject refuses a MsgEnter. The client may try again. See "join game" in the protocol document.
type Reject struct {
	Reason RejectReason
}

func (r *Reject) Walk(c *wire.Cursor) {
	wire.Enum16(c, "reason", &r.Reason, rejectReasons)
	checkEnum(c, rejectReasons, "reject code", int64(r.Reason))
}

func (r *Reject) AppendSummary(b []byte) []byte {
	return bzflag.AppendSymbol(b, rejectReasons, int64(r.Reason))
}
