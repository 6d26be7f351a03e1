//go:build live && linux

package cli

import (
	"encoding/json"
	"net"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
)

// Packets of two interfaces come in time order. Each packet shows its interface, and the interfaces are counted
// separately.
func TestLiveSeveral(t *testing.T) {
	program, send := lab(t, 1500)
	file := filepath.Join(t.TempDir(), "two.pcapng")
	c := begin(t, 2, program, "-i", "1", "-i", far, "-T", "json", "-w", file) // interface 1 is lo
	query := packets(t, "tribes-list-40.pcap")
	for i, b := range query[:40] {
		if i%2 == 0 {
			clitest.NoError(t, send(b))
			continue
		}
		within(t, farSpace, func() error {
			to, err := net.Dial("udp", "127.0.0.1:28000")
			if err == nil {
				_, err = to.Write(b[42:])
			}
			return err
		})
	}
	out, stderr := c.stop(t)
	var order []string
	var last string
	for line := range strings.Lines(out) {
		var m struct{ File, Time string }
		clitest.NoError(t, json.Unmarshal([]byte(line), &m))
		if m.Time < last {
			t.Errorf("%s after %s", m.Time, last)
		}
		last = m.Time
		order = append(order, m.File)
	}
	for i, name := range order {
		if want := []string{far, "lo"}[i%2]; name != want {
			t.Errorf("packet %d is from %s", i, name)
		}
	}
	if len(order) != 40 || !regexp.MustCompile(`lo: \d+ packets captured, 0 dropped`).MatchString(stderr) ||
		!regexp.MustCompile(far+`: \d+ packets captured, 0 dropped`).MatchString(stderr) {
		t.Errorf("%d messages; %s", len(order), stderr)
	}
	if lines, _, _ := dissect("-r", file, "-T", "json"); strings.Count(lines, "\n") != 40 {
		t.Errorf("%d messages in the file", strings.Count(lines, "\n"))
	}
}
