package filter_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/filter"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// keyed is a body with a key, and named a layer that holds one.
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

// A response time is that from a question to its own answer. Each message is "> NAME KEY" or "< NAME KEY", a second
// behind the one before; "<" with a conversation behind it, as in "<2", is of another one.
func TestResponseTime(t *testing.T) {
	hello, reply, refusal, news := message("Hello"), message("Reply"), message("Refusal"), message("News")
	reply.Answers, refusal.Answers = []string{"Hello"}, []string{"Hello"}
	echo := message("Echo")
	echo.Answers = []string{"Echo"}
	types := map[string]*wire.MessageType{"Hello": hello, "Reply": reply, "Refusal": refusal, "News": news, "Echo": echo}
	wire.NewMessages(hello, reply, refusal, news, echo)
	for _, c := range []struct {
		talk string
		want string // a time in seconds each, or "-"
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
		history, now := filter.NewHistory(), time.Unix(1e9, 0)
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

// responseTime gives the response time of a subject in seconds, "-" if there is none.
func responseTime(t *testing.T, x *filter.Subject) string {
	t.Helper()
	for text, name := range map[string]string{"response_time == 1": "1", "response_time == 2": "2",
		"response_time == 3": "3", "!response_time": "-"} {
		f, err := filter.NewSchema([]*wire.Protocol{quiz}).Compile(text, nil)
		if err != nil {
			t.Fatal(err)
		}
		if f.Match(x) {
			return name
		}
	}
	return "another one"
}

// What a tracker measured is about one message, and not about others in the same datagram.
func TestResponseTimeOfOne(t *testing.T) {
	history := filter.NewHistory()
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
