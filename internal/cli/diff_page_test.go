package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/diff"
	"github.com/gamedissect/gamedissect/internal/view"
	"github.com/gamedissect/gamedissect/layers"
)

// TestDiffInPage checks that the page has the same comparison as diff. The filters of each difference must match
// messages in the capture, or in the good capture if the capture lacks these messages.
func TestDiffInPage(t *testing.T) {
	for _, files := range []string{
		"tribes-x-control.pcap tribes-x-lost-2.pcap", "bz17-c-scorelimit.pcap bz17-c-violations.pcap",
		"bz17-c-scorelimit.pcap bz17-var-lost.pcap", "bz17-c-joinleave.pcap bz17-c-reject.pcap",
		"iceball-real-session.pcap iceball-cadence.pcap", "iceball-real-session.pcap iceball-real-session.cutfile.pcap",
		"iceball-real-session.pcap tribes-list-40.pcap", "bloodmasters-real.pcap bloodmasters-real.frag-lost.pcap",
		"bz24-ctf-players.pcap bz24-admin.pcap bz24-query.pcap bz24-ctf-capture.pcap",
	} {
		args := []string{"diff", "-T", "json"}
		for name := range strings.FieldsSeq(files) {
			args = append(args, filepath.Join(clitest.Captures, name))
		}
		out, _, _ := dissect(args...)
		var want diff.Comparison
		clitest.NoError(t, json.Unmarshal([]byte(out), &want))
		v, got := shownDiff(t, args[3:])
		if d := cmp.Diff(&want, got, cmpopts.IgnoreUnexported(diff.Difference{}, diff.Parting{}), cmpopts.IgnoreFields(diff.Comparison{}, "Good", "Capture"),
			cmpopts.IgnoreFields(diff.Difference{}, "File")); d != "" {
			t.Errorf("%s (-diff +page):\n%s", files, d)
		}
		for i := range got.Differences {
			d := &got.Differences[i]
			good, now := matches(t, v.Of(d.Filters.In+1), d.Filters.Good), matches(t, v, d.Filters.Now)
			if d.Filters != (diff.Filters{}) && good+now == 0 || d.Worse && d.Filters.Now != "" && now == 0 {
				t.Errorf("%s: %s: %d messages in the good capture, %d now: %+v", files, d.What, good, now, d.Filters)
			}
		}
		if p := got.Parting; p != nil && (matches(t, v, p.Filters.Now) == 0 || matches(t, v.Of(p.Filters.In+1), p.Filters.Good) == 0) {
			t.Errorf("%s: no message where the conversations part: %+v", files, p.Filters)
		}
	}
}

// shownDiff returns the comparison that the page shows. The last capture is compared with the others.
func shownDiff(t *testing.T, names []string) (*view.View, *diff.Comparison) {
	t.Helper()
	var files []view.File
	for _, name := range names {
		file, size, err := openFile(name)
		clitest.NoError(t, err)
		t.Cleanup(func() { _ = file.Close() })
		files = append(files, view.File{Reader: file, Size: size, Name: filepath.Base(name)})
	}
	last := len(files) - 1
	v, err := view.OpenAll(files[last:], view.Options{Protocols: layers.All()})
	clitest.NoError(t, err)
	for _, f := range files[:last] {
		clitest.NoError(t, v.AddGood(f))
	}
	var answer struct {
		Done bool
		diff.Comparison
	}
	for n := range len(names) {
		if _ = json.Unmarshal(v.CallOf(0, "compare", nil), &answer); answer.Done {
			t.Error("captures are compared before they are read")
		}
		for v.Of(n).Step(1<<20, time.Second) {
		}
	}
	for !answer.Done {
		b := v.CallOf(0, "compare", []byte(`{"ms": 0}`))
		clitest.NoError(t, json.Unmarshal(b, &answer))
		if strings.HasPrefix(string(b), `{"error"`) {
			t.Fatalf("%s", b)
		}
	}
	return v, &answer.Comparison
}

func openFile(name string) (*os.File, int64, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	return file, info.Size(), err
}

// matches counts the messages that a filter matches.
func matches(t *testing.T, v *view.View, text string) int {
	t.Helper()
	if text == "" {
		return 0
	}
	request, err := json.Marshal(map[string]any{"text": text, "ms": 10_000})
	clitest.NoError(t, err)
	var answer struct {
		Error   any
		Matches int
	}
	clitest.NoError(t, json.Unmarshal(v.Call("filter", request), &answer))
	if answer.Error != nil {
		t.Errorf("%s: %v", text, answer.Error)
	}
	return answer.Matches
}
