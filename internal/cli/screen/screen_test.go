package screen

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/report"
	"github.com/gamedissect/gamedissect/internal/summary"
)

// crowded returns a summary with too much of everything, and with hostile texts.
func crowded(servers, players, files int) *summary.Summary {
	s := &summary.Summary{Packets: 1e9, Messages: 1e9, Others: 1e6}
	text := strings.Join(clitest.HostileNames, " ") + strings.Repeat("名", 60)
	for i := range servers {
		most := int64(i)
		s.Servers = append(s.Servers, summary.Server{Protocol: "tribes", Name: text, Map: text, Version: text, Most: &most,
			Address: netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(i / 250), byte(i % 250)}), 28001), Limit: 64,
			NotListed: "why"})
		s.Health.NotListed = append(s.Health.NotListed, summary.NotListed{Server: s.Servers[i].Address, Name: text, Why: text})
		s.Health.Unanswered = append(s.Health.Unanswered, summary.Unanswered{Server: s.Servers[i].Address, Asked: 6, Without: 6})
		s.Health.Refused = append(s.Health.Refused, summary.Refused{Reason: text, Who: text, Count: 1})
		s.Health.Findings = append(s.Health.Findings, summary.Finding{Severity: "error", Rule: "tribes.version", Count: 7,
			Who: text, Senders: 3, Example: text, Of: new(wire.Rule)})
	}
	for range players {
		s.Players = append(s.Players, summary.Player{Name: text, Team: "Red", Score: "1-2", Played: 77, Removed: text})
	}
	for i := range files {
		f := summary.File{Name: fmt.Sprintf("a/%d-%s", i, text), Packets: 5, Warnings: 3}
		f.Add(int64(i) * 1e18)
		s.Add(int64(i) * 1e18)
		s.Files = append(s.Files, f)
	}
	for range 6 {
		s.Next = append(s.Next, "gamedissect -r a/capture.pcap -q -z players -z timeline -z listing -z refused -z queries")
	}
	return s
}

// TestScreenFits checks that a screen has at most 24 lines, that no line is too wide or has unprintable characters, and
// that no part is missing.
func TestScreenFits(t *testing.T) {
	for _, width := range []int{40, 80, 132} {
		for _, s := range []*summary.Summary{crowded(500, 100, 200), crowded(500, 0, 1), crowded(1, 100, 1), crowded(1, 1, 2)} {
			got := decoloured(string(Append(nil, s, term.Terminal{Width: width, Style: term.Colours}, time.UTC)))
			if n := strings.Count(got, "\n"); n > 24 {
				t.Errorf("%d columns: %d lines\n%s", width, n, got)
			}
			if bad := clitest.Unprintable(got); bad != "" {
				t.Errorf("not printable: %s", bad)
			}
			for line := range strings.Lines(got) {
				if clitest.LineWidth(strings.TrimSuffix(line, "\n")) > width {
					t.Errorf("%d columns: %s", width, line)
				}
			}
			for what, n := range map[string]int{"SERVERS": len(s.Servers), "PLAYERS": len(s.Players)} {
				if heading := fmt.Sprintf("%s %d", what, n); n > 0 && !strings.Contains(got, heading) {
					t.Errorf("no %s in\n%s", heading, got)
				}
			}
		}
	}
}

// If there are many servers, one line counts those without their own line.
func TestRestIsCounted(t *testing.T) {
	s := crowded(500, 0, 1)
	s.Health, s.Next = summary.Health{}, nil
	got := string(Append(nil, s, term.Terminal{}, time.UTC))
	shown := strings.Count(got, "\n  10.0.")
	if rest := fmt.Sprintf("\n  and %d more (", 500-shown); shown < 10 || !strings.Contains(got, rest) {
		t.Errorf("%d servers are shown, no %q in\n%s", shown, rest, got)
	}
}

// Servers known only by address have a line each if there are at most four. Otherwise only the first three have one.
func TestBareServers(t *testing.T) {
	for bare, want := range map[int]string{
		4: "  10.0.0.4:28001  tribes\n",
		5: "  10.0.0.3:28001  tribes\n  and 2 more, known only by address (-T json has all)\n",
	} {
		s := &summary.Summary{Packets: 1, Messages: 1, Files: []summary.File{{Name: "a"}}}
		for i := range bare {
			at := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, byte(i + 1)}), 28001)
			s.Servers = append(s.Servers, summary.Server{Protocol: "tribes", Address: at})
		}
		got := string(Append(nil, s, term.Terminal{}, time.UTC))
		if !strings.Contains(got, want+"HEALTH") {
			t.Errorf("%d: %s", bare, got)
		}
	}
}

