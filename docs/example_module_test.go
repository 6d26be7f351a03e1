package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// TestExampleModule builds the example of api.md as a program of another module. Such a module cannot import internal
// packages.
func TestExampleModule(t *testing.T) {
	wiretest.WithoutDetector(t)
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	copyTo := func(from, to string, change func(string) string) {
		text, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, to), []byte(change(string(text))), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	same := func(text string) string { return text }
	copyTo(filepath.Join("testdata", "example", "main.go"), "main.go", same)
	copyTo(filepath.Join(root, "go.sum"), "go.sum", same)
	copyTo(filepath.Join(root, "go.mod"), "go.mod", func(text string) string {
		path := strings.TrimSuffix(module, "/")
		text = regexp.MustCompile(`(?m)^module .*$`).ReplaceAllString(text, "module example")
		return text + "\nrequire " + path + " v0.0.0\n\nreplace " + path + " => " + root + "\n"
	})
	program := filepath.Join(dir, "example.exe")
	build := exec.Command("go", "build", "-mod=mod", "-o", program, ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOPROXY=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(program, filepath.Join(root, "testdata", "pcap", "tribes-list-40.pcap")).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "tribes MasterListReply") || !strings.Contains(string(out), "a datagram by itself: ") {
		t.Errorf("%v\n%s", err, out)
	}
}
