package engine

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
)

const module = "github.com/gamedissect/gamedissect"

// A Source is the source of an engine: a program, and either the version or the folder of the program's source.
type Source struct {
	Version string // version of the module
	Dir     string // the module's root
	Program string // path of the main package; "": gamedissect's
}

// program returns the path of the main package.
func (s Source) program() string { return cmp.Or(s.Program, module+"/cmd/gamedissect") }

// errNoSource is the error if neither a version nor a source tree of this program is known.
var errNoSource = errors.New("the source tree of this program is unknown or gone, " +
	"and the working directory is not in such a tree")

// OfProgram returns the source of this program. For a released program, this is the version. Otherwise, it is the
// source tree that the compiler recorded, or the source tree around the working directory.
func OfProgram() (Source, error) {
	name, from := module, Source{}
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Path != module && info.Main.Path != "" { // this program adds its own protocols
			name, from.Program = info.Main.Path, info.Path
		}
		if info.Main.Sum != "" {
			from.Version = info.Main.Version
			return from, nil
		}
	}
	_, here, _, _ := runtime.Caller(0) // not a path if the program was built with -trimpath
	wd, err := os.Getwd()
	for _, dir := range []string{filepath.Dir(here), wd} {
		if err == nil && filepath.IsAbs(dir) {
			if root, ok := rootAbove(dir, name); ok {
				from.Dir = root
				return from, nil
			}
		}
	}
	return Source{}, errNoSource
}

// rootAbove returns the root folder of the named module, if dir is inside that module.
func rootAbove(dir, name string) (string, bool) {
	for {
		if isRoot(dir, name) {
			return dir, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
}

func isRoot(dir, name string) bool {
	f, err := os.Open(filepath.Join(dir, "go.mod"))
	if err != nil {
		return false
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if path, ok := strings.CutPrefix(lines.Text(), "module "); ok {
			return strings.TrimSpace(path) == name
		}
	}
	return false
}

// Key returns a text that identifies a source: the version, or a hash of the code. If the program is in another module,
// its code is unknown, so Key hashes the running program instead.
func (s Source) Key() (string, error) {
	h := sha256.New()
	switch {
	case s.Version != "" && s.Program == "":
		return s.Version, nil
	case s.Version != "":
		fmt.Fprint(h, s.Program)
		return s.Version + "-" + hex.EncodeToString(h.Sum(nil)[:8]), nil
	case s.Program != "":
		name, err := os.Executable()
		if err != nil {
			return "", err
		}
		f, err := os.Open(name)
		if err != nil {
			return "", err
		}
		defer f.Close()
		_, err = io.Copy(h, f)
		return "devel-" + hex.EncodeToString(h.Sum(nil)[:8]), err
	}
	add := func(name string) error {
		data, err := os.ReadFile(name)
		fmt.Fprintln(h, len(data))
		h.Write(data)
		return err
	}
	for _, name := range []string{"go.mod", "go.sum", "gamedissect_js.go"} {
		if err := add(filepath.Join(s.Dir, name)); err != nil {
			return "", err
		}
	}
	for _, folder := range []string{"capture", "cmd/gamedissect", "decode", "layers", "internal"} {
		err := filepath.WalkDir(filepath.Join(s.Dir, folder), func(name string, d fs.DirEntry, err error) error {
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
