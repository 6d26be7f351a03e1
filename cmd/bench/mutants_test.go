package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/capture"
)

const realCaptures = "../../testdata/pcap"

// TestBreed holds that a number gives the same mutant each time, that two give two, and that most of them are captures
// still, with packets that differ from those they come from.
func TestBreed(t *testing.T) {
	h, err := newHerd(realCaptures)
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool)
	readable := 0
	const mutants = 50
	for number := range uint64(mutants) {
		b, _ := h.breed(number)
		if again, _ := h.breed(number); !bytes.Equal(b, again) {
			t.Fatalf("mutant %d is another the second time", number)
		}
		seen[string(b)] = true
		if f, err := capture.NewReader(bytes.NewReader(b), "mutant"); err == nil {
			var p capture.Packet
			if f.Next(&p) == nil {
				readable++
			}
		}
	}
	if len(seen) != mutants || readable < mutants*3/4 {
		t.Errorf("%d mutants: %d differ, %d can be read", mutants, len(seen), readable)
	}
}

// TestMutantsFindCrashes holds that a crash is told, with the mutant that it can be had again with, and that the exit
// codes of a program that works are not.
func TestMutantsFindCrashes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	for _, c := range []struct{ name, script, want string }{
		{"panics", "echo 'goroutine 1 [running]:' >&2; exit 2", "goroutine 1"},
		{"killed", "kill -9 $$", "killed"},
		{"refuses", "echo no >&2; exit 2", ""},
		{"finds", "exit 1", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			program := filepath.Join(t.TempDir(), "program")
			if err := os.WriteFile(program, []byte("#!/bin/sh\n"+c.script+"\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			switch err := testMutants(t.Context(), program, 2, realCaptures, &out); {
			case c.want == "" && err != nil:
				t.Error(err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "mutant ")):
				t.Errorf("got %v, want one with %q", err, c.want)
			}
			if !strings.Contains(out.String(), "peak MB") {
				t.Errorf("no report:\n%s", out.String())
			}
		})
	}
}
