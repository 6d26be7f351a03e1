package filter_test

import (
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// keyed is a body with a key, and named is a layer with a keyed body.
type (
	keyed struct{ key string }
	named struct {
		wire.Layer
		base wire.Base
	}
)

func (k *keyed) Walk(*wire.Cursor) {}
func (k *keyed) AnswerKey() []byte { return []byte(k.key)[:len(k.key):len(k.key)] }
func (n *named) Core() *wire.Base  { return &n.base }
func message(n string) *wire.MessageType {
	return &wire.MessageType{Name: n, Body: wire.Like(keyed{})}
}

// TestResponseTime checks the times between questions and their answers. Each message is written as "> NAME KEY" or "<
// NAME KEY", and comes a second after the previous one. A digit after the sign, as in "<2", means another conversation.
func TestResponseTime(t *testing.T) {
	hello, reply, refusal, news := message("Hello"), message("Reply"), message("Refusal"), message("News")
	reply.Answers, refusal.Answers = []string{"Hello"}, []string{"Hello"}
	echo := message("Echo")
	echo.Answers = []string{"Echo"}
	types := map[string]*wire.MessageType{"Hello": hello, "Reply": reply, "Refusal": refusal, "News": news, "Echo": echo}
	wire.NewMessages(hello, reply, refusal, news, echo)
	for _, c := range []struct {
		talk string
		want string // response time of each message, in seconds or "-"
	}{
		{"> Hello, < Reply", "- 1"},
		{"> Hello, < Refusal", "- 1"},
		{"> Hello, < News, < Reply", "- - 2"},
		{"> Hello, < Reply, < Reply", "- 1 -"},
		{"< Reply", "-"},
		{"> Hello, > Reply, < Reply", "- - 2"},
		{"< Hello, > Reply", "- 1"},
		{"> News, < News", "- -"},
		{"> Hello, > Hello, < Reply", "- - -"},
		{"> Hello, > Hello, < Reply, > Hello, < Reply", "- - - - 1"},
		{"> Hello a, > Hello b, < Reply b, < Reply a", "- - 1 3"},
		{"> Hello a, < Reply b", "- -"},
		{"> Hello, < Reply b", "- 1"},
		{"> Echo, < Echo, > Echo, < Echo", "- 1 - 1"},
		{"> Hello, <2 Reply, < Reply", "- - 2"},
		{strings.Repeat("> Hello a, ", 3) + "> Hello b, < Reply b", "- - - - 1"},
	} {
		history, now := filter.NewHistory(bounded.NewBudget(1<<20)), time.Unix(1e9, 0)
		var got []string
		for line := range strings.SplitSeq(c.talk, ", ") {
			now = now.Add(time.Second)
			words := append(strings.Fields(line), "")
			l := new(named)
			l.base.Message, l.base.Body = types[words[1]], &keyed{words[2]}
			if words[2] == "" {
				l.base.Body = new(sheetBody)
			}
			m := &decode.Message{Place: wire.Place{Time: now.UnixNano()}, Layer: l, Direction: wire.ToServer}
			if words[0][0] == '<' {
				m.Direction = wire.FromServer
			}
			m.Conversation = len(words[0])
			got = append(got, responseTime(t, history.Message(m)))
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%s: the response times are %s, want %s", c.talk, got, c.want)
		}
	}
}

// responseTime returns the response time of a subject in seconds, or "-" if there is none.
func responseTime(t *testing.T, x *filter.Subject) string {
	t.Helper()
	for text, name := range map[string]string{"response_time == 1": "1", "response_time == 2": "2",
		"response_time == 3": "3", "!response_time": "-"} {
		if compiled(t, filter.NewSchema([]*wire.Protocol{quiz}), text, nil).Match(x) {
			return name
		}
	}
	return "another one"
}

// TestResponseTimeOfOne checks that a response time from a tracker belongs to one message, not to other messages in the
// same datagram.
func TestResponseTimeOfOne(t *testing.T) {
	history := filter.NewHistory(bounded.NewBudget(1 << 20))
	place := wire.Place{Time: 1e18, Protocol: quiz}
	history.Value(&wire.Value{Place: place, Number: 2, Answer: true})
	var got [2]string
	for i := range got {
		got[i] = responseTime(t, history.Message(&decode.Message{Place: place, Layer: new(named)}))
	}
	if want := [2]string{"2", "-"}; got != want {
		t.Errorf("the response times are %q, want %q", got, want)
	}
}

// TestHistoryInEngine checks that the memory that a History uses for conversations is part of the engine's budget, and
// that dropped conversations are reported.
func TestHistoryInEngine(t *testing.T) {
	const many = 5_000
	reports := 0
	var history *filter.History
	e := decode.New(decode.Options{
		Protocols: []*wire.Protocol{quiz}, Memory: 1 << 20,
		Message: func(m *decode.Message) { history.Message(m) },
		Finding: func(f *wire.TrafficFinding) {
			if strings.Contains(f.Text, "last messages of conversations are dropped") {
				reports++
			}
		},
	})
	part := e.Part()
	history = filter.NewHistory(part)
	most, limit := 0, part.Limit()
	for i := range many {
		f := datagram(t, &sheet{}, false, i+1, 0)
		binary.BigEndian.PutUint16(f.Data[14:], uint16(i)) // the client's address
		e.Frame(f)
		most = max(most, part.Used())
	}
	e.Close()
	if reports != 1 || most < limit/2 || most > limit+limit/8 || limit > 1<<17 {
		t.Errorf("%d of %d bytes are used; dropped conversations were reported %d times", most, limit, reports)
	}
	if f := e.Forgotten(); len(f) == 0 || !strings.HasSuffix(f[len(f)-1].Silent, "response_time") {
		t.Errorf("Forgotten returns %v", f)
	}
}

// TestHistoryForgetsSilence checks that a conversation that was silent for days uses no memory, and that dropping it is
// not reported.
func TestHistoryForgetsSilence(t *testing.T) {
	memory := bounded.NewBudget(1 << 20)
	history := filter.NewHistory(memory)
	for i := range 100_000 {
		memory.Turn()
		place := wire.Place{Conversation: i, Time: int64(i) * int64(10*time.Minute)}
		history.Message(&decode.Message{Place: place, Layer: new(named)})
	}
	if used := memory.Used(); used > 1<<16 || memory.Forgotten() != nil {
		t.Errorf("%d bytes are used; Forgotten returns %v", used, memory.Forgotten())
	}
}
