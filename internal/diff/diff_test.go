package diff

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/report"
	"github.com/gamedissect/gamedissect/internal/stats"
	"github.com/gamedissect/gamedissect/internal/summary"
)

// speaks adds messages of a protocol.
func speaks(protocol string) func(*Capture) {
	return func(c *Capture) { c.messages[protocol+" M"] = new(stats.Histogram) }
}

// made makes a capture of one minute with 1000 messages, and changes it.
func made(change ...func(*Capture)) *Capture {
	from := &summary.Source{Files: []summary.File{{Packets: 1}}}
	from.Stats = new(stats.Stats)
	from.Files[0].Add(0)
	from.Files[0].Add(int64(time.Minute))
	c := NewCapture("x", from, new(Talks))
	c.Summary.Messages = 1000
	for _, f := range change {
		f(c)
	}
	return c
}

func broken(id string, n int64, severity wire.Severity, rests wire.Evidence) func(*Capture) {
	return func(c *Capture) {
		c.rules[id] = &summary.Finding{Rule: id, Count: n, Severity: severity.String(),
			Of: &wire.Rule{ID: id, Severity: severity, Rests: rests}}
	}
}

func asked(n, of int64) func(*Capture) {
	return func(c *Capture) { c.shares[1].n, c.shares[1].of = n, of }
}

// slow adds ten answers with the same answer time, and answers with other times.
func slow(each time.Duration, other ...time.Duration) func(*Capture) {
	return func(c *Capture) {
		h := new(stats.Histogram)
		for range 10 {
			h.Add(int64(each))
		}
		for _, d := range other {
			h.Add(int64(d))
		}
		c.times["x ping"] = h
	}
}

// four adds four answers.
func four(c *Capture) {
	h := new(stats.Histogram)
	for range 4 {
		h.Add(int64(time.Millisecond))
	}
	c.times["x ping"] = h
}

func many(d time.Duration) []time.Duration { return slices.Repeat([]time.Duration{d}, 50) }

// ended adds n attempts with an outcome, from servers with consecutive addresses.
func ended(o wire.Outcome, cause string, from, n int) func(*Capture) {
	return func(c *Capture) {
		var s stats.Stats
		p := &wire.Protocol{Name: "x"}
		for i := range n {
			at := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, byte(from + i)}), 1)
			s.Attempt(&wire.Attempt{Place: wire.Place{Protocol: p}, Over: true, Outcome: o, Cause: cause, Asker: at,
				Kind: &wire.AttemptKind{Name: "joins", Steps: []wire.AttemptStep{{Name: "asked"}}}})
		}
		c.addAttempts(&summary.Source{Source: report.Source{Stats: &s}})
	}
}

func refused(reason string) func(*Capture) { return ended(wire.Refused, reason, 100, 1) }

func done(n int) func(*Capture) { return ended(wire.Done, "", 1, n) }

func open(n, of int64) func(*Capture) {
	return func(c *Capture) { c.shares[1].maybe, c.shares[1].of = n, of }
}

func said(text string) func(*Capture) {
	return func(c *Capture) { c.addValue("x version", text) }
}

func cut(c *Capture) { c.partial["x"] = "it is cut" }

