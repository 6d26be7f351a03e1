package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
)

// tapFilters makes tshark write the number of each filter in the list, and the numbers of the packets that match the
// filter.
const tapFilters = `
local n = 0
for text in io.lines(os.getenv("FILTERS")) do
	n = n + 1
	local ok, tap = pcall(Listener.new, "frame", text)
	if ok then
		local i = n
		tap.packet = function(pinfo) print(i .. " " .. pinfo.number) end
	else
		print(n .. " refused: " .. tostring(tap))
	end
end`

// Among packets that carry messages, a display filter matches the same packets in this program and in tshark.
func TestWiresharkFiltersAgree(t *testing.T) {
	needTshark(t)
	t.Setenv("TZ", "UTC")
	list := filepath.Join("testdata", "tshark-filters.txt")
	text, err := os.ReadFile(list)
	clitest.NoError(t, err)
	filters := strings.Split(strings.TrimSpace(string(text)), "\n")
	for _, name := range []string{"bz17-c-joinleave.pcap", "tribes-list-40.pcap", "bz17-var-vlan.pcap"} {
		name = filepath.Join(clitest.Captures, name)
		theirs := tapped(t, name, list)
		messages := framesOf(t, name, "frame")
		for i, f := range filters {
			want := slices.DeleteFunc(theirs[i+1], func(n string) bool { return !slices.Contains(messages, n) })
			if got := framesOf(t, name, f); !slices.Equal(got, want) {
				t.Errorf("%s: %s matches %v, in tshark %v", filepath.Base(name), f, got, want)
			}
		}
	}
}

// framesOf returns the numbers of the packets with messages that a filter matches.
func framesOf(t *testing.T, name, filter string) []string {
	t.Helper()
	out, errs, code := dissect("-r", name, "-Y", filter, "-T", "fields", "-e", "frame.number")
	if code != 0 {
		t.Errorf("%s: %s", filter, errs)
	}
	return slices.Compact(strings.Fields(out))
}

// tapped returns tshark's packets for each filter of a list, by the filter's number, counted from 1.
func tapped(t *testing.T, name, list string) map[int][]string {
	t.Helper()
	script := filepath.Join(t.TempDir(), "tap.lua")
	clitest.NoError(t, os.WriteFile(script, []byte(tapFilters), 0o600))
	c := exec.Command("tshark", "-q", "-X", "lua_script:"+script, "-r", name)
	c.Env = append(os.Environ(), "FILTERS="+list)
	out, err := c.Output()
	clitest.NoError(t, err)
	found := make(map[int][]string)
	for line := range strings.Lines(string(out)) {
		number, frame, ok := strings.Cut(strings.TrimSpace(line), " ")
		n, err := strconv.Atoi(number)
		switch {
		case err != nil || !ok:
		case strings.HasPrefix(frame, "refused"):
			t.Errorf("tshark, filter %s", line)
		default:
			found[n] = append(found[n], frame)
		}
	}
	return found
}
