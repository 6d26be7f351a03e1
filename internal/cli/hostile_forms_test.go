package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// eachFlag calls a function with each flag of each command. It passes the command's name as words.
func eachFlag(f func(c *cobra.Command, path []string, flag *pflag.Flag)) {
	var visit func(c *cobra.Command, path []string)
	visit = func(c *cobra.Command, path []string) {
		c.Flags().VisitAll(func(flag *pflag.Flag) { f(c, path, flag) })
		for _, sub := range c.Commands() {
			visit(sub, append(slices.Clone(path), sub.Name()))
		}
	}
	option.Completing.Store(true)
	visit(newRoot(term.Streams{In: strings.NewReader(""), Out: new(bytes.Buffer), Err: new(bytes.Buffer)}), nil)
}

// showing returns, for each command, the arguments with which the command shows a capture.
func showing(capture, expectations string) map[string][]string {
	return map[string][]string{
		"gamedissect": {"-r", capture}, "follow": {"tcp,0", "-r", capture}, "check": {"-r", capture, expectations},
		"record": {"-r", capture}, "world": {"-r", capture}, "samples": {"-r", capture, "-o", "samples"},
		"anonymize": {"-r", capture, "-w", "anonymous.pcap"}, "export": {"-r", capture, "-o", "tables", "--overwrite"},
		"diff": {"good.pcap", capture},
	}
}

// selecting are flags that affect the selection and not the form of the output.
var selecting = []string{"display-filter", "dialect", "memory", "field", "protocol", "per", "fail-on", "metrics"}

// outputForms lists the ways in which commands show a capture. There is one for each boolean flag, for each value that
// a shell would complete for a flag, and for each flag that accepts standard output.
func outputForms(capture, expectations string) (forms [][]string) {
	needs, seen := showing(capture, expectations), make(map[string]bool)
	eachFlag(func(c *cobra.Command, path []string, flag *pflag.Flag) {
		arguments, ok := needs[c.Name()]
		if !ok || slices.Contains(selecting, flag.Name) {
			return
		}
		add := func(more ...string) { forms = append(forms, slices.Concat(path, arguments, more)) }
		if !seen[c.Name()] {
			seen[c.Name()] = true
			add()
		}
		if flag.NoOptDefVal == "true" {
			add("--" + flag.Name)
		}
		if _, names := flag.Value.(*option.FileName); names && !slices.Contains(binaryOutputs, flag.Name) {
			add("--"+flag.Name, "-")
		}
		if complete, ok := c.GetFlagCompletionFunc(flag.Name); ok {
			values, _ := complete(c, nil, "")
			for _, value := range values {
				value, _, _ = strings.Cut(value, "\t")
				add("--"+flag.Name, value)
			}
		}
	})
	texts := []string{"-e", "bloodmasters.title", "-e", "bloodmasters.clients.name", "-e", "frame.file", "-e", "info"}
	for _, option := range []string{"header=y", "quote=d", "quote=s", "quote=n", "separator=/s", "occurrence=l", "guard=y"} {
		for _, form := range []string{"fields", "csv"} {
			forms = append(forms, slices.Concat([]string{"-r", capture, "-T", form, "-E", option}, texts))
		}
	}
	for _, p := range option.ProtocolNames() {
		forms = append(forms, []string{"-r", capture, "-q", "-z", p})
	}
	return append(forms, []string{"-r", capture, "-r", capture, "-T", "tree"}, []string{"-r", capture, "-r", capture, "-T", "json"})
}

// binaryOutputs are flags that write packets, or unchanged bytes of the traffic.
var binaryOutputs = []string{"write", "raw", "cpuprofile", "memprofile", "output"}

