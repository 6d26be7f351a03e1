package term

import (
	"os"
	"os/exec"
	"path/filepath"
)

// OwnPath returns the path by which other programs can start this one, even after an upgrade. If PATH leads to this
// program, it is the path found there and not the target of a link, whose name may contain a version.
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
		return path, nil //nolint:nilerr // PATH does not lead here
	}
	if other, err := os.Stat(found); err == nil && os.SameFile(mine, other) {
		return filepath.Abs(found)
	}
	return path, nil
}
