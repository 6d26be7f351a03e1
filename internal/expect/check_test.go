package expect_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/expect"
	"github.com/gamedissect/gamedissect/internal/filter"
	"github.com/gamedissect/gamedissect/layers"
)

// TestFindingsOfNoGroup checks that a finding that belongs to no group counts if it is about the expectation's
// protocol. A finding about no protocol counts only if the capture also has messages of that protocol.
func TestFindingsOfNoGroup(t *testing.T) {
	tribes, other := layers.ByName("tribes"), layers.ByName("iceball")
	history := filter.NewHistory(nil)
	finding := func(p *wire.Protocol, s wire.Severity) *wire.TrafficFinding {
		return &wire.TrafficFinding{Rule: &wire.Rule{ID: "some.rule", Severity: s}, Text: "here", Place: wire.Place{Frame: 3, Protocol: p}}
	}
	for _, test := range []struct {
		text     string
		findings []*wire.TrafficFinding
		want     string
	}{
		{"protocol: tribes\nbounds: {findings: warning}", []*wire.TrafficFinding{finding(nil, wire.Warning)}, ""},
		{"protocol: tribes\nbounds: {findings: warning}", []*wire.TrafficFinding{finding(nil, wire.Error), finding(tribes, wire.Warning)}, "2 findings not in any conversation"},
		{"protocol: tribes\nbounds: {findings: warning}", []*wire.TrafficFinding{finding(other, wire.Error)}, ""},
		{"protocol: tribes\nbounds: {findings: warning}", []*wire.TrafficFinding{finding(tribes, wire.Note)}, ""},
		{"bounds: {findings: note}", []*wire.TrafficFinding{finding(other, wire.Note)}, "1 finding not in any conversation"},
		{"per: capture\nbounds: {findings: note}", []*wire.TrafficFinding{finding(other, wire.Note)}, "1 finding not in any capture"},
		{"filter: tribes\nbounds: {findings: note}", []*wire.TrafficFinding{finding(other, wire.Note)}, ""},
		{"bounds: {hold: count any >= 0}", []*wire.TrafficFinding{finding(other, wire.Error)}, ""},
	} {
		c := expect.NewCheck(loadText(t, "x", []byte("name: t\nfulfilled: 0\n"+test.text+"\n")), expect.Options{})
		for _, f := range test.findings {
			c.Finding(history.Finding(f))
		}
		r := c.Close()[0]
		want := 0
		if test.want != "" {
			want = len(test.findings)
		}
		if r.Trouble != test.want || len(r.Findings) != want {
			t.Errorf("%s: %q, %d findings, want %q", test.text, r.Trouble, len(r.Findings), test.want)
		}
	}
}

// TestGroups has messages of an unknown direction, so the sender counts as the client. Therefore each endpoint is its
// own group, unless groups are conversations.
func TestGroups(t *testing.T) {
	base, l := once(t, "tribes-x-control.pcap")
	for per, want := range map[string]string{
		"conversation": "3 2", "client": "4 1", "server": "4 1", "capture": "5",
	} {
		history := filter.NewHistory(nil)
		c := expect.NewCheck(loadText(t, "x", []byte("name: t\nper: "+per+"\nbounds: {hold: count any > 100}\n")), expect.Options{})
		for i, way := range []wire.Direction{wire.Unknown, wire.Unknown, wire.PeerToPeer, wire.ToServer, wire.FromServer} {
			m := message(&base, l)
			m.Direction = way
			if i == 1 || i == 4 {
				m.Src, m.Dst = m.Dst, m.Src
			}
			if i > 2 {
				m.Conversation = 7
			}
			c.Message(history.Message(m))
		}
		var counts []string
		for _, g := range c.Close()[0].Groups {
			counts = append(counts, strings.TrimSuffix(strings.TrimPrefix(g.Failures[0].Cause, "count any is "), ", expected > 100"))
		}
		if got := strings.Join(counts, " "); got != want {
			t.Errorf("%s: %s, want %s", per, got, want)
		}
	}
}

// TestWays checks that maxThreads threads are allowed, and that one more is too many.
func TestWays(t *testing.T) {
	base, l := once(t, "tribes-x-control.pcap")
	history := filter.NewHistory(nil)
	for n, ambiguous := range map[int]bool{200: false, 201: true} {
		text := "name: t\nprotocol: tribes\nmode: strict\nsequence:\n" + strings.Repeat("  - {expect: any, optional: true}\n", n) + "  - expect: Heartbeat\n"
		c := expect.NewCheck(loadText(t, "x", []byte(text)), expect.Options{})
		c.Message(history.Message(message(&base, l)))
		if r := c.Close()[0]; r.OK() || strings.Contains(r.Trouble, "too many ways") != ambiguous {
			t.Errorf("%d ways: %s", n, r.Trouble)
		}
	}
}

// TestExcerpts checks that only the part around the error is shown of a long line, but all of a short line.
func TestExcerpts(t *testing.T) {
	long := strings.Repeat("abcdefghi\t", 40)
	shown := strings.ReplaceAll(long, "\t", " ")
	for column, want := range map[int]string{
		1:   shown[:160] + "\n^",
		81:  shown[:160] + "\n" + strings.Repeat(" ", 80) + "^",
		82:  shown[1:161] + "\n" + strings.Repeat(" ", 80) + "^",
		390: shown[309:] + "\n" + strings.Repeat(" ", 80) + "^",
		999: shown[320:] + "\n" + strings.Repeat(" ", 80) + "^",
	} {
		if got := (&expect.Error{Line: 3, Column: column, Source: long}).Excerpt(); got != want {
			t.Errorf("column %d:\n%s\nwant\n%s", column, got, want)
		}
	}
	if got := (&expect.Error{Line: 3, Column: 2}).Excerpt(); got != "" {
		t.Errorf("with an unknown line: %q", got)
	}
}

// TestPositions checks the positions of errors, even in the first and the last line.
func TestPositions(t *testing.T) {
	for text, want := range map[string]string{
		"{}":                                   "x:1:1: the expectation has no name\n{}\n^",
		"{name: t, filter: [tribes, tribez]}":  "x:1:28: there is no field \"tribez\" (did you mean tribes?)\n{name: t, filter: [tribes, tribez]}\n                           ^",
		"name: é\nfilter: udp && tribés":       "x:2:16: there is no field \"tribés\" (did you mean tribes?)\nfilter: udp && tribés\n               ^",
		"\ufeffname: t\nbound: 3":              "x:2:1: an expectation has no key \"bound\" (did you mean bounds?)\nbound: 3\n^",
		"\ufeffnane: t":                        "x:1:1: an expectation has no key \"nane\" (did you mean name?)\nnane: t\n^",
		"name: t\r\nbound: 3":                  "x:2:1: an expectation has no key \"bound\" (did you mean bounds?)\nbound: 3\n^",
		"name: t\nfilter: |\n  udp &&\n  udpp": "x:2:9: column 8: there is no field \"udpp\" (did you mean udp?)\nfilter: |\n        ^",
	} {
		_, err := expect.Load("x", []byte(text), schema)
		bad, ok := errors.AsType[*expect.Error](err)
		if !ok {
			t.Errorf("%s: %v", text, err)
		} else if got := bad.Error() + "\n" + bad.Excerpt(); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", text, got, want)
		}
	}
}