// TestHostileForms passes hostile texts from captures, file names and expectations to every form of output.
func TestHostileForms(t *testing.T) {
	t.Chdir(t.TempDir())
	all := strings.Join(clitest.HostileNames, "")
	writeReplies(t, "good.pcap", []string{"Arena"})
	files := []string{strings.ReplaceAll(strings.ToValidUTF8(all, ""), "\x00", ""), "\xff\xfe\x9b31m"}
	if wiretest.RaceDetector {
		files = files[:1] // each form needs only one file
	}
	for _, file := range files {
		capture, expectations := file+".pcap", file+".yaml"
		writeReplies(t, capture, clitest.HostileNames)
		value := strings.NewReplacer(`"`, "", `\`, "", "'", "", "\n", "", "\x00", "").Replace(all)
		text := strings.NewReplacer("NAME", yamlEscaped(all), "VALUE", yamlEscaped(value)).Replace(hostileExpectations)
		clitest.NoError(t, os.WriteFile(expectations, []byte(text), 0o600))
		if out, errs, code := dissect("check", "-r", capture, expectations); code != term.ExitFindings {
			t.Fatalf("the expectations are not checked: exit code %d, %q, %q", code, out, errs)
		}
		for _, form := range outputForms(capture, expectations) {
			github := []string{""}
			if form[0] == "check" || form[0] == "diff" {
				github = append(github, "true")
			}
			for _, set := range github {
				t.Setenv("GITHUB_ACTIONS", set)
				checkPlain(t, form)
			}
		}
	}
}

// hostileExpectations are expectations that are not fulfilled.
const hostileExpectations = `name: "NAME"
protocol: bloodmasters
per: client
sequence:
- expect: ServerInfoReply
  save: [title]
- expect: ServerInfoReply
  where: "title == 'VALUE'"
---
name: "NAME, and back"
protocol: bloodmasters
sequence:
- expect: ServerInfoReply
  save: [title]
- expect: ServerInfoReply
  where: title == $title
`

// yamlEscaped escapes a text for a YAML string in double quotes.
func yamlEscaped(s string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(s, "?") {
		fmt.Fprintf(&b, "\\U%08x", r)
	}
	return b.String()
}

// checkPlain runs the program and checks that its output cannot control a terminal. Colours are allowed.
func checkPlain(t *testing.T, args []string) {
	t.Helper()
	out, errs, _ := dissect(args...)
	if slices.Contains(args, "always") {
		for _, colour := range colour.FindAllString(fmt.Sprint(term.Colours), -1) {
			out = strings.ReplaceAll(out, colour, "")
		}
	}
	if bad := clitest.Unprintable(out) + clitest.Unprintable(errs); bad != "" {
		t.Errorf("%q: %s reaches the output", args, bad)
	}
}

// TestHostileArguments passes unprintable text to each flag and each command. Errors that quote the text must escape
// it.
func TestHostileArguments(t *testing.T) {
	wiretest.WithoutDetector(t)
	t.Chdir(t.TempDir())
	writeReplies(t, "good.pcap", []string{"good"})
	clitest.NoError(t, os.WriteFile("good.yaml", []byte("name: a\nprotocol: bloodmasters\nsequence: [{expect: ServerInfoReply}]\n"), 0o600))
	needs, seen := showing("good.pcap", "good.yaml"), make(map[string]bool)
	needs["report"] = []string{"--engine", "none"} // otherwise it would build the engine
	hostile := strings.ReplaceAll(strings.Join(clitest.HostileNames, ""), "\x00", "")
	eachFlag(func(c *cobra.Command, path []string, flag *pflag.Flag) {
		if flag.NoOptDefVal == "" && flag.Name != "cpuprofile" {
			checkPlain(t, slices.Concat(path, needs[c.Name()], []string{"--" + flag.Name, hostile}))
		}
		if !seen[c.CommandPath()] {
			seen[c.CommandPath()] = true
			checkPlain(t, append(slices.Clone(path), hostile))
		}
	})
	checkPlain(t, []string{"--" + hostile})
	checkPlain(t, []string{"-r", "good.pcap", "-Y", "bloodmasters." + hostile})
	checkPlain(t, []string{"-r", "good.pcap", "-d", "udp.port==" + hostile + ",tribes"})
	for _, in := range []string{"name: " + hostile, "\"" + hostile, hostile + ": 1", "name: a\nprotocol: \"" + yamlEscaped(hostile) + "\""} {
		clitest.NoError(t, os.WriteFile("bad.yaml", []byte(in), 0o600))
		checkPlain(t, []string{"check", "-r", "good.pcap", "bad.yaml"})
	}
}

// With -E guard=y, cells that a spreadsheet would read as formulas are protected. Numbers are not formulas.
func TestGuardedCells(t *testing.T) {
	file := filepath.Join(t.TempDir(), "formulas.pcap")
	writeReplies(t, file, []string{"=1+1", "+a", "-b", "@c", "-5", "d=", "=\",", ""})
	out, _, _ := dissect("-r", file, "-T", "csv", "-E", "guard=y", "-E", "header=n", "-e", "bloodmasters.title")
	const guarded = "'=1+1\n'+a\n'-b\n'@c\n-5\nd=\n\"'=\"\",\"\n\n"
	if out != guarded {
		t.Errorf("cells are\n%s, want\n%s", out, guarded)
	}
	if out, _, _ := dissect("-r", file, "-T", "csv", "-E", "header=n", "-e", "bloodmasters.title"); out != strings.ReplaceAll(guarded, "'", "") {
		t.Errorf("cells are\n%s without -E guard", out)
	}
}