func TestCompare(t *testing.T) {
	const ms = time.Millisecond
	type captures = []*Capture
	errors := func(n int64) func(*Capture) { return broken("r", n, wire.Error, wire.OnBytes) }
	for name, of := range map[string]struct {
		good captures
		now  *Capture
		want Verdict
	}{
		"no difference":                          {captures{made()}, made(), Same},
		"a new error":                            {captures{made()}, made(errors(1)), Worse},
		"a new note":                             {captures{made()}, made(broken("r", 1, wire.Note, wire.OnBytes)), Different},
		"a note on many messages":                {captures{made()}, made(broken("r", 250, wire.Note, wire.OnBytes)), Worse},
		"a note on fewer messages":               {captures{made()}, made(broken("r", 249, wire.Note, wire.OnBytes)), Different},
		"repeated packets":                       {captures{made()}, made(broken("ip.repeated", 500, wire.Note, wire.OnBytes)), Different},
		"a note in both captures":                {captures{made(broken("r", 1, wire.Note, wire.OnBytes))}, made(broken("r", 300, wire.Note, wire.OnBytes)), Different},
		"a rule as in one good capture":          {captures{made(), made(errors(1))}, made(errors(2)), Same},
		"a rule no longer broken":                {captures{made(errors(1))}, made(), Different},
		"a rule broken more often":               {captures{made(errors(10))}, made(errors(30)), Worse},
		"a rule broken more often by chance":     {captures{made(errors(2))}, made(errors(5)), Same},
		"unanswered questions":                   {captures{made(asked(0, 50))}, made(asked(2, 50)), Worse},
		"unanswered questions in both captures":  {captures{made(asked(5, 69))}, made(asked(5, 32)), Same},
		"unanswered as in one good capture":      {captures{made(asked(0, 50)), made(asked(9, 50))}, made(asked(9, 50)), Same},
		"slower":                                 {captures{made(slow(20 * ms))}, made(slow(41 * ms)), Worse},
		"a little slower":                        {captures{made(slow(2 * ms))}, made(slow(9 * ms)), Same},
		"50 % slower":                            {captures{made(slow(40 * ms))}, made(slow(60 * ms)), Same},
		"50 % slower than two good captures":     {captures{made(slow(40 * ms)), made(slow(30 * ms))}, made(slow(60 * ms)), Worse},
		"few slow answers":                       {captures{made(slow(2*ms, 2*ms))}, made(slow(2*ms, 41*ms, 41*ms)), Different},
		"few answers":                            {captures{made(four)}, made(slow(100 * ms)), Different},
		"slower with more questions":             {captures{made(slow(20 * ms))}, made(slow(41*ms, many(40*ms)...)), Different},
		"refused by a full team":                 {captures{made()}, made(refused("TeamFull")), Different},
		"refused":                                {captures{made()}, made(refused("BadType")), Worse},
		"refused in both captures":               {captures{made(refused("BadType"))}, made(refused("BadType")), Same},
		"refused for one of two earlier reasons": {captures{made(refused("a"), refused("b"))}, made(refused("a")), Same},
		"one failure in 21 attempts":             {captures{made(done(20))}, made(done(20), refused("BadType")), Same},
		"one failure in six attempts":            {captures{made(done(5))}, made(done(5), refused("BadType")), Worse},
		"one failure of three, then of two":      {captures{made(done(2), refused("a"))}, made(done(1), refused("a")), Same},
		"many reasons":                           {captures{made(done(20))}, made(done(18), refused("a"), refused("b"), refused("c")), Worse},
		"failed, done in the good capture":       {captures{made(done(12))}, made(done(11), ended(wire.Absent, "a", 12, 1)), Worse},
		"failed, done in one good capture":       {captures{made(done(12)), made(done(11))}, made(done(11), ended(wire.Absent, "a", 12, 1)), Same},
		"unknown outcomes":                       {captures{made(done(1))}, made(ended(wire.NotKnown, "a", 1, 9), done(1)), Same},
		"cut, with unanswered attempts":          {captures{made(done(1))}, made(cut, ended(wire.Unanswered, "a", 1, 9)), Worse},
		"cut, with unknown outcomes":             {captures{made(done(1))}, made(cut, ended(wire.NotKnown, "a", 1, 9)), Incomparable},
		"nobody answers":                         {captures{made(speaks("x"), done(1))}, made(ended(wire.Unreachable, "a", 1, 1)), Worse},
		"cut, with a refusal":                    {captures{made(done(1))}, made(cut, refused("BadType")), Worse},
		"questions open at the end":              {captures{made(open(1, 20))}, made(asked(2, 40)), Same},
		"first answer times":                     {captures{made()}, made(slow(time.Second)), Same},
		"a new version":                          {captures{made(said("1"))}, made(said("2")), Different},
		"the version of one good capture":        {captures{made(said("1")), made(said("2"))}, made(said("2")), Same},
		"another protocol":                       {captures{made(speaks("a"))}, made(speaks("b"), errors(1)), Incomparable},
		"one more protocol":                      {captures{made(speaks("a"))}, made(speaks("a"), speaks("b")), Different},
		"cut":                                    {captures{made()}, made(cut), Incomparable},
		"all captures cut":                       {captures{made(cut)}, made(cut), Same},
		"cut, with late answers":                 {captures{made(slow(ms))}, made(cut, slow(time.Second)), Incomparable},
		"cut, with wrong bytes":                  {captures{made()}, made(cut, errors(1)), Worse},
		"cut, with a wrong state":                {captures{made()}, made(cut, broken("r", 1, wire.Warning, wire.OnState)), Incomparable},
	} {
		if c := Compare(of.good, of.now, Judging); c.Verdict != of.want {
			t.Errorf("%s: %s, want %s: %+v", name, c.Verdict, of.want, c.Differences)
		}
	}
	none := Compare(captures{made()}, made(errors(1)), []Kind{Times})
	if none.Verdict != Different {
		t.Errorf("%s, although only times may make the capture worse", none.Verdict)
	}
}

