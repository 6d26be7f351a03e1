package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Words that stand on the wrong side of the file are told where they belong, before anything is read.
func TestWiresharkWords(t *testing.T) {
	const behind = "options of Wireshark stand behind FILE; if files are named with -r, behind --"
	const before = " goes to Wireshark where it stands; options of gamedissect stand in front of the file"
	const other = ": Wireshark would show packets that were not dissected"
	capture := filepath.Join(captures, "tribes-list-40.pcap")
	for args, want := range map[string]string{
		"-Y tribes FILE":                    behind,
		"--tshark -r FILE -q":               behind,
		"--jobs 2 FILE":                     "gamedissect-beam dissects on several processors",
		"FILE --tshark":                     "--tshark" + before,
		"FILE -V --dialect=document":        "--dialect" + before,
		"FILE -d udp.port==7000,tribes":     "-d" + before,
		"-r FILE -- -q --install":           "--install" + before,
		"FILE -r other.pcap":                "-r" + other,
		"FILE -V --read-file=other.pcap":    "--read-file" + other,
		"FILE -i lo":                        "-i" + other,
		"FILE FILE":                         capture + ": one file is shown; several become one with -r FILE -r FILE",
		"FILE FILE -Y 'tribes || iceball'":  capture + ": one file is shown",
		"-r FILE FILE -Y tribes.heartbeat ": "one file per -r",
	} {
		words := strings.Fields(strings.ReplaceAll(args, "FILE", capture))
		out, said, code := dissect(append([]string{"wireshark"}, words...)...)
		if out != "" || code != exitTrouble || !strings.Contains(said, want) {
			t.Errorf("%s: %d %q\n%swant %s", args, code, out, said, want)
		}
	}
}

// What is Wireshark's, an option that is called alike among it, goes to Wireshark as it stands.
func TestWiresharkWordsPass(t *testing.T) {
	for _, words := range []string{
		"-Y tribes", "-d udp.port==7000,dns -V", "-c 5 --color", "--help", "-T fields -e frame.number -E header=y",
		"-o gui.column.format:x", "-nr",
	} {
		c := newWireshark(streams{})
		if err := misplacedAtWireshark(c.Flags(), strings.Fields(words)); err != nil {
			t.Errorf("%s: %v", words, err)
		}
	}
}

// Where there is no display Wireshark ends, and its own words do not say what to do.
func TestWiresharkNeedsDisplay(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("there is always a display")
	}
	bin := t.TempDir()
	for _, name := range []string{"wireshark", "tshark"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\nexit 3\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin)
	t.Setenv("WAYLAND_DISPLAY", "")
	capture := filepath.Join(captures, "tribes-heartbeats-t1master.pcap")
	for _, test := range []struct {
		display string
		args    []string
		hint    bool
	}{
		{"", []string{capture}, true}, {":0", []string{capture}, false}, {"", []string{"--tshark", capture}, false},
	} {
		t.Setenv("DISPLAY", test.display)
		_, said, code := dissect(append([]string{"wireshark"}, test.args...)...)
		if code != 3 || strings.Contains(said, "there is no display here: gamedissect wireshark --tshark") != test.hint {
			t.Errorf("DISPLAY=%s %q: %d %s", test.display, test.args, code, said)
		}
	}
}
