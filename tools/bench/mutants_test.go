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

// TestMutant checks that a number always results in the same mutant, that different numbers result in different
// mutants, and that most mutants can be read.
func TestMutant(t *testing.T) {
	h, err := readCorpus(realCaptures)
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool)
	readable := 0
	const mutants = 50
	for number := range uint64(mutants) {
		b, _ := h.mutant(number)
		if again, _ := h.mutant(number); !bytes.Equal(b, again) {
			t.Fatalf("mutant %d differs the second time", number)
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

// TestMutantsFindCrashes checks that a crash is an error with the mutant's name, and that the usual exit codes are not
// errors.
func TestMutantsFindCrashes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	from, err := readCorpus(realCaptures)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, script, want string }{
		{"panics", "echo 'goroutine 1 [running]:' >&2; exit 2", "goroutine 1"},
		{"killed", "kill -9 $$", "killed"},
		{"refuses", "echo no >&2; exit 2", ""},
		{"finds", "exit 1", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			program := filepath.Join(t.TempDir(), "program")
			if err := os.WriteFile(program, []byte("#!/bin/sh\n"+c.script+"\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			m := &mutantTest{corpus: from, program: program, mutants: 2, forms: make([]extremes, len(forms))}
			switch err := m.run(t.Context(), t.TempDir()); {
			case c.want == "" && err != nil:
				t.Error(err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "mutant ")):
				t.Errorf("got %v, want one with %q", err, c.want)
			}
			if c.want == "" && m.forms[len(forms)-1].runs != 2 {
				t.Errorf("%d runs of the last form, want 2", m.forms[len(forms)-1].runs)
			}
		})
	}
}
