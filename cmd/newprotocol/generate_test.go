package main

import (
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

var root = filepath.Join("..", "..")

// tree copies some of the project's files and folders to a temporary folder.
func tree(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		from, to := filepath.Join(root, name), filepath.Join(dir, name)
		info, err := os.Stat(from)
		if err != nil {
			t.Fatal(err)
		}
		if info.IsDir() {
			if err := os.CopyFS(to, os.DirFS(from)); err != nil {
				t.Fatal(err)
			}
			continue
		}
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestGenerate(t *testing.T) {
	dir := tree(t, "layers", "README.md", "docs/api.md")
	const port = 28000 // port of another protocol
	free, err := freeLayerType(dir, port)
	if err != nil || free == port {
		t.Fatalf("got the number %d of another protocol, %v", free, err)
	}
	written, err := generate(dir, values{Name: "quiz", Port: port})
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]string)
	for _, name := range written {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(text)
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		if good, err := format.Source(text); err != nil || string(good) != string(text) {
			t.Errorf("%s is not formatted by gofmt: %v", name, err)
		}
	}
	for name, part := range map[string]string{
		"README.md":                  " |\n| `quiz` | Quiz (UDP) |\n\n",
		"docs/api.md":                " |\n| `layers/quiz` | of Quiz |\n",
		"layers/quiz/doc.go":         "\n// Other programs may rely on its exported names, see docs/api.md.\n",
		"layers/layers.go":           "\t\tquiz.Protocol,\n\t}\n",
		"layers/quiz/layer.go":       fmt.Sprintf("LayerType = %d\n", free),
		"layers/quiz/quiz_test.go":   "wiretest.Run(t, quiz.Protocol, samples)",
		"testdata/quiz/hello.hex":    "dst: 192.0.2.2:28000\n",
		"testdata/quiz/unknown.tree": "! quiz.code warning:",
	} {
		if !strings.Contains(all[name], part) {
			t.Errorf("%s lacks %q", name, part)
		}
	}
	if _, err := generate(dir, values{Name: "quiz", Port: 7777}); err == nil || err.Error() != "layers/quiz already exists" {
		t.Errorf("when the files exist: %v", err)
	}
	if _, err := generate(dir, values{Name: "low", Port: 53, TCP: true}); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "layers", "low", "layer.go")); err != nil || !strings.Contains(string(text), "LayerType = 100053\n") {
		t.Errorf("the layer of a low port: %v %s", err, text)
	}
}

func TestRefused(t *testing.T) {
	dir := tree(t, "layers/layers.go", "README.md", "docs/api.md", "docs/live.md")
	for _, test := range []struct {
		name string
		port uint16
		want string
	}{
		{"", 1, `"" is not a valid name`},
		{"Quake", 1, `"Quake" is not a valid name`},
		{"../x", 1, `is not a valid name`},
		{"func", 1, `"func" is not a valid name`},
		{"tcp", 1, `"tcp" is not a valid name`},
		{"quiz", 0, "set the port"},
		{"live", 1, "docs/live.md already exists"},
	} {
		if written, err := generate(dir, values{Name: test.name, Port: test.port}); err == nil || !strings.Contains(err.Error(), test.want) || len(written) > 0 {
			t.Errorf("%s %d: %v, %v written", test.name, test.port, err, written)
		}
	}
}

// TestSkeleton checks that the unchanged skeleton passes the tests of all protocols, and that this command's tests also
// pass in a source tree with the new protocol.
func TestSkeleton(t *testing.T) {
	if !wiretest.Full() {
		t.Skip("compiles a copy of gamedissect; set GAMEDISSECT_FULL=1 to run it")
	}
	dir := tree(t, "go.mod", "go.sum", "README.md", "docs", "layers", "decode", "cmd/newprotocol")
	if _, err := generate(dir, values{Name: "chess", Port: 28001}); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"vet", "./layers", "./layers/chess"}, {"test", "./layers", "./layers/chess"},
		{"test", "./cmd/newprotocol", "-run", "TestGenerate|TestRefused"},
	} {
		c := exec.CommandContext(t.Context(), "go", args...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

// TestAlone checks that a separate module has all files, and that it is an error if the folder exists.
func TestAlone(t *testing.T) {
	for _, tcp := range []bool{false, true} {
		testAlone(t, values{Name: "quiz", Port: 7777, TCP: tcp, Version: "v0.0.0", Source: sourceTree(t)})
	}
}

func testAlone(t *testing.T, v values) {
	module := filepath.Join(t.TempDir(), "mine")
	written, err := alone(module, v)
	if err != nil {
		t.Fatal(err)
	}
	want := "go.mod main.go quiz/doc.go quiz/enums.go quiz/hello.go quiz/layer.go quiz/protocol.go quiz/quiz_test.go " +
		"quiz/rules.go quiz/table.go quiz/testdata/hello.hex quiz/testdata/hello.tree quiz/testdata/unknown.hex " +
		"quiz/testdata/unknown.tree"
	if got := strings.Join(written, " "); got != want {
		t.Errorf("wrote %s, want %s", got, want)
	}
	for _, name := range written {
		text, err := os.ReadFile(filepath.Join(module, name))
		if err != nil {
			t.Fatal(err)
		}
		if good, err := format.Source(text); strings.HasSuffix(name, ".go") && (err != nil || string(good) != string(text)) {
			t.Errorf("%s is not formatted by gofmt: %v\n%s", name, err, text)
		}
	}
	if _, err := alone(module, v); err == nil || !strings.Contains(err.Error(), "already exists") {
		t.Errorf("when the files exist: %v", err)
	}
	if !wiretest.Full() {
		return // the rest compiles the program, which takes a long time
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(module, "go.sum"), sums, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"test", "-mod=mod", "./..."}, {"run", "-mod=mod", ".", "protocols"}} {
		c := exec.CommandContext(t.Context(), "go", args...)
		c.Dir = module
		out, err := c.CombinedOutput()
		if err != nil || args[0] == "run" && !strings.Contains(string(out), "quiz") {
			t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

// TestSource checks that the program finds the source tree if it runs in the tree, even if it was built with -trimpath.
func TestSource(t *testing.T) {
	tree := sourceTree(t)
	t.Chdir(tree)
	if version, source := ofProgram(); version != "v0.0.0" || source != tree {
		t.Errorf("version %s, source %s, want v0.0.0, %s", version, source, tree)
	}
}

// sourceTree returns the folder of the source tree.
func sourceTree(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	return path
}
