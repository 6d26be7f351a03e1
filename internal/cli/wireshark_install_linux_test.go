package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/wireshark"
)

// Installed files are used, can be installed again, and are gone after removal. Nothing else is changed.
func TestWiresharkInstall(t *testing.T) {
	s := newShark(t)
	if out, _ := s.run(s.program, "wireshark", "--install"); strings.Count(out, "unchanged: ") != 3 {
		t.Error(out)
	}
	extcap := filepath.Join(s.home, ".config", "wireshark", "extcap")
	clitest.NoError(t, os.WriteFile(filepath.Join(extcap, "other"), []byte("of another program"), 0o600))
	s.run(s.program, "wireshark", "--uninstall")
	if out, _ := s.run(s.program, "wireshark", "--uninstall"); out != "no file of gamedissect is installed\n" {
		t.Errorf("a second time: %q", out)
	}
	var left []string
	err := filepath.WalkDir(s.home, func(path string, _ os.DirEntry, err error) error {
		left = append(left, strings.TrimPrefix(path, s.home))
		return err
	})
	if want := []string{"", "/.config", "/.config/wireshark", "/.config/wireshark/extcap", "/.config/wireshark/extcap/other"}; err != nil ||
		!slices.Equal(left, want) {
		t.Errorf("%v: left are %q", err, left)
	}

	foreign := filepath.Join(extcap, "gamedissect")
	clitest.NoError(t, os.WriteFile(foreign, []byte("of another program"), 0o600))
	for _, flag := range []string{"--install", "--uninstall"} {
		c, out, stderr := s.command(s.program, "wireshark", flag)
		if err := c.Run(); err == nil || out.Len() > 0 || !strings.Contains(stderr.String(), "was not written by gamedissect") {
			t.Errorf("%s: %v: %s%s", flag, err, out, stderr)
		}
	}
	if text, err := os.ReadFile(foreign); string(text) != "of another program" || session.Exists(filepath.Join(s.home, ".local")) {
		t.Errorf("%v: %s", err, text)
	}
}

var protocolsInFrame = regexp.MustCompile(`(?m)^    \[Protocols in frame: .*\n`)

// A capture that tshark opens itself looks the same as one that gamedissect wireshark opens.
func TestWiresharkOpens(t *testing.T) {
	s := newShark(t)
	for _, name := range []string{
		"bloodmasters-malformed.pcap", "bloodmasters-versions.pcapng", "bz17-var-ipfrag.pcap", "bz17-var-null.pcap",
		"bz24-query.pcap", "iceball-real-session.frag.pcap", "tribes-x-control.pcap",
	} {
		file := filepath.Join(clitest.Captures, name)
		opened, _ := s.run("tshark", "-2", "-V", "-r", file)
		prepared, _ := s.run(s.program, "wireshark", "--tshark", file, "-2", "-V")
		opened, prepared = protocolsInFrame.ReplaceAllString(opened, ""), protocolsInFrame.ReplaceAllString(prepared, "")
		if opened != prepared {
			t.Errorf("%s: -prepared +opened\n%.2000s", name, cmp.Diff(strings.Split(prepared, "\n"), strings.Split(opened, "\n")))
		}
	}
	s.await("a program still answers", func() bool { return !s.answered() })
}

// answered reports whether a process is answering a script of this test.
func (s *shark) answered() bool {
	processes, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	return slices.ContainsFunc(processes, func(name string) bool {
		words, _ := os.ReadFile(name) // fails for a process that has ended
		return bytes.HasPrefix(words, []byte(s.program+"\x00plugin\x00--answer\x00"))
	})
}

// If the program ends at once, or does not exist, Wireshark works as it does without the script.
func TestWiresharkWithoutProgram(t *testing.T) {
	s := newShark(t)
	script := filepath.Join(s.home, ".local", "lib", "wireshark", "plugins", "gamedissect.lua")
	text := clitest.ReadFile(t, script)
	file := filepath.Join(clitest.Captures, "bz24-query.pcap")
	dies := filepath.Join(s.home, "dies")
	c, want, _ := s.command("tshark", "-r", file)
	c.Env = append(c.Env, wireshark.NoStub+"=1")
	if err := c.Run(); err != nil || strings.Contains(want.String(), "bzflag24") {
		t.Fatal(err, want)
	}
	for name, program := range map[string]string{"is none": "/nonexistent/gamedissect", "dies": dies} {
		hint := ""
		if name == "dies" {
			sh := "#!/bin/sh\nif [ $# -gt 1 ]; then exit 3; fi\n'" + s.program + "' plugin | sed 's," + s.program + "," + dies + ",'\n"
			clitest.NoError(t, os.WriteFile(dies, []byte(sh), 0o755))
		}
		if name == "is none" {
			hint = "gamedissect: " + program + " is gone; install again, or remove " + script + "\n"
		}
		changed := strings.ReplaceAll(string(text), s.program, program)
		clitest.NoError(t, os.WriteFile(script, []byte(changed), 0o600))
		if out, stderr := s.run("tshark", "-r", file); out != want.String() || strings.Contains(stderr, "rror") ||
			strings.Count(stderr, "gamedissect") != strings.Count(hint, "gamedissect") || !strings.Contains(stderr, hint) {
			t.Errorf("a program that %s: %.500s%s", name, cmp.Diff(want.String(), out), stderr)
		}
	}
}
