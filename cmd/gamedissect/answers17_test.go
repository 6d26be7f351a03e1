package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"
)

// independent17 is independent for BZFlag 1.07, where players are named: who enters, kills, captures, speaks, leaves,
// and how matches and attempts to enter end.
func independent17(t *testing.T, name string) occurrences {
	t.Helper()
	told := make(map[int]occurrences) // on each connection
	names, entering := make(map[any]string), make(map[int]string)
	records, _ := readRecords(t, name)
	for _, r := range records {
		f, c := r.Fields, told[r.Stream]
		if c == nil {
			c = make(occurrences)
			told[r.Stream] = c
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
	all := make(occurrences)
	for _, c := range told {
		for what, n := range c {
			all[what] = max(all[what], n)
		}
	}
	return all
}

// timelineOf17 counts the same by the timeline.
func timelineOf17(t *testing.T, capture string) occurrences {
	t.Helper()
	out, stderr, code := dissect("-r", capture, "-q", "-z", "timeline", "-T", "json")
	if code != exitDone {
		t.Fatal(stderr)
	}
	all := make(occurrences)
	for line := range strings.Lines(out) {
		var row struct {
			Event, Who, Whom string
			Frame            int
		}
		noError(t, json.Unmarshal([]byte(line), &row))
		switch row.Event {
		case "join", "leave", "capture", "chat":
			all[row.Event+" "+row.Who]++
		case "kill":
			all["kill "+row.Who+" "+row.Whom]++
		case "refused":
			all["refused"+fmt.Sprint(row.Frame)]++
		case "game over":
			all[row.Event]++
		}
	}
	return all
}

// TestTimelineAgrees17 holds what happened in games of 1.07 against what an independent decoder saw.
func TestTimelineAgrees17(t *testing.T) {
	for _, name := range []string{"bz17-c-scorelimit", "bz17-c-reject", "bz17-c-refused", "bz17-var-lost"} {
		want, got := independent17(t, name+".pcap"), timelineOf17(t, filepath.Join(captures, name+".pcap"))
		if len(want) == 0 || !maps.Equal(want, got) {
			t.Errorf("%s: the timeline has %v, the record %v", name, got, want)
		}
	}
}
