package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
)

// The output of -T fields does not depend on whether the script adds all fields or only the named ones.
func TestWiresharkAddsWhatIsNamed(t *testing.T) {
	needTshark(t)
	names := map[string][]string{
		"bz24-ctf-capture.pcap": {"bzflag24.killed", "bzflag24", "bzflag24.killed.killer_name", "bzflag24.reason",
			"bzflag24.player_update.position", "bzflag24.position.x", "bzflag24.undecoded", "info", "finding.rule",
			"question_in", "answer_in", "copy", "_ws.expert.message"},
		"tribes-list-40.pcap": {"tribes.servers.ip", "tribes.servers", "tribes.master_name", "length",
			"response_time", "question_in", "answer_in"},
		"bloodmasters-malformed.pcap": {"bloodmasters.game_type_name", "finding", "finding.text", "message"},
		"iceball-strings.pcap":        {"iceball.name", "direction", "_ws.expert.severity"},
	}
	for name, all := range names {
		name := filepath.Join(clitest.Captures, name)
		if _, err := os.Stat(name); err != nil {
			t.Fatal(err)
		}
		for _, names := range [][]string{all, all[:1]} {
			args := []string{"wireshark", "--tshark", name, "-T", "fields", "-e", "frame.number"}
			for _, f := range names {
				args = append(args, "-e", f)
			}
			got, stderr, code := dissect(args...)
			if code != 0 {
				t.Fatalf("%s: %d %s", name, code, stderr)
			}
			want, _, _ := dissect(append(args, "-o", "gui.window_title:$")...) // an argument with $ needs all fields
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-all +named):\n%s", name, diff)
			}
		}
	}
}
