package bzflag24

import (
	"strconv"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// messageSize is the length of the text in a client's line of chat. A line from a server has no fixed length and ends
// with a NUL.
const messageSize = 128

// Chat is a line of chat from a client: MsgMessage to the server.
type Chat struct {
	To   Player
	Text []byte
}

func (m *Chat) Walk(c *wire.Cursor) {
	m.To.walk(c, "to")
	wire.TextUpTo(c, "message", &m.Text, messageSize)
	checkTerminated(c, m.Text)
}

func (m *Chat) AppendSummary(b []byte) []byte { return appendChat(b, &m.To, Chatted, m.Text) }

// ChatFrom is a line of chat from the server: a player's line that the server relays, or the server's own.
type ChatFrom struct {
	From Player
	To   Player
	Type MessageType // absent before 2.4
	Text []byte

	untyped bool
}

func (m *ChatFrom) Walk(c *wire.Cursor) {
	m.From.walk(c, "from")
	m.To.walk(c, "to")
	if c.When(!m.untyped) {
		wire.Enum8(c, "type", &m.Type, messageTypes)
		checkEnum(c, messageTypes, "type", int64(m.Type))
	}
	wire.TextUpTo(c, "message", &m.Text, messageSize)
	checkTerminated(c, m.Text)
}

func (m *ChatFrom) AppendSummary(b []byte) []byte {
	b = append(m.From.AppendTo(b), ' ')
	return appendChat(b, &m.To, m.Type, m.Text)
}

func appendChat(b []byte, to *Player, t MessageType, text []byte) []byte {
	b = append(b, "to "...)
	b = append(to.AppendTo(b), "  "...)
	if t == Action {
		b = append(b, "* "...)
	}
	return format.AppendQuoted(b, wire.Trim(text))
}

// checkTerminated reports a line of chat without a NUL, and bytes after the NUL.
func checkTerminated(c *wire.Cursor, text []byte) {
	switch {
	case !c.Reading() || c.Truncated():
	case len(wire.Trim(text)) == len(text):
		c.Report(ruleTerminator, "the message has no NUL in its %s", wire.Counted(len(text), "byte"))
	case !wire.Padded(text):
		c.Report(ruleTerminator, "bytes other than NUL follow the end of the message")
	}
}

// SetVar reports values of the server's variables.
type SetVar struct {
	Count uint16
	Vars  []Variable
}

// Variable is a setting of the server, such as "_tankSpeed".
type Variable struct {
	Name  []byte
	Value []byte
}

func (v *Variable) walk(c *wire.Cursor) {
	wire.Text8(c, "name", &v.Name)
	wire.Text8(c, "value", &v.Value)
}

func (s *SetVar) Walk(c *wire.Cursor) {
	const least = 2
	wire.List(c, "vars", &s.Vars, wire.Count16(c, "count", &s.Count, len(s.Vars)), least, (*Variable).walk)
}

func (s *SetVar) AppendSummary(b []byte) []byte {
	if len(s.Vars) == 1 {
		v := &s.Vars[0]
		b = append(format.AppendEscaped(b, v.Name), ' ')
		return format.AppendQuoted(b, v.Value)
	}
	return appendCount(b, len(s.Vars), "variable")
}

// sizeSetVar computes the length of a list of variables from the count and the lengths of the texts.
func sizeSetVar(body []byte) int {
	if len(body) < 2 {
		return -1
	}
	n := 2
	for range 2 * (int(body[0])<<8 | int(body[1])) {
		if n >= len(body) {
			return -1
		}
		n += 1 + int(body[n])
	}
	return n
}

// TimeUpdate reports the time left in the game.
type TimeUpdate struct {
	Seconds int32
}

// Special values of Seconds.
const (
	TimeOver   = 0
	TimePaused = -1
)

func (t *TimeUpdate) Walk(c *wire.Cursor) { wire.I32(c, "time_left", &t.Seconds) }

func (t *TimeUpdate) AppendSummary(b []byte) []byte {
	switch t.Seconds {
	case TimeOver:
		return append(b, "game over"...)
	case TimePaused:
		return append(b, "paused"...)
	}
	b = strconv.AppendInt(b, int64(t.Seconds), 10)
	return append(b, " seconds"...)
}

// GameTime is the server's clock.
type GameTime struct {
	Microseconds uint64 // since 1970, plus half the lag of the receiving client
}

func (t *GameTime) Walk(c *wire.Cursor) { wire.U64(c, "time_us", &t.Microseconds) }

func (t *GameTime) AppendSummary(b []byte) []byte {
	return time.UnixMicro(int64(min(t.Microseconds, maxMicroseconds))).UTC().AppendFormat(b, "2006-01-02 15:04:05.000000")
}

// maxMicroseconds is the last microsecond of the year 9999.
const maxMicroseconds = 253402300799999999
