package filter

import (
	"bytes"
	"slices"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// question is a message that waits for its answer.
type question struct {
	kind      *wire.MessageType
	direction wire.Direction
	key       []byte
	time      int64
	frame     int
	again     bool // it was asked more than once, so which one an answer belongs to is not known
}

// questions are those of a conversation that have no answer yet.
type questions []question

// mostQuestions of a conversation wait for an answer; the oldest makes room for another.
const mostQuestions = 16

func (q *questions) held() int { return cap(*q) * int(unsafe.Sizeof(question{})) }

// take takes out the question that a message answers; ok is false if it answers none. There is no other answer to it.
func (q *questions) take(m *decode.Message) (answered question, ok bool) {
	core := m.Layer.Core()
	if len(*q) == 0 || m.Direction == wire.Unknown || core.Message == nil || len(core.Message.Answers) == 0 {
		return question{}, false
	}
	key := keyOf(core.Body)
	i := slices.IndexFunc(*q, func(o question) bool {
		return o.direction == m.Direction.Reverse() && slices.Contains(core.Message.Answers, o.kind.Name) &&
			(o.key == nil || key == nil || bytes.Equal(o.key, key))
	})
	if i < 0 {
		return question{}, false
	}
	answered = (*q)[i]
	*q = slices.Delete(*q, i, i+1)
	return answered, true
}

// add takes a message, which may be a question.
func (q *questions) add(m *decode.Message) {
	core := m.Layer.Core()
	if m.Direction == wire.Unknown || core.Message == nil || !core.Message.IsQuestion() {
		return
	}
	key := keyOf(core.Body)
	for i := range *q {
		if o := &(*q)[i]; o.kind == core.Message && o.direction == m.Direction && bytes.Equal(o.key, key) {
			o.again = true
			return
		}
	}
	if len(*q) >= mostQuestions {
		*q = slices.Delete(*q, 0, 1)
	}
	*q = append(*q, question{kind: core.Message, direction: m.Direction, key: bytes.Clone(key), time: m.Time,
		frame: m.Frame})
}

// keyOf gives what tells to which question a message belongs, nil if it has nothing.
func keyOf(b wire.Body) []byte {
	if k, ok := b.(wire.Keyed); ok {
		return k.AnswerKey()
	}
	return nil
}
