package bzflag17

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

const messageSize = 128

// Message is a line of chat between players. The server sends every line to all players. Each client shows only the
// lines for its player. See MsgMessage in the protocol document.
type Message struct {
	From Player // only in the server's message
	To   Player // zero: the line is for a team
	Team Team   // RogueTeam: all teams; without meaning if To is set
	Text []byte
}

func (m *Message) Walk(c *wire.Cursor) {
	sender(c, "from", &m.From)
	m.To.walk(c, "to")
	wire.EnumI16(c, "team", &m.Team, teams)
	if m.To.ID.IsZero() {
		checkEnum(c, teams, "team", int64(m.Team))
	}
	text(c, "message", &m.Text, messageSize)
}

func (m *Message) AppendSummary(b []byte) []byte {
	b = appendSender(b, &m.From)
	b = append(b, "to "...)
	switch {
	case !m.To.ID.IsZero():
		b = m.To.AppendTo(b)
	case m.Team == RogueTeam:
		b = append(b, "all"...)
	default:
		b = bzflag.AppendSymbol(b, teams, int64(m.Team))
	}
	b = append(b, "  "...)
	return format.AppendQuoted(b, wire.Trim(m.Text))
}

// AcquireRadio requests permission to talk by radio, or announces who has it. Not in the document.
type AcquireRadio struct {
	Player Player // only in the server's message
	Flags  RadioFlags
}

func (a *AcquireRadio) Walk(c *wire.Cursor) {
	sender(c, "player", &a.Player)
	wire.Bits16(c, "flags", &a.Flags, radioFlagBits)
}

func (a *AcquireRadio) AppendSummary(b []byte) []byte { return appendSpeaker(b, &a.Player) }

// ReleaseRadio gives up the permission to talk by radio, or announces this. Not in the document.
type ReleaseRadio struct {
	Player Player // only in the server's message
}

func (r *ReleaseRadio) Walk(c *wire.Cursor) { sender(c, "player", &r.Player) }

func (r *ReleaseRadio) AppendSummary(b []byte) []byte { return appendSpeaker(b, &r.Player) }

func appendSpeaker(b []byte, p *Player) []byte {
	if p.ID.IsZero() {
		return b
	}
	return p.AppendTo(b)
}
