package main

import (
	"strings"
	"testing"
	"unicode"
)

// Why a server is not listed, and when it reached which step: frames and times are those of the captures.
func TestListing(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"tribes-heartbeats-t1master.pcap", `
127.10.0.3:28001,,,Heartbeat server,0,0.000046,0.000077,0.000077,10.30848,4.204496
127.10.0.4:28001,verified,"its answer to the verification came after 5.4 s, masters wait 5 s: tribes.unsolicited-reply",late,4.404746,4.404822,4.606054,,,
`},
		{"iceball-badv.pcapng", `
127.0.1.16:20737,challenged,its version has the bytes swapped: iceball.byte-order,srv,0.835113,,,,,
127.0.2.1:20737,,,fell back,0.885008,0.934925,0.934999,0.934999,6.732547,1.235423
127.0.2.2:20737,challenged,"it speaks version 1 of the heartbeat, the master wants 2 (BADV)",stubborn,1.536022,,,,,
`},
		{"iceball-badf.pcap", `
127.0.1.1:20737,challenged,"its announce has 85 bytes, not 86: iceball.announce-length",,0,,,,
127.0.1.9:54665,announced,what it sends begins with no letters that the master knows: iceball.unknown-magic,,,,,,
127.0.2.1:20737,still alive,"its announce has 83 bytes, not 86: iceball.announce-length",listed then bad,6.273991,6.274107,6.274352,6.274352,6.576728
`},
		{"iceball-cookies.pcap", `
127.0.1.4:20737,answered,no HSHK answers the master's MSOK: iceball.accept-unanswered,never shakes,5.678076,5.678397,,,,
`},
	} {
		out, _, code := dissect("-r", "../../testdata/pcap/"+c.file, "-q", "-z", "listing", "-T", "csv")
		if code != exitDone {
			t.Errorf("%s: %d", c.file, code)
		}
		for want := range strings.SplitSeq(strings.TrimSpace(c.want), "\n") {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in\n%s", c.file, want, out)
			}
		}
	}
}

// On a terminal the rows of servers with hostile names keep to their columns, and nothing of a name is sent raw.
func TestListingHostileNames(t *testing.T) {
	t.Setenv("COLUMNS", "80")
	for _, table := range []string{"listing", "timeline"} {
		out, _, code := dissect("-r", "../../testdata/pcap/iceball-strings.pcap", "-q", "-z", table)
		if code != exitDone || !strings.Contains(out, `\x`) {
			t.Errorf("-z %s: exit code %d, and no name is escaped in\n%s", table, code, out)
		}
		for line := range strings.Lines(out) {
			line = strings.TrimSuffix(line, "\n")
			if n := lineWidth(line); n > 80 || strings.ContainsFunc(line, unicode.IsControl) {
				t.Errorf("-z %s: %d columns in %q", table, n, line)
			}
		}
	}
}
