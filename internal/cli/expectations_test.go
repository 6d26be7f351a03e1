package cli

import (
	"path/filepath"
	"testing"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// fulfilled names for each expectation of testdata/expect a capture that fulfils it, and one of the same game that does
// not.
var fulfilled = map[string][2]string{
	"bloodmasters-ping.yaml": {"bloodmasters-gametypes.pcap", "bloodmasters-malformed.pcap"},
	"bzflag17-join.yaml":     {"bz17-c-joinleave.pcap", "bz17-c-reject.pcap"},
	"bzflag17-kill.yaml":     {"bz17-c-scorelimit.pcap", "bz17-c-joinleave.pcap"},
	"bzflag17-reject.yaml":   {"bz17-c-reject.pcap", "bz17-c-refused.pcap"},
	"bzflag24-capture.yaml":  {"bz24-ctf-players.pcap", "bz24-ctf-capture.pcap"},
	"bzflag24-join.yaml":     {"bz24-ctf-capture.pcap", "bz24-reject.pcap"},
	"bzflag24-kill.yaml":     {"bz24-ctf-players.pcap", "bz24-reject.pcap"},
	"bzflag24-reject.yaml":   {"bz24-reject.pcap", "bz24-admin.pcap"},
	"iceball-listed.yaml":    {"iceball-real-session.pcap", "iceball-cookies.pcap"},
	"tribes-list.yaml":       {"tribes-x-control.pcap", "tribes-x-lost-2.pcap"},
}

// TestExpectations checks the expectations that the documentation shows.
func TestExpectations(t *testing.T) {
	list, err := filepath.Glob("../../testdata/expect/*.yaml")
	if err != nil || len(list) < len(fulfilled) {
		t.Errorf("%d expectations are there, the table fulfilled has %d; %v", len(list), len(fulfilled), err)
	}
	for _, name := range list {
		t.Run(filepath.Base(name), func(t *testing.T) {
			names, ok := fulfilled[filepath.Base(name)]
			if !ok {
				t.Fatal("the table fulfilled lacks it: name a capture that fulfils it, and one that does not")
			}
			for i, want := range []int{term.ExitDone, term.ExitFindings} {
				if out, errs, code := dissect("check", "--require", "-r", filepath.Join(clitest.Captures, names[i]), name); code != want {
					t.Errorf("%s: exit code %d, want %d:\n%s%s", names[i], code, want, out, errs)
				}
			}
		})
	}
}
