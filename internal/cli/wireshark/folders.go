package wireshark

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

// wiresharkFolders are where Wireshark looks for what a user adds.
type wiresharkFolders struct {
	plugins string
	extcap  []string // several where it depends on the version
}

// findWiresharkFolders asks tshark, where there is one.
func findWiresharkFolders() (*wiresharkFolders, error) {
	usual, err := usualFolders()
	if err != nil {
		return nil, err
	}
	program, err := findWireshark(true)
	if err != nil {
		return usual, nil // Wireshark may come later
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	told, err := exec.CommandContext(ctx, program, "-G", "folders").Output()
	if err != nil {
		return usual, nil // it has no such list
	}
	return usual.told(string(told)), nil
}

// told puts in place of usual folders those that tshark tells of.
func (w *wiresharkFolders) told(text string) *wiresharkFolders {
	told := make(map[string]string)
	for line := range strings.Lines(text) {
		if name, path, ok := strings.Cut(line, ":"); ok {
			told[name] = strings.TrimSpace(path)
		}
	}
	if path := told["Personal Lua Plugins"]; path != "" {
		w.plugins = path
	}
	if path := told["Personal Extcap path"]; path != "" { // since 4.2
		w.extcap = []string{path}
	} else if path := told["Personal configuration"]; path != "" {
		w.extcap[len(w.extcap)-1] = filepath.Join(path, "extcap")
	}
	return w
}

// usualFolders are those that Wireshark has if nobody told it otherwise. Before 4.2 it looked for programs that capture
// beside its configuration, and now beside its plugins; having both outlives its next upgrade.
func usualFolders() (*wiresharkFolders, error) {
	config, err := os.UserConfigDir()
	if err != nil {
		return nil, err
	}
	if runtime.GOOS == "windows" {
		config = filepath.Join(config, "Wireshark")
		return &wiresharkFolders{plugins: filepath.Join(config, "plugins"),
			extcap: []string{filepath.Join(config, "extcap")}}, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, err
	}
	if runtime.GOOS == "darwin" && os.Getenv("XDG_CONFIG_HOME") == "" { // Wireshark does as on other Unix systems
		config = filepath.Join(home, ".config")
	} else if given := os.Getenv("XDG_CONFIG_HOME"); given != "" {
		config = given
	}
	config = filepath.Join(config, "wireshark")
	if old := filepath.Join(home, ".wireshark"); session.Exists(old) && !session.Exists(config) {
		config = old
	}
	lib := filepath.Join(home, ".local", "lib", "wireshark")
	return &wiresharkFolders{plugins: filepath.Join(lib, "plugins"),
		extcap: slices.Compact([]string{filepath.Join(lib, "extcap"), filepath.Join(config, "extcap")})}, nil
}
