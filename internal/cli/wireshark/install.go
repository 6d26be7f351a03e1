package wireshark

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/internal/cli/outfile"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/wireshark"
)

// installedMark stands in files that are ours, and in no others.
const installedMark = "Written by gamedissect wireshark --install; gamedissect wireshark --uninstall removes it."

// madeMark begins a line that names a folder which was made for a file, so that it goes with it.
const madeMark = "Made for it: "

// An installedFile is one that --install writes.
type installedFile struct {
	path    string
	mode    fs.FileMode
	first   string // line, before the mark
	comment string // begins one
	text    string
	newline string
}

// ChangeFolders writes our files into Wireshark's folders, or removes them, and prints what it did. It changes nothing
// where a file is in the way that is not ours.
func ChangeFolders(std term.Streams, uninstall bool) error {
	program, err := term.OwnPath()
	if err != nil {
		return err
	}
	folders, err := findWiresharkFolders()
	if err != nil {
		return err
	}
	told := false
	change := (*installedFile).write
	if uninstall {
		change = (*installedFile).remove
	}
	for _, change := range []func(*installedFile) (string, error){(*installedFile).refuse, change} {
		files := folders.files(runtime.GOOS, program)
		if uninstall {
			slices.Reverse(files) // folders were made for the first that needed them
		}
		for _, f := range files {
			said, err := change(&f)
			if err != nil {
				return err
			}
			if said != "" {
				told = true
				fmt.Fprintf(std.Out, "%s %s\n", said, term.AppendPlain(nil, f.path))
			}
		}
	}
	if !told { // an installation always has something to tell
		fmt.Fprintln(std.Out, "nothing of ours is there")
	}
	return nil
}

// files lists what is installed on a system. A program that is gone has no interfaces.
func (w *wiresharkFolders) files(system, program string) (list []installedFile) {
	if system == "windows" {
		quoted := `"` + strings.ReplaceAll(program, "%", "%%") + `"`
		for _, dir := range w.extcap {
			list = append(list, installedFile{
				path: filepath.Join(dir, "gamedissect.bat"), mode: 0o644, first: "@echo off", comment: "rem ", newline: "\r\n",
				text: "if not exist " + quoted + " exit /b 0\r\n" + quoted + " extcap %*\r\n",
			})
		}
		return list // the script wants a shell and pipes with names
	}
	command, script := term.ShellQuoted(program), filepath.Join(w.plugins, wireshark.ScriptName)
	list = append(list, installedFile{
		path: script, mode: 0o644, comment: "-- ", newline: "\n", text: wireshark.Stub(program, command, script),
	})
	for _, dir := range w.extcap {
		list = append(list, installedFile{
			path: filepath.Join(dir, "gamedissect"), mode: 0o755, first: "#!/bin/sh", comment: "# ", newline: "\n",
			text: "[ -x " + command + " ] || exit 0\nexec " + command + " extcap \"$@\"\n",
		})
	}
	return list
}

// there gives what stands at a file's place, and whether that is ours.
func (f *installedFile) there() (text []byte, ours bool, err error) {
	info, err := os.Lstat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil || !info.Mode().IsRegular() || info.Size() > 1<<16 {
		return []byte("?"), false, err
	}
	text, err = os.ReadFile(f.path)
	return text, bytes.Contains(text, []byte(installedMark)), err
}

// refuse is an error if somebody else's file is in the place.
func (f *installedFile) refuse() (string, error) {
	text, ours, err := f.there()
	if err == nil && len(text) > 0 && !ours {
		err = fmt.Errorf("%s: this file was not written by gamedissect; nothing is changed", f.path)
	}
	return "", err
}

// write writes a file, unless it is there.
func (f *installedFile) write() (said string, err error) {
	before, _, err := f.there()
	if err != nil {
		return "", err
	}
	made := madeFolders(before)
	if len(before) == 0 {
		for dir := filepath.Dir(f.path); !session.Exists(dir) && dir != filepath.Dir(dir); dir = filepath.Dir(dir) { // to a drive
			made = append(made, dir)
		}
	}
	lines := []string{f.comment + installedMark}
	for _, dir := range made {
		lines = append(lines, f.comment+madeMark+dir)
	}
	if f.first != "" {
		lines = slices.Insert(lines, 0, f.first)
	}
	text := []byte(strings.Join(lines, f.newline) + f.newline + f.text)
	if bytes.Equal(before, text) {
		return "there already:", nil
	}
	if err := os.MkdirAll(filepath.Dir(f.path), 0o755); err != nil {
		return "", err
	}
	return "wrote", new(outfile.Outputs).PutInFolder("", f.path, text, f.mode)
}

// madeFolders are those that a file says were made for it, the innermost first.
func madeFolders(text []byte) (list []string) {
	for line := range bytes.Lines(text) {
		if _, dir, ok := bytes.Cut(line, []byte(madeMark)); ok {
			list = append(list, strings.TrimRight(string(dir), "\r\n"))
		}
	}
	return list
}

// remove removes a file of ours, and the folders that were made for it, if nothing else is there by now.
func (f *installedFile) remove() (said string, err error) {
	text, ours, err := f.there()
	if err != nil || !ours {
		return "", err
	}
	if err := os.Remove(f.path); err != nil {
		return "", err
	}
	for _, dir := range madeFolders(text) {
		if strings.HasPrefix(f.path, filepath.Clean(dir)+string(filepath.Separator)) {
			_ = os.Remove(dir) // which it only does when it is empty
		}
	}
	return "removed", nil
}
