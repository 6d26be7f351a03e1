package engine

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
)

// module is the path of this module.
const module = "github.com/gamedissect/gamedissect"

// A Source is what an engine is built from: a version or a folder.
type Source struct {
	Version string // of the module
	Dir     string // the module's root
}

// ErrNoSource is returned where neither a version nor a source tree of this program is known.
var ErrNoSource = errors.New("the source tree that this program was built from is not known, or not there any more, " +
	"and the working directory is in no other")

// OfProgram returns what this program was built from: a released version, or else the source tree that the compiler
// recorded, or the one around the working directory.
func OfProgram() (Source, error) {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Path == module && info.Main.Sum != "" {
		return Source{Version: info.Main.Version}, nil
	}
	_, here, _, _ := runtime.Caller(0) // with -trimpath this is no path of a file
	if filepath.IsAbs(here) {
		if root, ok := rootAbove(filepath.Dir(here)); ok {
			return Source{Dir: root}, nil
		}
	}
	if dir, err := os.Getwd(); err == nil {
		if root, ok := rootAbove(dir); ok {
			return Source{Dir: root}, nil
		}
	}
	return Source{}, ErrNoSource
}

// rootAbove returns the root of this module if dir is in it.
func rootAbove(dir string) (string, bool) {
	for {
		if isRoot(dir) {
			return dir, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
}

func isRoot(dir string) bool {
	f, err := os.Open(filepath.Join(dir, "go.mod"))
	if err != nil {
		return false
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if name, ok := strings.CutPrefix(lines.Text(), "module "); ok {
			return strings.TrimSpace(name) == module
		}
	}
	return false
}

// Key names what is built from a source: the version, or a hash of the code.
func (s Source) Key() (string, error) {
	if s.Version != "" {
		return s.Version, nil
	}
	h := sha256.New()
	add := func(name string) error {
		data, err := os.ReadFile(name)
		fmt.Fprintln(h, len(data))
		h.Write(data)
		return err
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		if err := add(filepath.Join(s.Dir, name)); err != nil {
			return "", err
		}
	}
	for _, room := range []string{"capture", "decode", "layers", "internal"} {
		err := filepath.WalkDir(filepath.Join(s.Dir, room), func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
				return err
			}
			return add(name)
		})
		if err != nil {
			return "", err
		}
	}
	return "devel-" + hex.EncodeToString(h.Sum(nil)[:8]), nil
}
