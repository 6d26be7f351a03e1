package cli

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
)

// events matches the messages with which servers tell all clients about an event.
var events = regexp.MustCompile(`^Msg(Killed|GrabFlag|CaptureFlag|DropFlag|Alive|Score|ScoreOver|RemovePlayer|Message)$`)

// TestOnce compares the output of --once with an independent decoder's records. If connections differ in how often they
// carry an event, --once must show the largest number.
func TestOnce(t *testing.T) {
	for _, name := range files(t, "snap96.pcap", "lost.pcap", "head.pcap", "players.pcap") {
		if !strings.HasPrefix(name, "bz") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			records, _ := readRecords(t, name)
			counts := make(map[string]map[int]int) // counts by event and stream
			for _, r := range records {
				fields, err := json.Marshal(r.Fields)
				clitest.NoError(t, err)
				if event := r.Message + string(fields); r.Direction == "s2c" && events.MatchString(r.Message) {
					if counts[event] == nil {
						counts[event] = make(map[int]int)
					}
					counts[event][r.Stream]++
				}
			}
			want := make(map[string]int)
			for event, streams := range counts {
				message, _, _ := strings.Cut(event, "{")
				want[message] += slices.Max(slices.Collect(maps.Values(streams)))
			}
			if name == "bz24-reject.pcap" {
				want["MsgMessage"] += 3 // successive players with the same number sent and received equal messages
			}
			file := filepath.Join(clitest.Captures, name)
			if got := countEvents(t, shown(t, "-T", "json", "--once", "-Y", "direction == s2c", "-r", file)); !maps.Equal(got, want) {
				t.Errorf("%v, want %v", got, want)
			}
			every, once := shown(t, "-T", "json", "-r", file), shown(t, "-T", "json", "--once", "-r", file)
			if got, want := rulesIn(once), rulesIn(every); !slices.Equal(got, want) {
				t.Errorf("rules %s are broken, want %s", got, want)
			}
			all := countEvents(t, once)
			if name == "bz17-c-violations.pcap" || name == "bz24-reject.pcap" {
				return // clients send messages that the server does not pass on
			}
			delete(all, "MsgMessage") // some are commands, which the server does not pass on
			delete(want, "MsgMessage")
			if !maps.Equal(all, want) {
				t.Errorf("with the clients' messages %v, want %v", all, want)
			}
		})
	}
}

// countEvents counts the events in lines of JSON.
func countEvents(t *testing.T, lines string) map[string]int {
	t.Helper()
	count := make(map[string]int)
	for line := range strings.Lines(lines) {
		var r struct{ Message string }
		clitest.NoError(t, json.Unmarshal([]byte(line), &r))
		if events.MatchString(r.Message) {
			count[r.Message]++
		}
	}
	return count
}

var ruleInJSON = regexp.MustCompile(`"rule":"[^"]*"`)

// rulesIn lists the rules in lines of JSON.
func rulesIn(lines string) []string {
	list := ruleInJSON.FindAllString(lines, -1)
	slices.Sort(list)
	return slices.Compact(list)
}

// If no other option selects messages, the field "copy" is true exactly for those that --once leaves out. JSON output
// has the field only if a filter or a form uses it.
func TestCopies(t *testing.T) {
	file := filepath.Join(clitest.Captures, "bz24-ctf-capture.pcap")
	lines := func(args ...string) string {
		out := shown(t, append([]string{"-T", "json", "-r", file}, args...)...)
		return out
	}
	all, without := lines(), lines("--once")
	if not := lines("-Y", "not copy"); not != without || len(without)*2 > len(all) {
		t.Errorf("%d bytes without copies, --once shows %d of %d", len(not), len(without), len(all))
	}
	copies := lines("-Y", "copy")
	if n := strings.Count(copies, "\n"); n != strings.Count(copies, `,"copy":true,`) ||
		n+strings.Count(without, "\n") != strings.Count(all, "\n") {
		t.Errorf("%d copies, %d others of %d", n, strings.Count(without, "\n"), strings.Count(all, "\n"))
	}
	if strings.Contains(all+without, `"copy"`) {
		t.Error("JSON has the field copy although nothing uses it")
	}
	if both := lines("-Y", "copy or frame"); strings.ReplaceAll(both, `,"copy":true`, "") != all {
		t.Error("messages differ by more than the field copy")
	}
}
