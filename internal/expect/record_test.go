package expect

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// TestUsage checks that the usage of a field depends on the field's kind, role and size.
func TestUsage(t *testing.T) {
	names := wire.Symbols{{Value: 1, Name: "One"}}
	const plain, way, back = wire.Role(0), wire.FromServer, wire.ToServer
	for _, test := range []struct {
		node        wire.Node
		role        wire.Role
		way         wire.Direction
		recurs      wire.Recurrence
		want, exact usage
	}{
		{wire.Node{Kind: wire.Bytes, Bytes: make([]byte, 1)}, plain, way, 0, unused, unused},
		{wire.Node{Kind: wire.Bytes, Bytes: []byte{0, 1}}, plain, way, 0, comesBack, comesBack},
		{wire.Node{Kind: wire.Bytes, Bytes: []byte("  ")}, plain, way, 0, unused, unused},
		{wire.Node{Kind: wire.Bytes, Bytes: make([]byte, 32)}, plain, way, 0, comesBack, comesBack},
		{wire.Node{Kind: wire.Bytes, Bytes: make([]byte, 33)}, plain, way, 0, unused, unused},
		{wire.Node{Kind: wire.String, Bytes: []byte("a ")}, plain, way, 0, unused, unused},
		{wire.Node{Kind: wire.String, Bytes: []byte("ab")}, plain, way, 0, comesBack, both},
		{wire.Node{Kind: wire.String, Bytes: []byte("ab")}, wire.Passing, way, 0, comesBack, comesBack},
		{wire.Node{Kind: wire.String, Bytes: []byte("ab")}, wire.Structural, way, 0, unused, unused},
		{wire.Node{Kind: wire.Boolean}, plain, way, 0, constant, constant},
		{wire.Node{Kind: wire.Boolean}, plain, back, 0, unused, constant},
		{wire.Node{Kind: wire.Enum, Num: 1, Symbols: names}, plain, way, 0, both, both},
		{wire.Node{Kind: wire.Enum, Num: 1, Symbols: names}, plain, back, 0, comesBack, both},
		{wire.Node{Kind: wire.Enum, Num: 1, Symbols: names}, plain, way, wire.InParts, unused, unused},
		{wire.Node{Kind: wire.Enum, Num: 2, Symbols: names}, plain, way, 0, comesBack, comesBack},
		{wire.Node{Kind: wire.SignedEnum, Num: 1, Symbols: names, Bytes: []byte("Bob")}, plain, way, 0, comesBack, comesBack},
		{wire.Node{Kind: wire.Address}, plain, way, 0, comesBack, comesBack},
		{wire.Node{Kind: wire.Address}, plain, way, wire.Anytime, unused, comesBack},
		{wire.Node{Kind: wire.Uint}, plain, way, wire.InOrder, unused, both},
		{wire.Node{Kind: wire.Int}, wire.Passing, way, wire.InOrder, comesBack, comesBack},
		{wire.Node{Kind: wire.Bits}, plain, way, wire.InParts, unused, unused},
		{wire.Node{Kind: wire.Float}, plain, way, wire.InOrder, unused, unused},
	} {
		for exact, want := range map[bool]usage{false: test.want, true: test.exact} {
			r := NewRecorder(RecordOptions{Exact: exact})
			if got := r.usage(&test.node, test.role, test.way, &wire.MessageType{Recurs: test.recurs}); got != want {
				t.Errorf("%v %q, exact %v: %d, want %d", test.node.Kind, test.node.Bytes, exact, got, want)
			}
		}
	}
}

// messages makes a message from each letter of text. Capitals come from the server, and a dot is a pause.
func messages(text string) *recording {
	rec := &recording{protocol: &wire.Protocol{Name: "p"}, connection: true}
	now := int64(0)
	for i, r := range text {
		if r == '.' {
			now++
			continue
		}
		way, recurs := wire.ToServer, wire.InOrder
		if r < 'a' {
			way = wire.FromServer
		}
		if r == 'p' || r == 'P' {
			recurs = wire.InParts
		}
		now += pause - 1
		rec.messages = append(rec.messages, recordedMessage{kind: &wire.MessageType{Name: string(r), Recurs: recurs}, direction: way, frame: i + 1, time: now})
	}
	return rec
}