// Times have their date and zone.
func TestTimesHaveZones(t *testing.T) {
	s := &screen{zone: time.FixedZone("JST", 9*3600)}
	var span summary.Span
	span.Add(1e18)
	span.Add(1e18 + 60e9)
	if got := s.when(span); got != "Sun 2001-09-09 10:46:40 - 10:47:40 JST, 1m00s" {
		t.Error(got)
	}
	span.Add(1e18 + 86400e9)
	if got := s.when(span); got != "Sun 2001-09-09 10:46:40 - Mon 2001-09-10 10:46:40 JST, 1d00h" {
		t.Error(got)
	}
}

func TestHowLong(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0us", 1500 * time.Millisecond: "1.5s", 152 * time.Second: "2m32s", 3*time.Hour + 5*time.Minute: "3h05m",
		50 * time.Hour: "2d02h",
	} {
		if got := report.FormatSpan(d); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
}

// A command that is too wide continues on the next line. It never breaks within quotes.
func TestWrapped(t *testing.T) {
	s := &screen{width: 30}
	got := strings.Join(s.wrapped(`gamedissect -r 'it'\''s b c.pcap' -q -z players`), "\n")
	want := "  gamedissect -r \\\n      'it'\\''s b c.pcap' -q \\\n      -z players"
	if got != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
}

func decoloured(text string) string {
	for _, colour := range []string{term.Colours.Name, term.Colours.Error, term.Colours.Warning, term.Colours.Note, term.Colours.Reset} {
		text = strings.ReplaceAll(text, colour, "")
	}
	return text
}

// TestMatches checks the lines about matches. A single server has a line with the result of its last match, or with the
// scores. Several servers have a line each.
func TestMatches(t *testing.T) {
	won := summary.Server{Address: netip.MustParseAddrPort("10.0.0.1:5154"), Match: "a\x1b wins the game: Red 2-0",
		Teams: []summary.Team{{Name: "Red", Score: "0-0"}}}
	open := summary.Server{Address: netip.MustParseAddrPort("10.0.0.2:5154"),
		Teams: []summary.Team{{Name: "Green", Score: "0-0"}, {Name: "Red", Score: "1-0"}}}
	none := summary.Server{Address: netip.MustParseAddrPort("10.0.0.3:5154"),
		Teams: []summary.Team{{Name: "Red", Score: "0-0"}}}
	for _, c := range []struct {
		servers []summary.Server
		want    string
	}{
		{[]summary.Server{won}, "\nMATCH a\\x1b wins the game: Red 2-0\n"},
		{[]summary.Server{open}, "\nMATCH Green 0-0, Red 1-0\n"},
		{[]summary.Server{won, open, none}, "\nMATCHES 2\n  10.0.0.1:5154  a\\x1b wins the game: Red 2-0\n" +
			"  10.0.0.2:5154  Green 0-0, Red 1-0\n"},
		{[]summary.Server{none}, ""},
	} {
		s := &summary.Summary{Packets: 1, Messages: 1, Files: []summary.File{{Name: "a"}}, Servers: c.servers}
		got := string(Append(nil, s, term.Terminal{}, time.UTC))
		if has := strings.Contains(got, "MATCH"); !strings.Contains(got, c.want) || has != (c.want != "") {
			t.Errorf("no %q in\n%s", c.want, got)
		}
	}
}

// TestObservers checks that observers are counted separately from players.
func TestObservers(t *testing.T) {
	s := &summary.Summary{Packets: 1, Messages: 1, Files: []summary.File{{Name: "a"}},
		Players: []summary.Player{{Name: "a"}, {Name: "b", Observer: true}, {Name: "c", Observer: true}}}
	if got := string(Append(nil, s, term.Terminal{}, time.UTC)); !strings.Contains(got, "\nPLAYERS 1, 2 observers\n") {
		t.Errorf("got\n%s", got)
	}
}
