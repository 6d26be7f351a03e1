package session

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// Glob returns the files that match a pattern, sorted. If pattern is the name of a file, or contains none of *?[, Glob
// returns it unchanged.
func Glob(pattern string) ([]string, error) {
	if !strings.ContainsAny(pattern, "*?[") {
		return []string{pattern}, nil
	}
	if _, err := os.Lstat(pattern); err == nil {
		return []string{pattern}, nil
	}
	found, err := filepath.Glob(pattern)
	switch {
	case strings.Contains(pattern, "**"):
		deeper := strings.ReplaceAll(pattern, "**", "*/*")
		return nil, fmt.Errorf("%s: ** matches only one level of folders, as * does; name each level: -r %s", pattern,
			term.ShellQuoted(deeper))
	case err != nil:
		return nil, fmt.Errorf("%s: there is no such file, and as a pattern it lacks a ] after [", pattern)
	case len(found) == 0:
		return nil, fmt.Errorf("%s: no file matches this pattern", pattern)
	}
	slices.Sort(found)
	return found, nil
}

// Stem returns the name of a capture without its extensions. ok is false if the name is not that of a capture.
func Stem(name string) (s string, ok bool) {
	s = strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")
	for _, ext := range []string{".pcap", ".pcapng", ".cap"} {
		if s, ok := strings.CutSuffix(s, ext); ok {
			return s, true
		}
	}
	return "", false
}

// IsCapture reports whether a file name is that of a capture.
func IsCapture(name string) bool {
	_, ok := Stem(name)
	return ok
}

// A Kind is a kind of file. A folder on the command line stands for the files of one kind in it.
type Kind struct {
	Is   func(name string) bool
	None string // error text for a folder without such files
}

// Captures is the kind of file whose name is that of a capture.
var Captures = Kind{IsCapture, "no capture (*.pcap, *.pcapng or *.cap, or one of these with .gz or .zst)"}

// mostNamed is the maximum number of names that Briefly returns.
const mostNamed = 4

// Briefly returns shorter arguments for the same files. If there are at most mostNamed names, it returns them
// unchanged. For more files, it returns the patterns that a shell expanded to them, one per folder, or nil if there are
// no such patterns.
func Briefly(names []string) (list []string) {
	if len(names) <= mostNamed {
		return names
	}
	byFolder := make(map[string][]string)
	for _, name := range names {
		folder := filepath.Dir(name)
		byFolder[folder] = append(byFolder[folder], name)
	}
	for _, folder := range slices.Sorted(maps.Keys(byFolder)) {
		pattern := patternFor(slices.Sorted(slices.Values(byFolder[folder])))
		if pattern == "" || len(list) == mostNamed {
			return nil
		}
		list = append(list, pattern)
	}
	return list
}

// patternFor returns a pattern that matches the sorted files and no other file, or "" if it finds none.
func patternFor(sorted []string) string {
	if len(sorted) == 1 {
		return sorted[0]
	}
	first, last := sorted[0], sorted[len(sorted)-1]
	n := 0 // names are sorted, so all share what the first and the last share
	for n < min(len(first), len(last)) && first[n] == last[n] {
		n++
	}
	pattern := first[:n] + "*" + filepath.Ext(first)
	if found, err := Glob(pattern); err != nil || !slices.Equal(found, sorted) {
		return ""
	}
	return pattern
}

// Expand replaces patterns with the files that match them, and folders with their files of kind k.
func Expand(names []string, k Kind) ([]string, error) {
	var list []string
	for _, name := range names {
		found, err := []string{name}, error(nil)
		switch info, missing := os.Stat(name); {
		case name == "-":
		case missing != nil:
			found, err = Glob(name)
		case info.IsDir():
			found, err = FilesIn(name, k)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

// OpenError returns the error for a file or folder that cannot be opened, worded as in package capture.
func OpenError(name string, err error) error {
	if path, ok := errors.AsType[*os.PathError](err); ok {
		err = path.Err
	}
	return fmt.Errorf("%s: cannot be opened: %w", name, err)
}

// FilesIn returns the files of a kind in a folder. If there are none, it returns an error.
func FilesIn(folder string, k Kind) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, OpenError(folder, err)
	}
	var list []string
	for _, e := range entries {
		if !e.IsDir() && k.Is(e.Name()) {
			list = append(list, filepath.Join(folder, e.Name()))
		}
	}
	if len(list) == 0 {
		what := k.None
		if slices.ContainsFunc(entries, os.DirEntry.IsDir) {
			what += "; name the folders in it to read them"
		}
		return nil, fmt.Errorf("%s: this folder has %s", folder, what)
	}
	return list, nil
}

// IsOneFile reports whether the input is a single regular file that is read to its end. Such a file can be read several
// times.
func IsOneFile(o *InputOptions) bool {
	if len(o.Names) != 1 || o.Names[0] == "-" || o.Count > 0 {
		return false
	}
	info, err := os.Stat(o.Names[0])
	return err == nil && info.Mode().IsRegular()
}

// Exists reports whether there is a file or a link with this name.
func Exists(file string) bool {
	_, err := os.Lstat(file)
	return err == nil
}