// short writes steps in one line. Repeated steps have their number in braces, and parallel steps are in angle brackets.
func short(lines []line) string {
	var words []string
	for i := range lines {
		l := &lines[i]
		text := l.name
		switch {
		case l.mixed:
			text = "<" + short(l.parts) + ">"
		case l.parts != nil:
			text = "(" + short(l.parts) + ")"
		}
		if l.repeated {
			text += fmt.Sprintf("{%d}", l.times)
		}
		words = append(words, fmt.Sprintf("%s:%d-%d", text, l.first, l.last))
	}
	return strings.Join(words, " ")
}

// folded returns the folded steps of a recording in the notation of short.
func folded(rec *recording) string { return short(rec.foldedLines()) }

// TestFoldedLines checks that repeated stretches become one stretch. It also checks that messages of both sides become
// parallel steps unless a pause separates them.
func TestFoldedLines(t *testing.T) {
	for text, want := range map[string]string{
		"a":                                "a:1-1",
		"ab":                               "a:1-1 b:2-2",
		"aa":                               "a{2}:1-2",
		"aaab":                             "a{3}:1-3 b:4-4",
		"abab":                             "(a:1-1 b:2-2){2}:1-4",
		"abcabcab":                         "(a:1-1 b:2-2 c:3-3){2}:1-6 a:7-7 b:8-8",
		"aabaab":                           "(a{2}:1-2 b:3-3){2}:1-6",
		"p":                                "p{1}:1-1",
		"pp":                               "p{2}:1-2",
		"aB":                               "a:1-1 B:2-2",
		"aBc":                              "a:1-1 <c:3-3 B:2-2>:2-3",
		"aBcD":                             "a:1-1 <c:3-3 (B:2-2 D:4-4):2-4>:2-4",
		"aaB":                              "<a{2}:1-2 B:3-3>:1-3",
		"pB":                               "p{1}:1-1 B:2-2",
		"pBp":                              "<p{2}:1-3 B:2-2>:1-3",
		"pBc":                              "p{1}:1-1 <c:3-3 B:2-2>:2-3",
		"a.B":                              "a:1-1 B:3-3",
		"a.Bc":                             "a:1-1 B:3-3 c:4-4",
		"aB.c":                             "a:1-1 B:2-2 c:4-4",
		"aB.aB.aB":                         "(a:1-1 B:2-2){3}:1-8",
		"abcdefghijklmnoqabcdefghijklmnoq": "(a:1-1 b:2-2 c:3-3 d:4-4 e:5-5 f:6-6 g:7-7 h:8-8 i:9-9 j:10-10 k:11-11 l:12-12 m:13-13 n:14-14 o:15-15 q:16-16){2}:1-32",
	} {
		if got := folded(messages(text)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	many := "abcdefghijklmnoqr"
	if got := folded(messages(many + many)); strings.Contains(got, "{") {
		t.Errorf("a stretch of %d steps is folded: %s", len(many), got)
	}
	rec := messages("ababaa")
	rec.anytime = true
	if got, want := folded(rec), "a:1-1 b:2-2 a:3-3 b:4-4 a{2}:5-6"; got != want {
		t.Errorf("with messages that may come at any time: %s, want %s", got, want)
	}
}

// TestRecorderIsBounded checks that the number of recorded messages and the number of written expectations are limited.
func TestRecorderIsBounded(t *testing.T) {
	types := []*wire.MessageType{{Name: "A"}, {Name: "B"}}
	p := &wire.Protocol{Name: "p"}
	for n, more := range map[int]bool{maxScripts: false, maxScripts + 1: true} {
		r := NewRecorder(RecordOptions{Exact: true})
		for i := range n {
			m := recordedMessage{kind: types[i%2], direction: wire.ToServer, frame: i}
			m.values = []recordedValue{{"x", constant, filter.Value{Kind: wire.Uint, Num: uint64(i)}}}
			r.ordered = append(r.ordered, &recording{protocol: p, begins: firstMessage{kind: types[0]}, messages: []recordedMessage{m}})
		}
		text := r.Text("x")
		if found := strings.Contains(text, fmt.Sprintf("# The first 200 of %d different expectations.", n)); found != more || strings.Count(text, "name: ") != maxScripts+1 {
			t.Errorf("%d expectations: reported as too many: %v; %d are written", n, found, strings.Count(text, "name: "))
		}
	}
	l := &nothing{}
	l.core.Message = &wire.MessageType{Name: "A"}
	give := func(r *Recorder, conversation int) *recording {
		x := filter.NewHistory(nil).Message(&decode.Message{Place: wire.Place{Protocol: p, Conversation: conversation}, Layer: l})
		r.Message(x)
		return r.groups[sessionKey{keyOf(r.options.Per, x), ""}]
	}
	r := NewRecorder(RecordOptions{})
	r.stored = maxStored - 1
	if rec := give(r, 1); rec.truncated || len(rec.messages) != 1 {
		t.Error("the last message within the limit is not recorded")
	}
	if rec := give(r, 1); !rec.truncated || len(rec.messages) != 1 {
		t.Error("a message beyond the limit is recorded")
	}
	r = NewRecorder(RecordOptions{})
	rec := give(r, 1)
	for len(rec.messages) < maxMessages && !rec.truncated {
		give(r, 1)
	}
	if rec.truncated {
		t.Errorf("the recording was truncated after %d messages", len(rec.messages))
	}
	if give(r, 1); !rec.truncated || len(rec.messages) != maxMessages {
		t.Errorf("%d messages of a group are recorded", len(rec.messages))
	}
	for i := range maxRecordings - 1 {
		r.groups[sessionKey{groupKey{conversation: wire.ConversationID{Number: 10 + i}}, ""}] = rec
	}
	if give(r, 2) != nil || len(r.ordered) != 1 {
		t.Error("a group beyond the limit is recorded")
	}
}

// nothing is a layer without fields.
type nothing struct {
	wire.Layer
	core wire.Base
}

func (l *nothing) Core() *wire.Base { return &l.core }
func (*nothing) Walk(*wire.Cursor)  {}

// TestLeftOut checks that messages that may come at any time are omitted and counted, and that conversations with only
// such messages are omitted and counted, too.
func TestLeftOut(t *testing.T) {
	r := NewRecorder(RecordOptions{Per: perClient, Loose: true})
	c := &wire.MessageType{Name: "C"}
	p := &wire.Protocol{Name: "p"}
	for i := range 3 {
		rec := &recording{protocol: p, begins: firstMessage{kind: c}, skipped: map[string]int{"B": 2, "A": i}}
		if i == 0 {
			rec.messages = []recordedMessage{{kind: c, frame: 4}}
		}
		r.ordered = append(r.ordered, rec)
	}
	want := "# Recorded from a b\\n\\x1fé. Numbers behind # are frames.\n# Left out, because they come at any time: A (3), B (6)\n# 2 clients had nothing else.\n" +
		"name: p 1, C\nprotocol: p\nper: client\nbegins: p.c\nfulfilled: some # 3 clients of this capture; all would be stricter\nsequence:\n" +
		"  - sequence:\n      - expect: C # 4\n    repeat: 1..\n    optional: true\n"
	if got := r.Text("a b\n\x1fé"); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := comment("~\x7f\u2028\u2029\u0085\u00a0"); got != `~\x7f\u2028\u2029\u0085\u00a0` {
		t.Errorf("%q", got)
	}
}
