package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
)

// occurrences counts events. The key describes the event, such as "kill 2 1".
type occurrences map[string]int

// independent counts the events in a capture of BZFlag 2.4, as an independent decoder recorded them. A server sends the
// message about an event on every connection, so the number of events is the highest number on any connection.
func independent(t *testing.T, name string) occurrences {
	t.Helper()
	counts := make(map[int]occurrences) // counts by connection
	numbers := make(map[int]any)
	records, _ := readRecords(t, name)
	for _, r := range records {
		if r.Direction != "s2c" || r.Transport != "tcp" {
			continue
		}
		f, c := r.Fields, counts[r.Stream]
		if c == nil {
			c = make(occurrences)
			counts[r.Stream] = c
		}
		switch r.Message {
		case "MsgAccept":
			numbers[r.Stream] = f["player"]
		case "MsgAddPlayer": // on other connections, it may tell of an earlier join
			if id, ok := numbers[r.Stream]; ok && id == f["player"] {
				c[fmt.Sprintf("join %v %s", id, f["call_sign"])]++
			}
		case "MsgKilled":
			c[fmt.Sprintf("kill %v %v", f["killer"], f["victim"])]++
		case "MsgCaptureFlag":
			c[fmt.Sprintf("capture %v", f["player"])]++
		case "MsgMessage":
			if from, to := f["from"].(float64), f["to"].(float64); from != to && (from != 253 || to >= 244) {
				c[fmt.Sprintf("chat %v %v", from, to)]++
			}
		}
	}
	return mostOf(counts)
}

// mostOf returns the highest count of each event on any connection.
func mostOf(counts map[int]occurrences) occurrences {
	all := make(occurrences)
	for _, c := range counts {
		for what, n := range c {
			all[what] = max(all[what], n)
		}
	}
	return all
}

// independent17 does for BZFlag 1.07 what independent does for 2.4. It counts entering, leaving, kills, captures and
// chat, and the ends of matches and of attempts to enter. Players of 1.07 have only names.
func independent17(t *testing.T, name string) occurrences {
	t.Helper()
	counts := make(map[int]occurrences) // counts by connection
	names, entering := make(map[any]string), make(map[int]string)
	records, _ := readRecords(t, name)
	for _, r := range records {
		f, c := r.Fields, counts[r.Stream]
		if c == nil {
			c = make(occurrences)
			counts[r.Stream] = c
		}
		who := func(field string) string { return names[f[field]] }
		switch r.Direction + " " + r.Message {
		case "c2s MsgEnter":
			entering[r.Stream] = f["call_sign"].(string)
		case "c2s MsgExit":
			c["leave "+entering[r.Stream]]++
		case "s2c MsgReject":
			c["refused"+fmt.Sprint(r.Frame)]++
		case "s2c MsgAddPlayer":
			names[f["player"]] = f["call_sign"].(string)
			if entering[r.Stream] == f["call_sign"] {
				c["join "+entering[r.Stream]]++
			}
		case "s2c MsgKilled":
			c["kill "+who("killer")+" "+who("victim")]++
		case "s2c MsgCaptureFlag":
			c["capture "+who("player")]++
		case "s2c MsgMessage":
			c["chat "+who("from")]++
		case "s2c MsgScoreOver":
			c["game over"]++
		case "s2c ServerHello":
			if f["reconnect_port"] == 0.0 {
				c["refused"+fmt.Sprint(r.Frame)]++
			}
		}
	}
	return mostOf(counts)
}

// timelineOf counts the same events in the timeline. Players are numbers in 2.4 and names in 1.07.
func timelineOf(t *testing.T, capture string) occurrences {
	t.Helper()
	all := make(occurrences)
	for line := range strings.Lines(shown(t, "-r", capture, "-q", "-z", "timeline", "-T", "json")) {
		var row struct {
			Protocol, Event, Who, Whom string
			Frame                      int
		}
		clitest.NoError(t, json.Unmarshal([]byte(line), &row))
		who, whom, older := row.Who, row.Whom, row.Protocol == "bzflag17"
		if !older && row.Event != "join" {
			who, whom = number(who), number(whom)
		}
		switch {
		case row.Event == "join", row.Event == "capture", older && (row.Event == "leave" || row.Event == "chat"):
			all[row.Event+" "+who]++
		case row.Event == "kill":
			all["kill "+who+" "+whom]++
		case older && row.Event == "refused":
			all["refused"+fmt.Sprint(row.Frame)]++
		case older && row.Event == "game over":
			all[row.Event]++
		case !older && (row.Event == "chat" || row.Event == "notice" || row.Event == "shutdown"):
			all["chat "+who+" "+whom]++
		}
	}
	return all
}

// number returns the number in the name of a player, such as "2 hank".
func number(who string) string {
	switch who {
	case "": // all players
		return "254"
	case "server":
		return "253"
	}
	n, _, _ := strings.Cut(who, " ")
	return n
}

// TestTimelineAgrees compares the events in captures with the events that an independent decoder found.
func TestTimelineAgrees(t *testing.T) {
	for _, name := range []string{
		"bz24-ctf-capture", "bz24-admin", "bz24-reject", "bz24-query",
		"bz17-c-scorelimit", "bz17-c-reject", "bz17-c-refused", "bz17-var-lost",
	} {
		count := independent
		if strings.HasPrefix(name, "bz17") {
			count = independent17
		}
		want, got := count(t, name+".pcap"), timelineOf(t, filepath.Join(clitest.Captures, name+".pcap"))
		if len(want) == 0 || !maps.Equal(want, got) {
			t.Errorf("%s: the timeline has %v, the record %v", name, got, want)
		}
	}
}

// TestAnswersOnWideTerminals compares the answers at 120 columns with golden text. The documentation shows the answers
// at 80 columns, where tables have fewer columns.
func TestAnswersOnWideTerminals(t *testing.T) {
	text := clitest.ReadFile(t, filepath.Join(clitest.Root, "docs", "answers.md"))
	golden, err := filepath.Abs(filepath.Join("testdata", "answers-120.golden"))
	clitest.NoError(t, err)
	inDocs(t)
	t.Setenv("COLUMNS", "120")
	var got strings.Builder
	commands := regexp.MustCompile(`(?m)^\$ COLUMNS=80 gamedissect (.*)$`).FindAllStringSubmatch(string(text), -1)
	if len(commands) < 10 {
		t.Errorf("%d questions are answered", len(commands))
	}
	for _, m := range commands {
		out, complaints, _ := dissect(words(m[1])...)
		fmt.Fprintf(&got, "$ COLUMNS=120 gamedissect %s\n%s%s\n", m[1], out, complaints)
	}
	if updating() {
		clitest.NoError(t, os.WriteFile(golden, []byte(got.String()), 0o644))
	}
	want := clitest.ReadFile(t, golden)
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("(-golden +now):\n%s", diff)
	}
}
