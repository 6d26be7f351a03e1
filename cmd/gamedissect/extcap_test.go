package main

import (
	"errors"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What the dialog asks for comes as a flag of that name, with that default.
func TestExtcapDialog(t *testing.T) {
	c := newExtcap(streams{})
	for _, a := range extcapArguments {
		f := c.Flags().Lookup(a.flag)
		if f == nil {
			t.Errorf("the dialog asks for --%s, which is no flag", a.flag)
			continue
		}
		if a.choices != nil && f.DefValue != a.choices()[0][0] {
			t.Errorf("--%s is %q without the dialog and %q with it", a.flag, f.DefValue, a.choices()[0][0])
		}
	}
	sentence := regexp.MustCompile(`^(arg|value) (\{[a-z]+=[^{}]+\})+$`)
	for line := range strings.SplitSeq(strings.TrimSuffix(extcapDialog(), "\n"), "\n") {
		if !sentence.MatchString(line) {
			t.Errorf("no sentence that Wireshark reads: %s", line)
		}
	}
	root := newRoot(streams{})
	for _, a := range extcapArguments {
		if root.Flags().Lookup(a.flag) == nil {
			t.Errorf("the program's own command has no --%s", a.flag)
		}
	}
}

// Errors name the lines of Wireshark's dialog, which has no letters of options. By a whole call these would come behind
// the socket, for which the process gives up its rights.
func TestExtcapErrorsNameDialog(t *testing.T) {
	for said, want := range map[string]string{"-w x: is a directory": "--fifo x: is a directory", "lo: -f is down": "lo: -f is down"} {
		if err := forDialog(errors.New(said)); err.Error() != want {
			t.Error(err)
		}
	}
	if err := forDialog(nil); err != nil {
		t.Error(err)
	}
}

// A finding about a packet that is written already stands at the next that is written, and none is told twice.
func TestLateComments(t *testing.T) {
	from := filepath.Join(captures, "bloodmasters-malformed.pcap")
	lines, _, _ := dissect("-r", from, "-T", "json")
	for _, args := range [][]string{{}, {"-Y", "bloodmasters"}} {
		to := filepath.Join(t.TempDir(), "x.pcapng")
		if out, said, code := dissect(append(args, "-r", from, "-w", to, "--comments", "messages")...); code != exitDone {
			t.Fatal(out, said)
		}
		var comments []string
		for _, p := range readCapture(t, to) {
			comments = append(comments, slices.Clone(p.Comments)...)
		}
		late := slices.DeleteFunc(slices.Clone(comments), func(c string) bool { return !strings.Contains(c, " (about packet ") })
		form := regexp.MustCompile(`^bloodmasters\.unanswered-query note: .* \(about packet \d+ of .*bloodmasters-malformed\.pcap, \d+\.\d{3} s before\)$`)
		for i, c := range late {
			if !form.MatchString(c) || slices.Contains(late[:i], c) {
				t.Error(c)
			}
		}
		if want := strings.Count(lines, "bloodmasters.unanswered-query"); len(late) == 0 || len(late) > want {
			t.Errorf("%q: %d late findings, of %d", args, len(late), want)
		}
		if !slices.ContainsFunc(comments, func(c string) bool { return strings.HasPrefix(c, "bloodmasters ServerInfoRequest  echo ") }) {
			t.Errorf("%q: no message: %q", args, comments)
		}
	}
}
