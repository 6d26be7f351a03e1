package filter

import (
	"math"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// A Subject is what a filter judges: a message, a finding that no message carries, or only a place in the
// traffic.
type Subject struct {
	Place   *wire.Place
	Message *decode.Message      // nil for others
	Finding *wire.TrafficFinding // nil for others

	// Bindings are the values of the names that the filter was compiled with, in their order.
	Bindings []Value

	first    int64 // time of the first packet
	delta    int64 // since the message before in the conversation
	response int64 // since the question that this answers
	src, dst [16]byte
	info     []byte
}

func (x *Subject) findings() []wire.Finding {
	if x.Message == nil {
		return nil
	}
	return x.Message.Findings
}

// unmeasured is the duration of what has none.
const unmeasured = math.MinInt64

// maxTalks is how many conversations a History remembers the last messages of.
const maxTalks = 1 << 16

// A History follows a capture and makes its messages into subjects: it knows what came before. It is not
// for several goroutines at once.
type History struct {
	first   int64
	begun   bool
	talks   *bounded.LRU[talk, turn]
	subject Subject
	answer  wire.Value // the newest measured time of an answer
}

type talk struct {
	transport wire.Transport
	stream    int
}

// A turn is what was said last in a conversation.
type turn struct {
	time      int64
	direction wire.Direction
}

// NewHistory makes a History.
func NewHistory() *History {
	return &History{talks: bounded.NewLRU[talk, turn](maxTalks, nil)}
}

// Packet tells of the time of a packet. The first one is where relative times begin.
func (c *History) Packet(time int64) {
	if !c.begun {
		c.first, c.begun = time, true
	}
}

// Value tells what a tracker measured, before the message that showed it.
func (c *History) Value(v *wire.Value) {
	if v.Answer {
		c.answer = *v
	}
}

// Message makes a message a subject, valid until the next one. Each message has to come once, in order.
func (c *History) Message(m *decode.Message) *Subject {
	x := c.at(&m.Place)
	x.Message = m
	before := c.talks.Get(talk{m.Transport, m.Conversation})
	if before == nil {
		before = c.talks.Make(talk{m.Transport, m.Conversation})
	} else {
		x.delta = m.Time - before.time
		if m.Direction == wire.FromServer && before.direction == wire.ToServer { // servers answer, and some clients, which trackers know
			x.response = x.delta
		}
	}
	if c.answer.Protocol != nil && c.answer.Place == m.Place {
		x.response = int64(math.Round(c.answer.Number * 1e9))
	}
	*before = turn{m.Time, m.Direction}
	return x
}

// Finding makes a finding that no message carries a subject, valid until the next one.
func (c *History) Finding(f *wire.TrafficFinding) *Subject {
	x := c.at(&f.Place)
	x.Finding = f
	return x
}

// Place makes a place a subject, valid until the next one.
func (c *History) Place(p *wire.Place) *Subject { return c.at(p) }

func (c *History) at(p *wire.Place) *Subject {
	x := &c.subject
	x.Place, x.Message, x.Finding, x.Bindings = p, nil, nil, nil
	x.first, x.delta, x.response = c.first, unmeasured, unmeasured
	return x
}
