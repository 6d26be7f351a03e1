package filter

import (
	"bytes"
	"slices"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// A question is a message that has not yet been answered.
type question struct {
	kind      *wire.MessageType
	direction wire.Direction
	key       []byte
	time      int64
	frame     int
	again     bool // asked more than once, so it is unknown which question an answer belongs to
}

// questions are a conversation's unanswered questions.
type questions []question

// maxQuestions limits the number of questions kept for a conversation. A new question replaces the oldest.
const maxQuestions = 16

func (q *questions) size() int { return cap(*q) * int(unsafe.Sizeof(question{})) }

// take removes and returns the question that a message answers. ok is false if there is none.
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
	if len(*q) >= maxQuestions {
		*q = slices.Delete(*q, 0, 1)
	}
	*q = append(*q, question{kind: core.Message, direction: m.Direction, key: bytes.Clone(key), time: m.Time,
		frame: m.Frame})
}

// keyOf returns the key that a question and its answer share, or nil.
func keyOf(b wire.Body) []byte {
	if k, ok := b.(wire.Keyed); ok {
		return k.AnswerKey()
	}
	return nil
}
