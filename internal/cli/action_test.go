package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
)

// actionSteps returns the shell commands of the GitHub action's steps.
func actionSteps(t *testing.T) (steps []string) {
	t.Helper()
	text := clitest.ReadFile(t, "../../action.yml")
	var action struct {
		Runs struct{ Steps []struct{ Run string } }
	}
	clitest.NoError(t, yaml.Unmarshal(text, &action))
	for _, s := range action.Runs.Steps {
		steps = append(steps, s.Run)
	}
	if len(steps) < 2 {
		t.Fatalf("%d steps", len(steps))
	}
	return steps
}

// The GitHub action takes one capture per line and one file of expectations per line. It passes them and the words of
// args to check.
func TestAction(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("there is no bash")
	}
	folder := t.TempDir()
	clitest.NoError(t, os.WriteFile(filepath.Join(folder, "gamedissect"), []byte("#!/bin/sh\nfor a; do echo \"<$a>\"; done\n"), 0o700))
	steps := actionSteps(t)
	failOn := ""
	run := func(args string) (string, error) {
		c := exec.Command(bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", steps[len(steps)-1])
		c.Env = append(os.Environ(), "RUNNER_TEMP="+folder, "CAPTURES=a b.pcap\n*.pcap\n", "EXPECTATIONS=x.yaml\n--fail-on note", "JUNIT=j.xml", "SARIF=", "ARGS="+args,
			"FAIL_ON="+failOn)
		out, err := c.Output()
		return strings.ReplaceAll(string(out), "\n", ""), err
	}
	for args, want := range map[string]string{
		"": "",
		"-q --require -Y 'tcp.stream < 2'\n--severity  warning\n": "<-q><--require><-Y><tcp.stream < 2><--severity><warning>",
		`-Y "ip.src == 10.0.0.1" $(touch x) ; *`:                  "<-Y><ip.src == 10.0.0.1><$(touch><x)><;><*>",
	} {
		got, err := run(args)
		if want = "<check><-r><a b.pcap><-r><*.pcap>" + want + "<--junit><j.xml><--><x.yaml><--fail-on note>"; got != want || err != nil {
			t.Errorf("%q: %s %v, want %s", args, got, err, want)
		}
	}
	if got, err := run("-Y 'tcp"); err == nil {
		t.Errorf("a quote that is not closed: %s", got)
	}
	failOn = "failure,warning"
	want := "<summary><--fail-on><failure,warning><-r><a b.pcap>" + "<summary><--fail-on><failure,warning><-r><*.pcap>" +
		"<check><-r><a b.pcap><-r><*.pcap><--junit><j.xml><--><x.yaml><--fail-on note>"
	if got, err := run(""); got != want || err != nil {
		t.Errorf("with fail-on: %s %v, want %s", got, err, want)
	}
	clitest.NoError(t, os.WriteFile(filepath.Join(folder, "gamedissect"), []byte("#!/bin/sh\n[ $1 != summary ]\n"), 0o700))
	if _, err := run(""); err == nil {
		t.Error("the action succeeds in spite of a failure")
	}
}