// The most important difference comes first. Differences that make the capture worse come before those that only help
// to find the cause.
func TestOrder(t *testing.T) {
	c := Compare([]*Capture{made(slow(1))}, made(broken("note", 9, wire.Note, wire.OnBytes), slow(time.Second),
		broken("warning", 1, wire.Warning, wire.OnBytes), broken("error", 1, wire.Error, wire.OnBytes)), Judging)
	var got []string
	for _, d := range c.Differences {
		got = append(got, d.What)
	}
	if want := []string{"error error", "warning warning", "x ping p95", "note note"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// talkOf makes a conversation of messages. A name that begins with < is a message from the server.
func talkOf(text string) *talk {
	c := &talk{protocol: "x"}
	for name := range strings.FieldsSeq(text) {
		way := wire.ToServer
		if name[0] == '<' {
			way = wire.FromServer
		}
		c.add(step{name: name[1:], direction: way}, 0)
	}
	return c
}

func TestTalkRepeats(t *testing.T) {
	for text, want := range map[string]string{
		">A <B <B <B":             ">A <B+",
		">A <B >A <B >A <B":       ">A <B",
		">A <B <B >A <B <B":       ">A <B+",
		">A >B <C >A >B <C >D":    ">A >B <C >D",
		strings.Repeat(">A", 1):   ">A",
		">A <B >C <D >E <F >C <D": ">A <B >C <D >E <F >C <D",
	} {
		if got := talkOf(text).shape(); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestParting(t *testing.T) {
	with := func(texts ...string) *Capture {
		c := made()
		for _, text := range texts {
			c.talks.list = append(c.talks.list, talkOf(text))
		}
		c.talks.latest = int64(time.Hour)
		return c
	}
	good := []*Capture{with(">A <B >C <D", ">A <E"), with(">F")}
	if p := findParting(good, with(">A <E", ">F", ">G")); p != nil {
		t.Errorf("a conversation of a new kind is a parting: %+v", p)
	}
	p := findParting(good, with(">A <B >C <X", ">A <E"))
	if p == nil || p.Step != 4 || p.New != 1 || p.Of != 2 || p.Before != 2 || strings.Join(p.Good, "") != "<D" ||
		strings.Join(p.Now, "") != "<X" || strings.Join(p.Shared, " ") != "<B >C" {
		t.Errorf("%+v", p)
	}
	open := with(">A <B")
	if open.talks.list[0].last = open.talks.latest; findParting(good, open) != nil {
		t.Error("an unfinished conversation is a parting")
	}
}

// Unanswered questions to a silent server count only if no server sent anything.
func TestSilent(t *testing.T) {
	for _, heard := range []bool{false, true} {
		kind := &wire.MessageType{Name: "Ask"}
		wire.NewMessages(kind, &wire.MessageType{Name: "Tell", Answers: []string{"Ask"}})
		c := &talk{protocol: "x", message: kind, steps: []step{{name: kind.Name, direction: wire.ToServer}}, asked: 5, again: 4,
			server: netip.MustParseAddrPort("10.0.0.1:1")}
		talks := &Talks{list: []*talk{c}, latest: 2 * patience}
		if heard {
			talks.hear(netip.MustParseAddrPort("10.0.0.2:1"))
		}
		talks.close()
		if got := talks.open == 1 && talks.again == 4; got == heard {
			t.Errorf("another server was heard: %t, %d asked again, %d open", heard, talks.again, talks.open)
		}
	}
}
