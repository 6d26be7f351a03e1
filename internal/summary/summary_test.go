package summary_test

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/report"
	"github.com/gamedissect/gamedissect/internal/stats"
	"github.com/gamedissect/gamedissect/internal/summary"
	"github.com/gamedissect/gamedissect/layers"
)

// counts are Stats with methods that add values and findings.
type counts struct {
	stats.Stats

	protocol *wire.Protocol
}

func (c *counts) set(table, server, who, what, text string) {
	c.Value(&wire.Value{Place: wire.Place{Protocol: c.protocol}, Table: table, Server: netip.MustParseAddrPort(server),
		Who: who, What: what, State: true, Text: text})
}

func (c *counts) add(table, server, who, what string, n float64, unit string) {
	c.Value(&wire.Value{Place: wire.Place{Protocol: c.protocol}, Table: table, Server: netip.MustParseAddrPort(server),
		Who: who, What: what, Number: n, Unit: unit})
}

func (c *counts) find(id, sender string, text string) {
	rules := slices.Concat(decode.Rules(), c.protocol.Rules)
	at := slices.IndexFunc(rules, func(r *wire.Rule) bool { return r.ID == id })
	f := &wire.TrafficFinding{Place: wire.Place{Src: netip.MustParseAddrPort(sender), Frame: 7, File: "a.pcap"}, Rule: rules[at], Text: text}
	c.Finding(f)
}

func (c *counts) summary(files ...summary.File) *summary.Summary {
	c.Messages = 1
	return summary.Make(&summary.Source{Files: files, Source: report.Source{Stats: &c.Stats,
		Counters: decode.Counters{Packets: 1}, Protocols: layers.All()}})
}

// Masters come first, then servers with problems, then by the number of players.
func TestServersInOrder(t *testing.T) {
	c := counts{protocol: layers.ByName("tribes")}
	for i := range 500 {
		at := fmt.Sprintf("10.0.%d.%d:28001", i/250, i%250+1)
		c.set("servers", at, "", "players", fmt.Sprintf("%d/64", i%32))
	}
	c.set("servers", "10.0.0.5:28001", "", "players", "40/64") // for a while
	c.set("servers", "10.0.0.5:28001", "", "players", "0/64")
	c.set("listing", "10.9.9.9:28000", "10.0.0.1:28001", "failed", "verified")
	c.set("listing", "10.9.9.9:28000", "10.0.0.1:28001", "why", "it does not answer")
	c.set("listing", "10.9.9.9:28000", "10.0.0.2:28001", "failed", "verified")
	c.set("listing", "10.9.9.9:28000", "10.0.0.2:28001", "failed", "") // listed later
	c.add("queries", "10.0.0.3:28001", "10.0.7.7", "asked", 6, "")
	c.add("queries", "10.0.0.3:28001", "10.0.7.7", "unanswered", 6, "")
	c.add("queries", "10.8.8.8:28001", "10.0.7.7", "asked", 6, "") // silent, because no other table has it
	c.add("queries", "10.8.8.8:28001", "10.0.7.7", "unanswered", 6, "")
	c.add("queries", "224.0.0.1:28001", "10.0.7.7", "asked", 1, "")
	c.add("lists", "10.9.9.9:28000", "", "time to first packet", 0.09, "s")
	c.find("tribes.version", "10.0.0.4:28001", "it is 17")
	s := c.summary()
	if a := s.Health.Answers; a == nil || a.Worst != 0.09 || a.Whose != "10.9.9.9:28000" {
		t.Errorf("answers: %+v", a)
	}
	if len(s.Servers) != 502 {
		t.Fatalf("%d servers", len(s.Servers))
	}
	var got []string
	for _, one := range s.Servers[:7] {
		got = append(got, one.Address.Addr().String())
	}
	want := "10.9.9.9 10.0.0.4 10.0.0.3 10.0.0.1 10.8.8.8 10.0.0.5 10.0.0.32"
	if strings.Join(got, " ") != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if !s.Servers[0].Master || s.Servers[0].Games != 2 || *s.Servers[5].Most != 40 || s.Servers[5].Limit != 64 {
		t.Errorf("%+v, %+v", s.Servers[0], s.Servers[5])
	}
	if h := s.Health; len(h.NotListed) != 1 || h.NotListed[0].Why != "it does not answer" || len(h.Unanswered) != 2 ||
		h.Unanswered[0].Asked != 6 || h.Unanswered[0].Answered != 0 {
		t.Errorf("%+v", h)
	}
}

// Players are sorted by findings, removal, worst lag, and time played.
func TestPlayersInOrder(t *testing.T) {
	c := counts{protocol: layers.ByName("bzflag24")}
	const server = "10.0.0.1:5154"
	for i := range 100 {
		who := fmt.Sprintf("%d p%d", i, i)
		c.set("players", server, who, "address", fmt.Sprintf("10.1.0.%d:4000", i+1))
		c.add("players", server, who, "played", float64(i), "")
	}
	c.add("players", server, "4 p4", "lag", 0.5, "s")
	c.add("players", server, "5 p5", "lag", 0.1, "s")
	c.add("players", server, "5 p5", "lag", 0.9, "s")
	c.set("players", server, "6 p6", "removed", "bye")
	c.add("players", server, "1 p1", "missing", 3, "")
	c.add("players", server, "2 p2", "missing", 4, "")
	c.find("bzflag24.length", "10.1.0.8:4000", "7 bytes")
	c.set("players", server, "8 again", "address", "10.1.0.8:4000") // the address that 7 p7 had before
	s := c.summary()
	var got []string
	for _, p := range s.Players[:6] {
		got = append(got, p.Name)
	}
	if want := "7 p7, 6 p6, 5 p5, 4 p4, 99 p99, 98 p98"; len(s.Players) != 101 || s.Players[0].Findings != 1 || strings.Join(got, ", ") != want {
		t.Errorf("%d players: %s\nwant %s", len(s.Players), strings.Join(got, ", "), want)
	}
	if lag := s.Health.Lag; lag.Count != 3 || lag.Worst != 0.9 || lag.Whose != "5 p5" || lag.Median < 0.48 || lag.Median > 0.52 {
		t.Errorf("lag: %+v", lag)
	}
	if s.Health.Missing != 7 {
		t.Errorf("%d updates are missing", s.Health.Missing)
	}
	if f := s.Health.Findings[0]; f.Who != "7 p7" || f.Senders != 1 || f.Title == "" {
		t.Errorf("%+v", f)
	}
}

