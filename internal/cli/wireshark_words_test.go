package cli

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/cli/tshark"
)

// Wireshark's arguments are passed on unchanged, even an option that has the name of one of ours.
func TestWiresharkWordsPass(t *testing.T) {
	for _, words := range []string{
		"-Y tribes", "-d udp.port==7000,dns -V", "-c 5 --color", "--help", "-T fields -e frame.number -E header=y",
		"-o gui.column.format:x", "-nr",
	} {
		c := newWireshark(term.Streams{})
		if err := tshark.CheckPassed(c.Flags(), strings.Fields(words)); err != nil {
			t.Errorf("%s: %v", words, err)
		}
	}
}

// If there is no display, Wireshark ends without saying what to do, so the program adds a hint.
func TestWiresharkNeedsDisplay(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("there is always a display")
	}
	bin := t.TempDir()
	for _, name := range []string{"wireshark", "tshark"} {
		clitest.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\nexit 3\n"), 0o700))
	}
	t.Setenv("PATH", bin)
	t.Setenv("WAYLAND_DISPLAY", "")
	capture := filepath.Join(clitest.Captures, "tribes-heartbeats-t1master.pcap")
	for _, test := range []struct {
		display string
		args    []string
		hint    bool
	}{
		{"", []string{capture}, true}, {":0", []string{capture}, false}, {"", []string{"--tshark", capture}, false},
	} {
		t.Setenv("DISPLAY", test.display)
		_, stderr, code := dissect(append([]string{"wireshark"}, test.args...)...)
		if code != 3 || strings.Contains(stderr, "there is no display here: gamedissect wireshark --tshark") != test.hint {
			t.Errorf("DISPLAY=%s %q: %d %s", test.display, test.args, code, stderr)
		}
	}
}
