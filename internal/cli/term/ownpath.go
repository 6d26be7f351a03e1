package term

import (
	"os"
	"os/exec"
	"path/filepath"
)

// OwnPath returns a path with which other programs can start this program, even after an upgrade. If this program is in
// PATH, OwnPath returns the path found there. It does not resolve a link, because the name of the link's target may
// contain a version.
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
		return path, nil //nolint:nilerr // this program is not in PATH
	}
	if other, err := os.Stat(found); err == nil && os.SameFile(mine, other) {
		return filepath.Abs(found)
	}
	return path, nil
}
