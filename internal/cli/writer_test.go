package cli

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
)

// TestProcessors checks that the output is the same with one processor as with several, where another goroutine writes.
func TestProcessors(t *testing.T) {
	several := max(runtime.GOMAXPROCS(0), 2)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var all []string
	for _, name := range small(t) {
		all = append(all, "-r", filepath.Join(clitest.Captures, name))
	}
	forms := []string{"json --mask-secrets", "tree -Y length>20", "fields -e frame.number -e info -e response_time -e finding.text -e ip.src -e protocol -e message -e time_delta",
		"line", "tree", "tree -V", "tree -x --color always", "json", "json -Y frame.number<50", "tree --mask-secrets"}
	for _, form := range some(t, forms, 1) {
		args := append(slices.Clip(all), "-T")
		args = append(args, strings.Fields(form)...)
		runtime.GOMAXPROCS(1)
		alone, _, _ := dissect(args...)
		runtime.GOMAXPROCS(several)
		together, _, _ := dissect(args...)
		if alone != together {
			at := 0
			for at < min(len(alone), len(together)) && alone[at] == together[at] {
				at++
			}
			from := max(at-200, 0)
			t.Errorf("%s: one processor writes %d bytes, several %d, different from byte %d on:\n%s\n---\n%s", form, len(alone), len(together), at,
				alone[from:min(at+200, len(alone))], together[from:min(at+200, len(together))])
		}
		if len(alone) < 1<<18 {
			t.Errorf("%s: only %d bytes", form, len(alone))
		}
	}
}
