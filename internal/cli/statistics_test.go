package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/stats"
	"github.com/gamedissect/gamedissect/layers"
)

// readStats returns the statistics of captures.
func readStats(t *testing.T, args ...string) *stats.Stats {
	t.Helper()
	file := filepath.Join(t.TempDir(), "stats.json")
	shown(t, append([]string{"-q", "--stats", file}, args...)...)
	text := clitest.ReadFile(t, file)
	s := new(stats.Stats)
	clitest.NoError(t, json.Unmarshal(text, s))
	return s
}

// TestStatistics compares counts and lengths of messages with the records of an independent decoder, for two captures
// of each protocol.
func TestStatistics(t *testing.T) {
	for _, name := range []string{
		"bloodmasters-gametypes.pcap", "bloodmasters-versions.pcapng", "iceball-real-session.pcap", "iceball-cadence.pcap",
		"tribes-list-40.pcap", "tribes-heartbeats-t1master.pcap", "bz17-c-joinleave.pcap", "bz17-c-scorelimit.pcap",
		"bz24-admin.pcap", "bz24-ctf-capture.pcap",
	} {
		want := make(map[string]string)
		counts := make(map[string][3]int) // count, bytes, largest size
		records, _ := readRecords(t, name)
		http := false
		for _, r := range records {
			http = http || r.Length == 0
			c := counts[r.Protocol+" "+r.Message]
			counts[r.Protocol+" "+r.Message] = [3]int{c[0] + 1, c[1] + r.Length, max(c[2], r.Length)}
		}
		for k, c := range counts {
			want[k] = fmt.Sprint(c)
		}
		got := make(map[string]string)
		s := readStats(t, "-r", filepath.Join(clitest.Captures, name))
		messages, sent, exchanged := int64(0), int64(0), int64(0)
		for protocol, p := range s.Protocols {
			for message, m := range p.Messages {
				k := protocol + " " + message
				c := [3]int{int(m.Sizes.Count), int(m.Sizes.Sum), int(m.Sizes.Max)}
				if counts[k][1] == 0 { // records have no lengths for HTTP
					c[1], c[2] = 0, 0
				}
				got[k] = fmt.Sprint(c)
				messages += m.Sizes.Count
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-record +statistics):\n%s", name, diff)
		}
		for _, e := range s.Endpoints {
			sent += e.Sent.Messages
		}
		for _, c := range s.Conversations {
			exchanged += c.AB.Messages + c.BA.Messages
		}
		if messages != s.Messages || sent != messages || exchanged != messages {
			t.Errorf("%s: %d messages, by endpoints %d, by conversations %d", name, messages, sent, exchanged)
		}
	}
}

// TestMeasured compares measured values with the records of an independent decoder.
func TestMeasured(t *testing.T) {
	// Deaths and kills by player, as one connection received them.
	deaths, kills := make(map[int]int64), make(map[int]int64)
	game, _ := readRecords(t, "bz24-ctf-capture.pcap")
	for _, r := range game {
		if r.Message == "MsgKilled" && r.Direction == "s2c" && r.Stream == 0 {
			victim, killer := int(r.Fields["victim"].(float64)), int(r.Fields["killer"].(float64))
			deaths[victim]++
			if killer != victim {
				kills[killer]++
			}
		}
	}
	players := readStats(t, "-r", filepath.Join(clitest.Captures, "bz24-ctf-capture.pcap")).Protocols["bzflag24"].Tables["players"]
	for who, row := range players {
		var id int
		if _, err := fmt.Sscan(who.Who, &id); err != nil {
			t.Fatal(err)
		}
		if got := total(row.Find("deaths")); got != deaths[id] {
			t.Errorf("%v died %d times, the record has %d", who, got, deaths[id])
		}
		if got := total(row.Find("kills")); got != kills[id] {
			t.Errorf("%v killed %d, the record has %d", who, got, kills[id])
		}
	}
	if len(deaths) == 0 || len(players) < 3 {
		t.Errorf("%d of %d players died", len(deaths), len(players))
	}
}

func total(x *stats.Series) int64 {
	if x == nil {
		return 0
	}
	return x.Total
}

