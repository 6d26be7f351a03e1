package term

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// OwnPath is where others find this program, now and after an upgrade: in the PATH, if that is where it is. What a
// link there leads to may have its version in its name.
func OwnPath() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	mine, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	found, err := exec.LookPath("gamedissect")
	if err != nil {
		return path, nil //nolint:nilerr // it is elsewhere
	}
	if other, err := os.Stat(found); err == nil && os.SameFile(mine, other) {
		return filepath.Abs(found)
	}
	return path, nil
}

// ShellQuoted writes a text as one word of a shell.
func ShellQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
