package cli

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
)

// Packets that Wireshark would assign to other protocols, by their port or by a heuristic, are shown as messages of our
// protocols.
func TestOurProtocolsComeFirst(t *testing.T) {
	needTshark(t)
	for _, test := range []struct{ capture, other, ours string }{
		{"bloodmasters-versions.pcapng", "rdt", "bloodmasters"},
		{"bz24-ctf-capture.pcap", "lbmsrs", "bzflag24"},
		{"iceball-http.pcap", "dplay", "iceball"},
	} {
		t.Run(test.other, func(t *testing.T) {
			t.Parallel()
			name := filepath.Join(clitest.Captures, test.capture)
			out, err := exec.Command("tshark", "-r", name, "-Y", test.other, "-T", "fields", "-e", "frame.number").Output()
			clitest.NoError(t, err)
			frames := strings.Fields(string(out))
			if len(frames) == 0 {
				t.Skip("this tshark decodes no packet as " + test.other)
			}
			var want strings.Builder
			for _, frame := range frames {
				fmt.Fprintf(&want, "%s\t%s\t%s\n", frame, test.ours, test.ours)
			}
			got, stderr, _ := dissect("wireshark", "--tshark", name, "-Y",
				"frame.number in {"+strings.Join(frames, ", ")+"} and not "+test.other,
				"-T", "fields", "-E", "occurrence=f", "-e", "frame.number", "-e", "protocol", "-e", "_ws.col.Protocol")
			if got != want.String() {
				t.Errorf("got:\n%swant:\n%s%s", got, &want, stderr)
			}
		})
	}
}
