package cli

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/layers"
)

// updating reports whether to rewrite golden files. The flag is defined in wiretest.
func updating() bool { return flag.Lookup("update").Value.String() == "true" }

func TestMain(m *testing.M) {
	if err := os.Setenv("TZ", "UTC"); err != nil { // for scripts that run in this process
		panic(err)
	}
	if err := os.Unsetenv("COLUMNS"); err != nil { // it would cut lines, as on a terminal
		panic(err)
	}
	// Tests run the program in this process. Without this setting, the lowest memory limit of a test would apply to
	// later tests, and the collector would run all the time.
	if err := os.Setenv("GOMEMLIMIT", "off"); err != nil {
		panic(err)
	}
	testscript.Main(mainTests{m}, map[string]func(){"gamedissect": func() { os.Exit(Main(layers.All())) }, "gamedissect-peak": mainWithPeak})
}

// leftOut has the environment variables that would include the tests that were left out.
var leftOut sync.Map

// mainTests runs the tests. At the end it prints the variables in leftOut.
type mainTests struct{ *testing.M }

func (m mainTests) Run() int {
	debug.SetGCPercent(400) // for thousands of short runs that each use little memory
	code := m.M.Run()
	var variables []string
	leftOut.Range(func(variable, _ any) bool {
		variables = append(variables, variable.(string))
		return true
	})
	if len(variables) > 0 {
		fmt.Println("some tests were left out; to include them, set", strings.Join(variables, ", "))
	}
	return code
}

func TestScripts(t *testing.T) {
	dir, err := filepath.Abs(clitest.Captures)
	clitest.NoError(t, err)
	scripts, err := filepath.Abs(filepath.Join("testdata", "script"))
	clitest.NoError(t, err)
	testscript.Run(t, testscript.Params{
		Dir:             scripts,
		ContinueOnError: true,
		UpdateScripts:   updating(),
		Setup: func(env *testscript.Env) error {
			env.Setenv("CAPTURES", dir)
			env.Setenv("EXPECT", filepath.Join(filepath.Dir(dir), "expect"))
			env.Setenv("TZ", "UTC")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"dissect": func(ts *testscript.TestScript, fails bool, args []string) {
				if code, _, _ := dissectScripted(ts, args); fails != (code != term.ExitDone) {
					ts.Fatalf("exit code %d", code)
				}
			},
			"exits": func(ts *testscript.TestScript, _ bool, args []string) {
				if code, _, _ := dissectScripted(ts, args[1:]); fmt.Sprint(code) != args[0] {
					ts.Fatalf("exit code %d", code)
				}
			},
			"refused": func(ts *testscript.TestScript, _ bool, args []string) {
				code, out, stderr := dissectScripted(ts, args[1:])
				if code != term.ExitTrouble || out != "" || !strings.HasPrefix(stderr, "gamedissect: ") || !strings.Contains(stderr, args[0]) {
					ts.Fatalf("exit code %d", code)
				}
			},
			"has": func(ts *testscript.TestScript, _ bool, args []string) {
				if !strings.Contains(ts.ReadFile("stdout"), args[0]) {
					ts.Fatalf("standard output has no %s", args[0])
				}
			},
		},
		Condition: func(name string) (bool, error) {
			if name != "race" {
				return false, errors.New("no such condition")
			}
			return wiretest.RaceDetector, nil
		},
	})
}

// oneFolder allows only one script at a time to change the working directory.
var oneFolder sync.Mutex

// dissectScripted runs the program in this process for a script. It returns the exit code and the output. By contrast,
// "exec gamedissect" in a script starts a process, which takes longer than most runs.
func dissectScripted(ts *testscript.TestScript, args []string) (code int, stdout, stderr string) {
	oneFolder.Lock()
	defer oneFolder.Unlock()
	before, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	ts.Check(os.Setenv("COLUMNS", ts.Getenv("COLUMNS")))
	stdout, stderr, code = dissect(args...)
	ts.Check(errors.Join(os.Chdir(before), os.Unsetenv("COLUMNS")))
	fmt.Fprint(ts.Stdout(), stdout)
	fmt.Fprint(ts.Stderr(), stderr)
	return code, stdout, stderr
}

// shown runs the program, which must succeed, and returns the program's output.
func shown(t testing.TB, args ...string) string {
	t.Helper()
	out, stderr, code := dissect(args...)
	if code != term.ExitDone {
		t.Fatalf("%q: exit code %d: %s", args, code, stderr)
	}
	return out
}

// small lists the small captures. If GAMEDISSECT_FULL is set, it lists all.
func small(t *testing.T, without ...string) []string {
	t.Helper()
	list := files(t, without...)
	if wiretest.Full() {
		return list
	}
	leftOut.Store("GAMEDISSECT_FULL=1", true)
	return slices.DeleteFunc(list, func(name string) bool {
		info, err := os.Stat(filepath.Join(clitest.Captures, name))
		return err != nil || info.Size() > maxGolden
	})
}

