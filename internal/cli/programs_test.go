//go:build interop || live

package cli

import (
	"os/exec"
	"testing"
)

// find returns the path of a program. It also searches folders of games, which may not be in PATH.
func find(t *testing.T, name string) string {
	t.Helper()
	for _, at := range []string{name, "/usr/games/" + name, "/usr/sbin/" + name} {
		if path, err := exec.LookPath(at); err == nil {
			return path
		}
	}
	t.Fatalf("%s is not installed", name)
	return ""
}
