package tshark

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

	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/cli/outfile"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/wireshark"
)

const installedMark = "Written by gamedissect wireshark --install; gamedissect wireshark --uninstall removes it."

// madeMark begins a line in an installed file. The line names a folder that --install created for the file, and that
// --uninstall must remove too.
const madeMark = "Made for it: "

type installedFile struct {
	path    string
	mode    fs.FileMode
	first   string // line before the mark
	comment string // beginning of a comment
	text    string
	newline string
}

// ChangeFolders installs our files in Wireshark's folders, or removes them, and prints what it did. If a file that we
// did not install has the name of one of our files, ChangeFolders changes nothing and returns an error.
func ChangeFolders(std term.Streams, uninstall bool) error {
	program, err := term.OwnPath()
	if err != nil {
		return err
	}
	folders, err := findFolders()
	if err != nil {
		return err
	}
	printed := false
	change := (*installedFile).write
	if uninstall {
		change = (*installedFile).remove
	}
	for _, change := range []func(*installedFile) (string, error){(*installedFile).refuse, change} {
		files := folders.files(runtime.GOOS, program)
		if uninstall {
			slices.Reverse(files) // the first file, removed last, names the created folders
		}
		for _, f := range files {
			action, err := change(&f)
			if err != nil {
				return err
			}
			if action != "" {
				printed = true
				fmt.Fprintf(std.Out, "%s %s\n", action, format.AppendPlain(nil, f.path))
			}
		}
	}
	if !printed { // installing always prints something
		fmt.Fprintln(std.Out, "no file of gamedissect is installed")
	}
	return nil
}

// files lists the files to install on an operating system. An installed file does nothing if the program no longer
// exists.
func (w *folders) files(system, program string) (list []installedFile) {
	if system == "windows" {
		quoted := `"` + strings.ReplaceAll(program, "%", "%%") + `"`
		for _, dir := range w.extcap {
			list = append(list, installedFile{
				path: filepath.Join(dir, "gamedissect.bat"), mode: 0o644, first: "@echo off", comment: "rem ", newline: "\r\n",
				text: "if not exist " + quoted + " exit /b 0\r\n" + quoted + " extcap %*\r\n",
			})
		}
		return list // the script needs a shell and named pipes
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

// existing returns the content of the file at the path, if there is a file, and whether --install wrote it.
func (f *installedFile) existing() (text []byte, ours bool, err error) {
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

// refuse returns an error if there is a file at the path that --install did not write.
func (f *installedFile) refuse() (string, error) {
	text, ours, err := f.existing()
	if err == nil && len(text) > 0 && !ours {
		err = fmt.Errorf("%s: this file was not written by gamedissect; nothing is changed", f.path)
	}
	return "", err
}

// write writes the file unless it is up to date.
func (f *installedFile) write() (action string, err error) {
	before, _, err := f.existing()
	if err != nil {
		return "", err
	}
	made := madeFolders(before)
	if len(before) == 0 {
		// The loop ends at the root folder at the latest.
		for dir := filepath.Dir(f.path); !session.Exists(dir) && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
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
		return "unchanged:", nil
	}
	if err := os.MkdirAll(filepath.Dir(f.path), 0o755); err != nil {
		return "", err
	}
	return "wrote", new(outfile.Outputs).PutInFolder("", f.path, text, f.mode)
}

// madeFolders returns the folders that were created for an installed file according to its marks, innermost first.
func madeFolders(text []byte) (list []string) {
	for line := range bytes.Lines(text) {
		if _, dir, ok := bytes.Cut(line, []byte(madeMark)); ok {
			list = append(list, strings.TrimRight(string(dir), "\r\n"))
		}
	}
	return list
}

// remove removes the file if --install wrote it. It also removes the folders that were created for it, if they are
// empty.
func (f *installedFile) remove() (action string, err error) {
	text, ours, err := f.existing()
	if err != nil || !ours {
		return "", err
	}
	if err := os.Remove(f.path); err != nil {
		return "", err
	}
	for _, dir := range madeFolders(text) {
		if strings.HasPrefix(f.path, filepath.Clean(dir)+string(filepath.Separator)) {
			_ = os.Remove(dir) // fails if it is not empty
		}
	}
	return "removed", nil
}