// TestMeasuredSums compares sums over all rows of a table with the number of messages in the record.
func TestMeasuredSums(t *testing.T) {
	for _, c := range []struct{ capture, protocol, table, column, messages, direction string }{
		{"bz17-c-scorelimit.pcap", "bzflag17", "players", "deaths", "MsgKilled", "c2s"},
		{"bz17-c-scorelimit.pcap", "bzflag17", "players", "kills", "MsgKilled", "c2s"},
		{"bloodmasters-gametypes.pcap", "bloodmasters", "servers", "queries", "ServerInfoRequest", "c2s"},
		{"bloodmasters-malformed.pcap", "bloodmasters", "queries", "asked", "ServerInfoRequest", "c2s"},
		{"bloodmasters-gametypes.pcap", "bloodmasters", "servers", "ping", "ServerInfoReply", "s2c"},
		{"iceball-real-session.pcap", "iceball", "servers", "time to MSOK", "Accepted", "s2c"},
		{"iceball-real-session.pcap", "iceball", "servers", "time to HSHK", "Handshake", "c2s"},
		{"tribes-list-40.pcap", "tribes", "servers", "ping", "GameInfoReply GameSpyReply", ""},
		{"tribes-list-40.pcap", "tribes", "lists", "list length", "MasterListReply", ""},
	} {
		records, _ := readRecords(t, c.capture)
		want := int64(0)
		for _, r := range records {
			if slices.Contains(strings.Fields(c.messages), r.Message) && r.Direction == c.direction {
				want++
			}
		}
		got := int64(0)
		for _, row := range readStats(t, "-r", filepath.Join(clitest.Captures, c.capture)).Protocols[c.protocol].Tables[c.table] {
			x := row.Find(c.column)
			switch {
			case x == nil:
			case c.column == "list length":
				got += x.Numbers.Sum
			case x.Unit() != "":
				got += x.Numbers.Count
			default:
				got += x.Total
			}
		}
		if got != want || want == 0 {
			t.Errorf("%s, %s: %d, the record has %d %s", c.capture, c.column, got, want, c.messages)
		}
	}

	// Each query is counted in exactly one of the other columns.
	for who, row := range readStats(t, "-r", filepath.Join(clitest.Captures, "bloodmasters-malformed.pcap")).Protocols["bloodmasters"].Tables["queries"] {
		outcomes := int64(0)
		for _, what := range []string{"answered", "unanswered", "unreadable", "without echo", "open at the end"} {
			outcomes += row.Total(what)
		}
		if row.Total("asked") != outcomes {
			t.Errorf("%v: %d asked, %d in the other columns", who, row.Total("asked"), outcomes)
		}
	}

	// A list has as many servers as the record.
	records, _ := readRecords(t, "tribes-list-40.pcap")
	for _, r := range records {
		if r.Message != "MasterListReply" {
			continue
		}
		list := readStats(t, "-r", filepath.Join(clitest.Captures, "tribes-list-40.pcap")).Protocols["tribes"].Tables["lists"][stats.RowKey{Server: netip.MustParseAddrPort("127.0.0.1:28000")}]
		if got := list.Find("list size").Numbers.Sum; got != int64(len(r.Fields["servers"].([]any))) {
			t.Errorf("a list of %d servers, the record has %d", got, len(r.Fields["servers"].([]any)))
		}
	}
}

// Values are measured only in the tables that a protocol declares. If there is a capture of a protocol, each of its
// tables occurs.
func TestTablesAreNamed(t *testing.T) {
	args := []string{"-q", "--stats", "-"}
	for _, name := range files(t) {
		args = append(args, "-r", filepath.Join(clitest.Captures, name))
	}
	troubles, err := filepath.Glob(filepath.Join(clitest.Root, "testdata", "troubles", "*.pcap"))
	clitest.NoError(t, err)
	for _, name := range troubles {
		args = append(args, "-r", name)
	}
	out, _, _ := dissect(args...)
	var all struct {
		Protocols map[string]struct {
			Tables map[string]map[string]struct { // by table and subject
				Measured map[string]any // by column
			}
		}
	}
	clitest.NoError(t, json.Unmarshal([]byte(out), &all))
	for _, p := range layers.All() {
		if _, ok := all.Protocols[p.Name]; !ok {
			continue
		}
		var named []string
		for _, table := range p.Tables {
			named = append(named, table.Name)
		}
		slices.Sort(named)
		if got := slices.Sorted(maps.Keys(all.Protocols[p.Name].Tables)); !slices.Equal(got, named) {
			t.Errorf("%s: tables %q are measured, %q are declared", p.Name, got, named)
		}
		for _, table := range p.Tables {
			for who, row := range all.Protocols[p.Name].Tables[table.Name] {
				for what := range row.Measured {
					if !slices.Contains(slices.Concat(table.Steps, table.Columns), what) {
						t.Errorf("%s %s: %q of %s is not among its columns", p.Name, table.Name, what, who)
					}
				}
			}
		}
	}
}
