package cli

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
)

// A record is a line of the output of an independent decoder. That decoder was written from the behaviour of the real
// programs.
type record struct {
	Frame     int
	Message   string
	Direction string
	Transport string
	Stream    int
	Protocol  string
	Length    int
	Fields    map[string]any
	Optional  bool // this frame may contain anything, or nothing
}

// unordered matches captures whose frame numbers differ from those in their records. Their messages are compared
// without frames.
var unordered = regexp.MustCompile(`frag|reorder|dup|overlap|lost|snap`)

// TestRecords compares every message and every field in the records with the program's output. The output must contain
// nothing else. The test also checks which messages recur.
func TestRecords(t *testing.T) {
	recurs := make(map[string]bool)
	for _, name := range files(t) {
		t.Run(name, func(t *testing.T) {
			list := readJSON(t, name)
			if !strings.Contains(name, "violations") {
				checkRecurs(t, list, recurs)
			}
			if strings.Contains(name, "cutfile") {
				return // tested by a script
			}
			if _, err := os.Stat(recordOf(name)); errors.Is(err, fs.ErrNotExist) {
				withoutRecord(t, name)
			}
			compareRecords(t, name, list)
		})
	}
	for _, kind := range ownAccord {
		if !recurs[kind] {
			t.Errorf("%s does not recur, so it needs no exception", kind)
		}
	}
}

// compareRecords compares messages with the record of a capture.
func compareRecords(t *testing.T, name string, list []record) {
	t.Helper()
	key := func(r record) string { return fmt.Sprint(r.Frame) }
	if unordered.MatchString(name) {
		key = func(r record) string { return r.Transport + " " + r.Message }
	}
	want, free := readRecords(t, name)
	got := map[string][]record{}
	for _, r := range list {
		got[key(r)] = append(got[key(r)], r)
	}
	for _, w := range want {
		k := key(w)
		i := match(w, got[k])
		if i < 0 {
			t.Errorf("frame %d: no %s %s of %d bytes with %v, but %v", w.Frame, w.Direction, w.Message, w.Length, w.Fields, got[k])
			continue
		}
		compareFields(t, w, got[k][i])
		got[k] = append(got[k][:i:i], got[k][i+1:]...)
	}
	if strings.Contains(name, "lost") || unordered.MatchString(name) && len(free) > 0 {
		return // the record ends at a gap, after which this program continues
	}
	for k, extra := range got {
		for _, r := range extra {
			if !free[r.Frame] {
				t.Errorf("%s: %v is not in the record", k, r)
			}
		}
	}
}

func (r record) String() string { return fmt.Sprintf("%s %s %d", r.Direction, r.Message, r.Length) }

// match finds the message that a record describes, preferably one with the same fields.
func match(w record, candidates []record) int {
	found := -1
	for i, g := range candidates {
		if g.Message != w.Message || w.Length != 0 && w.Length != g.Length || w.Direction != "" && w.Direction != g.Direction {
			continue
		}
		if same(any(w.Fields), any(g.Fields)) {
			return i
		}
		if found < 0 {
			found = i
		}
	}
	return found
}

func compareFields(t *testing.T, want, got record) {
	t.Helper()
	for name, w := range want.Fields {
		if g, ok := got.Fields[name]; !ok || !same(w, g) {
			t.Errorf("frame %d %s.%s: %v, want %v", want.Frame, want.Message, name, g, w)
		}
	}
}

// same compares values. In objects, it compares only the keys of the expected value.
func same(want, got any) bool {
	switch w := want.(type) {
	case float64:
		switch g := got.(type) {
		case float64:
			return math.Abs(w-g) <= 2e-5*math.Max(1, math.Abs(w))
		case bool:
			return g == (w != 0)
		}
		return false
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return false
		}
		for i := range w {
			if !same(w[i], g[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		g, ok := got.(map[string]any)
		for k := range w {
			if !ok || !same(w[k], g[k]) {
				return false
			}
		}
		return true
	}
	return want == got
}

// recordOf returns the name of a capture's record file.
func recordOf(name string) string { return filepath.Join(clitest.Captures, name+".expected.jsonl.gz") }

// withoutRecord requires a golden file for a capture that no independent decoder has read, so that at least one file
// checks its content.
func withoutRecord(t *testing.T, name string) {
	if _, err := os.Stat(filepath.Join(clitest.Captures, name+".golden")); err != nil {
		t.Fatalf("nothing checks the content of %s: it needs a record, or if it has at most %d bytes, a golden file (make golden)", name, maxGolden)
	}
	t.Skipf("there is no record %s; only the golden file checks the content", recordOf(name))
}

// readRecords returns the messages that must be found, and the frames that may contain anything.
func readRecords(t *testing.T, name string) (want []record, free map[int]bool) {
	t.Helper()
	f, err := os.Open(recordOf(name))
	clitest.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	clitest.NoError(t, err)
	free = map[int]bool{}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r record
		clitest.NoError(t, json.Unmarshal(lines.Bytes(), &r))
		switch {
		case r.Optional:
			free[r.Frame] = true
		default:
			want = append(want, r)
		}
	}
	if lines.Err() != nil {
		t.Fatal(lines.Err())
	}
	return want, free
}

func readJSON(t *testing.T, name string) []record {
	t.Helper()
	out, _, _ := dissect("-T", "json", "-r", filepath.Join(clitest.Captures, name))
	var list []record
	for line := range strings.Lines(out) {
		var r record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if r.Message != "" {
			list = append(list, r)
		}
	}
	return list
}