// some returns the first elements of a list. If GAMEDISSECT_FULL is set, it returns all.
func some[T any](t *testing.T, list []T, first int) []T {
	t.Helper()
	if wiretest.Full() {
		return list
	}
	leftOut.Store("GAMEDISSECT_FULL=1", true)
	return list[:first]
}

// dissect runs the program in this process.
func dissect(args ...string) (stdout, stderr string, code int) {
	var out, errs bytes.Buffer
	code = execute(args, term.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	return out.String(), errs.String(), code
}

// files lists the captures, except those with one of the endings.
func files(t *testing.T, without ...string) []string {
	t.Helper()
	entries, err := os.ReadDir(clitest.Captures)
	clitest.NoError(t, err)
	var names []string
next:
	for _, e := range entries {
		for _, ending := range append(without, ".golden", ".expected.jsonl.gz") {
			if strings.HasSuffix(e.Name(), ending) {
				continue next
			}
		}
		names = append(names, e.Name())
	}
	if len(names) == 0 {
		t.Fatal("no captures")
	}
	return names
}

// TestClosedPipeHidesNoTrouble closes the output pipe while another error occurs. The program must still report the
// other error.
func TestClosedPipeHidesNoTrouble(t *testing.T) {
	whole := filepath.Join(clitest.Captures, "bloodmasters-real.pcap")
	cut := filepath.Join(clitest.Captures, "iceball-real-session.cutfile.pcap")
	to := filepath.Join(t.TempDir(), "written.pcap")
	for _, test := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"-r", whole, "-w", to}, term.ExitDone, ""},
		{[]string{"-r", cut, "-w", to}, term.ExitTrouble, "gamedissect: " + cut + ": the file ends"},
		{[]string{"-r", whole, "-r", "nosuch.pcap"}, term.ExitTrouble, "gamedissect: nosuch.pcap: "},
	} {
		var errs bytes.Buffer
		code := execute(test.args, term.Streams{In: strings.NewReader(""), Out: clitest.Closed{}, Err: &errs})
		if stderr := errs.String(); code != test.code || !strings.HasPrefix(stderr, test.says) || strings.Contains(stderr, "pipe") ||
			test.says == "" && stderr != "" {
			t.Errorf("%v: exit code %d, standard error %q; want %d, %q ...", test.args, code, stderr, test.code, test.says)
		}
	}
}

// TestFilesOutliveStandardOutput makes standard output fail immediately. Files and verdicts must be the same as without
// the failure.
func TestFilesOutliveStandardOutput(t *testing.T) {
	in := filepath.Join(clitest.Captures, "bloodmasters-versions.pcapng")
	expectations := filepath.Join(t.TempDir(), "late.yaml")
	clitest.NoError(t, os.WriteFile(expectations, []byte("{name: late, protocol: tribes, sequence: [{expect: any}]}\n"), 0o666))
	for _, test := range []struct {
		args      []string // without the file name at the end
		out       io.Writer
		code      int
		complains bool
	}{
		{[]string{"-r", in, "-T", "line", "-w"}, clitest.Closed{}, term.ExitDone, false},
		{[]string{"-r", in, "-T", "json", "--stats"}, clitest.Closed{}, term.ExitDone, false},
		{[]string{"-r", in, "-w", "-", "--stats"}, clitest.Closed{}, term.ExitDone, false},
		{[]string{"-r", in, "-T", "line", "--fail-on", "error", "-w"}, clitest.Closed{}, term.ExitFindings, false},
		{[]string{"-r", in, "-T", "line", "-w"}, clitest.Full{}, term.ExitTrouble, true},
		{[]string{"-r", in, "-w", "-", "--stats"}, clitest.Full{}, term.ExitTrouble, true},
		{[]string{"check", "--require", "-r", in, expectations, "--junit"}, clitest.Closed{}, term.ExitFindings, false},
	} {
		want, got := filepath.Join(t.TempDir(), "want"), filepath.Join(t.TempDir(), "got")
		dissect(append(test.args, want)...)
		var errs bytes.Buffer
		code := execute(append(test.args, got), term.Streams{In: strings.NewReader(""), Out: test.out, Err: &errs})
		a, _ := os.ReadFile(want)
		b, _ := os.ReadFile(got)
		if complains := strings.Contains(errs.String(), "standard output: no space"); code != test.code ||
			complains != test.complains || len(a) == 0 || !bytes.Equal(a, b) {
			t.Errorf("%v to %T: exit code %d, standard error %q, files of %d and %d bytes", test.args, test.out, code, errs.String(),
				len(a), len(b))
		}
	}
}
