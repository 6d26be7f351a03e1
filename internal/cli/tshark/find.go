package tshark

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

func findProgram(tshark bool) (string, error) {
	name := "wireshark"
	if tshark {
		name = "tshark"
	}
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	folders := map[string][]string{
		"darwin":  {"/Applications/Wireshark.app/Contents/MacOS"},
		"windows": {filepath.Join(os.Getenv("ProgramFiles"), "Wireshark")},
	}
	for _, folder := range folders[runtime.GOOS] {
		if path, err := exec.LookPath(filepath.Join(folder, name)); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s is not installed, or not in the PATH", name)
}
