package tshark

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gamedissect/gamedissect/internal/cli/session"
)

// folders are the user's folders in which Wireshark looks for plugins and capture programs.
type folders struct {
	plugins string
	extcap  []string // two folders if the place depends on Wireshark's version
}

// findFolders gets the folders from tshark. If there is no tshark, it returns the default folders.
func findFolders() (*folders, error) {
	usual, err := usualFolders()
	if err != nil {
		return nil, err
	}
	program, err := findProgram(true)
	if err != nil {
		return usual, nil // Wireshark may be installed later
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	listed, err := exec.CommandContext(ctx, program, "-G", "folders").Output()
	if err != nil {
		return usual, nil // an old version that does not list folders
	}
	return usual.override(string(listed)), nil
}

// override replaces the default folders with those in the output of tshark -G folders.
func (w *folders) override(text string) *folders {
	listed := make(map[string]string)
	for line := range strings.Lines(text) {
		if name, path, ok := strings.Cut(line, ":"); ok {
			listed[name] = strings.TrimSpace(path)
		}
	}
	if path := listed["Personal Lua Plugins"]; path != "" {
		w.plugins = path
	}
	if path := listed["Personal Extcap path"]; path != "" { // since version 4.2
		w.extcap = []string{path}
	} else if path := listed["Personal configuration"]; path != "" {
		w.extcap[len(w.extcap)-1] = filepath.Join(path, "extcap")
	}
	return w
}

// usualFolders returns Wireshark's default folders. Before version 4.2, Wireshark looked for capture programs in its
// configuration folder, and since then next to its plugins. Both folders are used, so that an upgrade of Wireshark does
// not require another installation.
func usualFolders() (*folders, error) {
	config, err := os.UserConfigDir()
	if err != nil {
		return nil, err
	}
	if runtime.GOOS == "windows" {
		config = filepath.Join(config, "Wireshark")
		return &folders{plugins: filepath.Join(config, "plugins"),
			extcap: []string{filepath.Join(config, "extcap")}}, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, err
	}
	if runtime.GOOS == "darwin" && os.Getenv("XDG_CONFIG_HOME") == "" { // here Wireshark behaves as on other Unix systems
		config = filepath.Join(home, ".config")
	} else if given := os.Getenv("XDG_CONFIG_HOME"); given != "" {
		config = given
	}
	config = filepath.Join(config, "wireshark")
	if old := filepath.Join(home, ".wireshark"); session.Exists(old) && !session.Exists(config) {
		config = old
	}
	lib := filepath.Join(home, ".local", "lib", "wireshark")
	return &folders{plugins: filepath.Join(lib, "plugins"),
		extcap: slices.Compact([]string{filepath.Join(lib, "extcap"), filepath.Join(config, "extcap")})}, nil
}