// Errors come before warnings. In each group, findings about the capture or the network come first, because they may
// explain others.
func TestFindingsByWeight(t *testing.T) {
	c := counts{protocol: layers.ByName("tribes")}
	for range 3 {
		c.find("tribes.unknown-key", "10.0.0.1:1", "x")
	}
	c.find("tribes.short-packet", "10.0.0.1:1", "x")
	c.find("tcp.gap", "10.0.0.1:1", "x")
	c.find("tribes.version", "10.0.0.1:1", "x")
	c.find("tribes.version", "10.0.0.2:1", "x")
	var got []string
	s := c.summary(summary.File{Name: "-"})
	for _, f := range s.Health.Findings {
		got = append(got, f.Rule)
	}
	if want := "tribes.version tcp.gap tribes.unknown-key tribes.short-packet"; strings.Join(got, " ") != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if f := s.Health.Findings[0]; f.Who != "10.0.0.1:1" || f.Senders != 2 || s.Health.Errors != 2 || s.Health.Warnings != 4 ||
		s.Health.Notes != 1 {
		t.Errorf("%+v", s.Health)
	}
}

// Names of files are quoted for a shell.
func TestNextNamesFiles(t *testing.T) {
	for name, want := range map[string]string{
		"a/b.pcap":   "gamedissect -r a/b.pcap -q -z messages",
		"it's.pcap":  `gamedissect -r 'it'\''s.pcap' -q -z messages`,
		"-q.pcap":    "gamedissect -r ./-q.pcap -q -z messages",
		"a b*.pcap":  "gamedissect -r 'a b*.pcap' -q -z messages",
		"~x":         "gamedissect -r '~x' -q -z messages",
		"-":          "", // already read
		"\x1b[2J":    "", // cannot be typed
		"日本.pcap.gz": "gamedissect -r 日本.pcap.gz -q -z messages",
	} {
		c := counts{protocol: layers.ByName("tribes")}
		if got := strings.Join(c.summary(summary.File{Name: name}).Next, "\n"); got != want {
			t.Errorf("%q: %s\nwant %s", name, got, want)
		}
	}
}

// If many packets belong to no game, the table of these packets is among the tables to look at.
func TestNextOther(t *testing.T) {
	for others, want := range map[int64]bool{0: false, 10: false, 100: true} {
		c := counts{protocol: layers.ByName("tribes")}
		c.Messages = 1
		s := summary.Make(&summary.Source{Files: []summary.File{{Name: "a.pcap"}}, Source: report.Source{Stats: &c.Stats,
			Counters: decode.Counters{Packets: 300, Other: others}, Protocols: layers.All()}})
		if got := strings.HasSuffix(strings.Join(s.Next, "\n"), " -z other"); got != want {
			t.Errorf("%d of 300 packets belong to no game: %q", others, s.Next)
		}
	}
}

func TestSpan(t *testing.T) {
	var s summary.Span
	for _, ns := range []int64{20, 10, 30} {
		s.Add(ns)
	}
	if s.First != time.Unix(0, 10).UTC() || s.Last != time.Unix(0, 30).UTC() {
		t.Errorf("%v", s)
	}
}

// Files overlap if one begins before another ends, in any order.
func TestOverlap(t *testing.T) {
	file := func(first, last int64) summary.File {
		f := summary.File{Packets: 2}
		f.Add(first)
		f.Add(last)
		return f
	}
	c := counts{protocol: layers.ByName("tribes")}
	for want, files := range map[bool][]summary.File{
		true:  {file(50, 60), file(10, 20), {}, file(19, 30)},
		false: {file(50, 60), file(10, 20), {}, file(20, 30)},
	} {
		if got := c.summary(files...).Overlap; got != want {
			t.Errorf("%+v overlap: %t", files, got)
		}
	}
}

// TestTeams checks that a server has its teams with their last scores, and the result of the last match.
func TestTeams(t *testing.T) {
	c := counts{protocol: layers.ByName("bzflag24")}
	const server = "10.0.0.1:5154"
	c.set("teams", server, "Red", "score", "1-0")
	c.set("teams", server, "Red", "score", "2-0")
	c.set("teams", server, "Green", "score", "0-2")
	c.set("servers", server, "", "match", "Red wins the game: Green 0-2, Red 2-0")
	c.set("players", server, "1 ann", "team", "Observer")
	s := c.summary()
	want := []summary.Team{{Name: "Green", Score: "0-2"}, {Name: "Red", Score: "2-0"}}
	if got := s.Servers[0]; !slices.Equal(got.Teams, want) || !strings.HasPrefix(got.Match, "Red wins") {
		t.Errorf("%+v", got)
	}
	if !s.Players[0].Observer {
		t.Errorf("%+v", s.Players[0])
	}
}
