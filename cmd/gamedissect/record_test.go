package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// record is a line of what an independent decoder, written from the behaviour of the real
// programs, read in a capture.
type record struct {
	Frame     int
	Message   string
	Direction string
	Transport string
	Protocol  string
	Length    int
	Fields    map[string]any
	Optional  bool // anything or nothing may be found in this frame
}

// TestRecords holds every message and every field that the records name against what the
// program prints, and sees that nothing is invented.
func TestRecords(t *testing.T) {
	for _, name := range files(t) {
		if strings.Contains(name, "frag") || strings.Contains(name, "snap") || strings.Contains(name, "cutfile") {
			continue // their frames are counted otherwise
		}
		want, free := readRecords(t, name)
		t.Run(name, func(t *testing.T) {
			got := map[int][]record{}
			for _, r := range readJSON(t, name) {
				got[r.Frame] = append(got[r.Frame], r)
			}
			for _, w := range want {
				i := match(w, got[w.Frame])
				if i < 0 {
					t.Errorf("frame %d: no %s %s of %d bytes, but %v", w.Frame, w.Direction, w.Message, w.Length, got[w.Frame])
					continue
				}
				compareFields(t, w, got[w.Frame][i])
				got[w.Frame] = append(got[w.Frame][:i:i], got[w.Frame][i+1:]...)
			}
			for frame, extra := range got {
				if len(extra) > 0 && !free[frame] {
					t.Errorf("frame %d: %v is not in the record", frame, extra)
				}
			}
		})
	}
}

func (r record) String() string { return fmt.Sprintf("%s %s %d", r.Direction, r.Message, r.Length) }

func match(w record, candidates []record) int {
	for i, g := range candidates {
		if g.Message == w.Message && (w.Length == 0 || w.Length == g.Length) && (w.Direction == "" || w.Direction == g.Direction) {
			return i
		}
	}
	return -1
}

func compareFields(t *testing.T, want, got record) {
	t.Helper()
	for name, w := range want.Fields {
		if g, ok := got.Fields[name]; !ok || !same(w, g) {
			t.Errorf("frame %d %s.%s: %v, want %v", want.Frame, want.Message, name, g, w)
		}
	}
}

// same compares values; of objects only the keys that are wanted.
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

// readRecords gives what has to be found by UDP, and the frames in which all is free.
func readRecords(t *testing.T, name string) (want []record, free map[int]bool) {
	t.Helper()
	f, err := os.Open(filepath.Join(captures, name+".expected.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	free = map[int]bool{}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		switch {
		case r.Optional:
			free[r.Frame] = true
		case r.Transport == "udp":
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
	out, _, _ := dissect("-T", "json", "-r", filepath.Join(captures, name))
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
