package main

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
)

// occurrences is how often things happened, each named by what messages say of it.
type occurrences map[string]int

// independent counts what happened in a capture of BZFlag 2.4 by an independent decoder's record of its messages: an
// event is what a server tells on each connection by the same message, as often as it tells it on one of them.
func independent(t *testing.T, name string) occurrences {
	t.Helper()
	told := make(map[int]occurrences) // on each connection
	numbers := make(map[int]any)
	records, _ := readRecords(t, name)
	for _, r := range records {
		if r.Direction != "s2c" || r.Transport != "tcp" {
			continue
		}
		f, c := r.Fields, told[r.Stream]
		if c == nil {
			c = make(occurrences)
			told[r.Stream] = c
		}
		switch r.Message {
		case "MsgAccept":
			numbers[r.Stream] = f["player"]
		case "MsgAddPlayer": // to the player itself: others may be told how things stand
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
	all := make(occurrences)
	for _, c := range told {
		for what, n := range c {
			all[what] = max(all[what], n)
		}
	}
	return all
}

// timelineOf counts the same by the timeline.
func timelineOf(t *testing.T, capture string) occurrences {
	t.Helper()
	out, stderr, code := dissect("-r", capture, "-q", "-z", "timeline", "-T", "json")
	if code != exitDone {
		t.Fatal(stderr)
	}
	all := make(occurrences)
	for line := range strings.Lines(out) {
		var row struct{ Event, Who, Whom string }
		noError(t, json.Unmarshal([]byte(line), &row))
		who, whom := row.Who, row.Whom
		switch row.Event {
		case "join":
			all["join "+who]++
		case "kill":
			all["kill "+number(who)+" "+number(whom)]++
		case "capture":
			all["capture "+number(who)]++
		case "chat", "notice", "shutdown":
			all["chat "+number(who)+" "+number(whom)]++
		}
	}
	return all
}

// number is that of a player who is named by number and call sign.
func number(who string) string {
	switch who {
	case "": // everybody
		return "254"
	case "server":
		return "253"
	}
	n, _, _ := strings.Cut(who, " ")
	return n
}

// TestTimelineAgrees holds what happened in captures against what an independent decoder saw.
func TestTimelineAgrees(t *testing.T) {
	for _, name := range []string{"bz24-ctf-capture", "bz24-admin", "bz24-reject", "bz24-query"} {
		capture := filepath.Join(captures, name+".pcap")
		want, got := independent(t, name+".pcap"), timelineOf(t, capture)
		if len(want) == 0 || !maps.Equal(want, got) {
			t.Errorf("%s: the timeline has %v, the record %v", name, got, want)
		}
	}
}

// TestAnswersOnWideTerminals holds the answers at 120 columns, where they have more columns; the page shows them at 80.
func TestAnswersOnWideTerminals(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "answers.md"))
	noError(t, err)
	golden, err := filepath.Abs(filepath.Join("testdata", "answers-120.golden"))
	noError(t, err)
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
		noError(t, os.WriteFile(golden, []byte(got.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	noError(t, err)
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("(-golden +now):\n%s", diff)
	}
}
