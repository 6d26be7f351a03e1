package filter

import (
	"math"
	"time"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// A Subject is what a filter tests: a message, a finding that belongs to no message, or a place in the traffic where
// neither occurred.
type Subject struct {
	Place   *wire.Place
	Message *decode.Message      // nil for a finding or a place
	Finding *wire.TrafficFinding // nil for a message or a place

	// Bindings are the values of the names in the filter's Scope.Bindings, in the same order.
	Bindings []Value

	first    int64    // time of the first packet, in nanoseconds since 1970
	delta    int64    // nanoseconds since the conversation's previous message
	response int64    // nanoseconds since the question that the message answers
	question question // the question that the message answers; its frame is 0 if there is none
	frames   *frames
	src, dst [16]byte
	info     []byte

	community [wire.CommunityIDSize]byte

	people []Value // players that the subject concerns, see Who
}

func (x *Subject) findings() []wire.Finding {
	if x.Message == nil {
		return nil
	}
	return x.Message.Findings
}

// Times returns the time since the conversation's previous message, and the time since the question that the message
// answers.
func (x *Subject) Times() (delta, response time.Duration, haveDelta, haveResponse bool) {
	return time.Duration(x.delta), time.Duration(x.response), x.delta != unmeasured, x.response != unmeasured
}

// Question returns the frame and the time of the question that the message answers. Both are 0 if the question is
// unknown.
func (x *Subject) Question() (frame int, at int64) { return x.question.frame, x.question.time }

// unmeasured is the value of an unknown duration.
const unmeasured = math.MinInt64

// A History makes the subjects of a capture, in order. It remembers earlier messages and the time of the first packet.
// It must be used by only one goroutine at a time.
type History struct {
	first    int64
	begun    bool                                           // first is known
	previous *bounded.LRU[wire.ConversationID, lastMessage] // nil: no messages are remembered
	subject  Subject
	place    Subject
	answer   wire.Value // latest response time that a tracker reported
	frames   *frames    // nil if Frame has not been called
	people   *people    // nil if the field "who" has no values
}

type lastMessage struct {
	time      int64
	questions questions
}

// maxSilence is the time for which a conversation is remembered after its last message.
const maxSilence = int64(24 * time.Hour)

// kept is the name that the report that memory ran out uses for these conversations.
var kept = bounded.Kind{Name: "last messages of conversations", Silent: "time_delta or response_time"}

// NewHistory returns a History that remembers conversations within a memory budget. The caller must call the budget's
// Turn for each message, unless the budget is from Engine.Part. If memory is nil, the History remembers no
// conversation, and time_delta and response_time have no values.
func NewHistory(memory *bounded.Budget) *History {
	h := new(History)
	if memory != nil {
		h.previous = bounded.NewLRU(memory, kept, bounded.Values[wire.ConversationID, lastMessage]{
			Held: func(l *lastMessage) int { return l.questions.size() }})
	}
	return h
}

// Packet sets the time of the next packet, in nanoseconds since 1970. Relative times count from the first packet.
func (h *History) Packet(time int64) {
	if !h.begun {
		h.first, h.begun = time, true
	}
}

// Value adds a value that a tracker reported. The caller must call it before passing the message that the value comes
// from to Message.
func (h *History) Value(v *wire.Value) {
	if v.Answer {
		h.answer = *v
	}
}

// Message returns the subject of a message, which is valid until the next call. The caller must pass each message once,
// in order.
func (h *History) Message(m *decode.Message) *Subject {
	x := h.subjectAt(&m.Place)
	x.Message = m
	if h.previous != nil {
		h.measure(x)
	}
	if h.answer.Protocol != nil && h.answer.Place == m.Place {
		x.response = int64(math.Round(h.answer.Number * 1e9))
	}
	h.answer.Protocol = nil // other messages may have the same place
	if h.people != nil {
		x.people = h.people.take(m)
	}
	return x
}

// measure sets the times since the previous message and since the question. It records the message for later messages.
func (h *History) measure(x *Subject) {
	m := x.Message
	h.expire(m.Time)
	id, pair := m.ConversationID(), (m.Lane+1)/2 // both directions of a conversation have the same pair
	before := h.previous.GetAt(pair, id)
	if before == nil {
		before = h.previous.MakeAt(pair, id)
	} else {
		x.delta = m.Time - before.time
	}
	switch q, ok := before.questions.take(m); {
	case !ok:
		before.questions.add(m)
	case !q.again:
		x.response, x.question = m.Time-q.time, q
	}
	before.time = m.Time
}

// expire drops conversations that have been silent for too long.
func (h *History) expire(now int64) {
	for id, l := h.previous.Stalest(); l != nil && clock.Elapsed(l.time, now) > maxSilence; id, l = h.previous.Stalest() {
		h.previous.Delete(id)
	}
}

// Finding returns the subject of a finding that belongs to no message. It is valid until the next call.
func (h *History) Finding(f *wire.TrafficFinding) *Subject {
	x := h.subjectAt(&f.Place)
	x.Finding = f
	if h.people != nil {
		x.people = h.people.at(&f.Place)
	}
	return x
}

// Place returns the subject of a place, which is valid until the next call of Place. Subjects of messages and findings
// stay valid.
func (h *History) Place(p *wire.Place) *Subject { return h.begin(&h.place, p) }

func (h *History) subjectAt(p *wire.Place) *Subject { return h.begin(&h.subject, p) }

func (h *History) begin(x *Subject, p *wire.Place) *Subject {
	x.Place, x.Message, x.Finding, x.Bindings = p, nil, nil, nil
	x.frames = h.frames
	x.first, x.delta, x.response, x.question = h.first, unmeasured, unmeasured, question{}
	x.people = nil
	if h.people != nil && x == &h.place {
		x.people = h.people.at(p)
	}
	return x
}
