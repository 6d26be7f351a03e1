package cli

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/testcapture"
)

// ofJSON is a message as -T json shows it.
type ofJSON struct {
	Message, Direction, Src, Dst string
	Fields                       json.RawMessage
	Finding                      any
}

func jsonOf(t *testing.T, args ...string) (list []ofJSON) {
	t.Helper()
	for line := range strings.Lines(shown(t, append(args, "-T", "json")...)) {
		var m ofJSON
		clitest.NoError(t, json.Unmarshal([]byte(line), &m))
		if m.Finding == nil {
			list = append(list, m)
		}
	}
	return list
}

// TestWho checks that the field "who" matches messages that name a player in any role, and messages that a server sends
// only to that player, such as pings.
func TestWho(t *testing.T) {
	wiretest.WithoutDetector(t)
	file := filepath.Join(clitest.Captures, "..", "games", "bz24-rabbit.pcap.gz")
	var want []ofJSON
	his, asked := make(map[string]bool), []string{"MsgLagPing", "MsgUDPLinkRequest", "MsgUDPLinkEstablished", "MsgSuperKill"}
	for _, m := range jsonOf(t, "-r", file) {
		named := false
		for name, values := range testcapture.Values(t, m.Fields) {
			if strings.HasSuffix(name, "_name") || strings.HasSuffix(name, "call_sign") {
				named = named || slices.Contains(values, "hank")
			}
			if name == "sender_name" || name == "call_sign" && m.Direction == "c2s" {
				his[m.Src] = slices.Contains(values, "hank")
			}
		}
		if named || m.Direction == "s2c" && his[m.Dst] && slices.Contains(asked, m.Message) {
			want = append(want, m)
		}
	}
	got := jsonOf(t, "-r", file, "-Y", `who == "hank"`)
	kinds := make(map[string]int)
	for i, m := range got {
		kinds[m.Message+" "+m.Direction]++
		if i >= len(want) || string(m.Fields) != string(want[i].Fields) || m.Src != want[i].Src {
			t.Fatalf("message %d is %s %s, want %s", i, m.Message, m.Fields, want[min(i, len(want)-1)].Fields)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d messages, want %d", len(got), len(want))
	}
	for _, kind := range []string{"MsgKilled s2c", "MsgMessage c2s", "MsgMessage s2c", "MsgAlive s2c", "MsgScore s2c"} {
		if kinds[kind] == 0 {
			t.Errorf("no %s", kind)
		}
	}
	for line := range strings.Lines(shown(t, "-r", file, "-q", "-z", "timeline", "-Y", `who == "hank"`)) {
		if !strings.Contains(line, "hank") {
			t.Errorf("the timeline has %s", line)
		}
	}
}

// TestWhoByNumberAndAddress checks that the number and the address find a player too, even in messages to others.
func TestWhoByNumberAndAddress(t *testing.T) {
	file := filepath.Join(clitest.Captures, "..", "troubles", "bz24-shutdown.pcap")
	named := jsonOf(t, "-r", file, "-Y", `who == "bo"`)
	for _, direction := range []string{"c2s", "s2c"} {
		if !slices.ContainsFunc(named, func(m ofJSON) bool { return m.Message == "MsgLagPing" && m.Direction == direction }) {
			t.Errorf("no MsgLagPing %s", direction)
		}
	}
	for _, other := range []string{"1", "198.51.100.77", "198.51.100.77/32", `"198.51.100.77"`} {
		found := jsonOf(t, "-r", file, "-Y", "who == "+other)
		at := 0
		for _, m := range found {
			if at < len(named) && m.Message == named[at].Message && m.Src == named[at].Src && string(m.Fields) == string(named[at].Fields) {
				at++
			}
		}
		if at < len(named) || len(named) == 0 {
			t.Errorf("who == %s lacks %d of %d messages: %s %s", other, len(named)-at, len(named), named[at].Message, named[at].Fields)
		}
		if others := jsonOf(t, "-r", file, "-Y", `who == `+other+` && who == "ana" && !(who == "bo")`); len(others) > 0 {
			t.Errorf("who == %s is true of %s %s", other, others[0].Message, others[0].Fields)
		}
	}
}
