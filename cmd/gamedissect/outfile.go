package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
)

// An outfile is one of the outputs.
type outfile struct {
	flag, name string
	streamed   bool
	numbered   *regexp.Regexp // of files beside the name; nil: it is one file

	info    fs.FileInfo // what it is; nil: not known
	path    string      // where the links of the name lead, of a regular file
	created bool        // by this program, and nothing is written there yet
	file    *os.File    // what is open: the file itself, or the one beside
	beside  string      // the name of that; "": none
	out     io.Writer   // standard output; nil: it is a file
}

// claim opens what is there without a change, so that it is known what it is, and that it may be written. What is not
// there is made, empty: then it can be compared with others.
func (f *outfile) claim(all *outputs) (err error) {
	if f.name == "-" {
		f.out, f.info = all, described(all.std.out)
		return nil
	}
	// New, or there, or a link to what is not there.
	for _, how := range []int{os.O_CREATE | os.O_EXCL, 0, os.O_CREATE} {
		f.file, err = os.OpenFile(f.name, os.O_WRONLY|how, 0o666)
		if f.created = err == nil && how != 0; err == nil || !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err != nil {
		return f.failed(err)
	}
	if f.info, err = f.file.Stat(); err != nil {
		return f.failed(err)
	}
	if !f.info.Mode().IsRegular() {
		return nil
	}
	if f.path, err = filepath.EvalSymlinks(f.name); err != nil {
		return f.failed(err)
	}
	if now, err := os.Stat(f.path); err != nil || !os.SameFile(now, f.info) {
		return f.refused("it was changed while it was opened")
	}
	return nil
}

// isAlso reports whether another output is the same file.
func (f *outfile) isAlso(other *outfile) bool {
	if f.name == "-" && other.name == "-" {
		return true
	}
	return f.info != nil && other.info != nil && clash(f.info, other.info)
}

// takes reports whether a name is one of the numbered files.
func (f *outfile) takes(name string) bool {
	if f.numbered == nil || !f.numbered.MatchString(filepath.Base(name)) {
		return false
	}
	mine, err := os.Stat(filepath.Dir(f.name))
	others, err2 := os.Stat(filepath.Dir(name))
	return err == nil && err2 == nil && os.SameFile(mine, others)
}

// prepare makes the file beside, where there can be one.
func (f *outfile) prepare() error {
	switch {
	case f.path == "" || isDescriptor(f.name):
		return nil
	case f.streamed && f.info.Size() == 0:
		return nil // nothing is lost: from the beginning others may look on
	}
	beside, err := newBeside(f.path)
	if errors.Is(err, fs.ErrPermission) { // a folder that takes no further file
		return nil
	}
	if err != nil {
		return f.failed(err)
	}
	_ = f.file.Close() // nothing was written
	f.file, f.beside = beside, beside.Name()
	if f.created {
		return nil
	}
	keepOwner(beside, f.info)
	return f.failed(beside.Chmod(f.info.Mode().Perm()))
}

// isDescriptor reports whether a name stands for a file that somebody holds open, and who would not see another
// one in its place.
func isDescriptor(name string) bool {
	name = filepath.Clean(name)
	return name == "/dev/stderr" || strings.HasPrefix(name, "/dev/fd/") || strings.HasPrefix(name, "/proc/")
}

// newBeside makes a new file in the folder of another one.
func newBeside(path string) (*os.File, error) {
	name := filepath.Join(filepath.Dir(path), ".gamedissect-"+rand.Text())
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

// unclaim removes an empty file that was made only to compare it: until it is whole nobody is to find it.
func (f *outfile) unclaim() {
	if f.created && f.beside != "" {
		_ = os.Remove(f.path) // if it stays, it is replaced
		f.created = false
	}
}

// begin gives what is to be written to. Where nothing is written beside, what was there is gone now.
func (f *outfile) begin() (io.Writer, error) {
	if f.out != nil {
		return f.out, nil
	}
	if f.beside == "" && f.path != "" {
		f.created = false // it stays, whatever comes
		if err := f.file.Truncate(0); err != nil {
			return nil, f.failed(err)
		}
	}
	return f.file, nil
}

// place puts a file that is still written in its place, if it is not there.
func (f *outfile) place() error {
	if f.beside == "" {
		return nil
	}
	if err := os.Rename(f.beside, f.path); err != nil {
		return f.failed(err)
	}
	f.beside = ""
	return nil
}

// commit ends a file that is whole, and puts it in its place.
func (f *outfile) commit() (err error) {
	if f.file == nil {
		return nil
	}
	if f.beside != "" && f.info.Size() > 0 {
		err = f.file.Sync() // a crash of the system must not leave neither
	}
	if err = errors.Join(err, f.file.Close()); err != nil {
		return f.failed(err)
	}
	f.file = nil
	if err := f.place(); err != nil {
		return f.copyOver(err)
	}
	return nil
}

// unplaced says of a file that is not whole what became of it; nil if it is in its place.
func (f *outfile) unplaced() error {
	if f.beside == "" {
		return nil
	}
	if f.info.Size() == 0 {
		return f.refused("what could be written is dropped; nothing is written")
	}
	return f.refused("what could be written is dropped; the file is as it was before")
}

// copyOver writes what is beside over a file whose name cannot get another one: one that is mounted, or somebody
// else's in a folder for everybody. why is the error of the other way.
func (f *outfile) copyOver(why error) error {
	from, err := os.Open(f.beside)
	if err != nil {
		return why
	}
	defer from.Close()
	to, err := os.OpenFile(f.path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return why
	}
	_, err = io.Copy(to, from)
	if err = errors.Join(err, to.Close()); err != nil {
		whole := f.beside
		f.beside = "" // all that is left
		return fmt.Errorf("%w; %s is whole", f.failed(err), whole)
	}
	return nil
}

// writeAll writes a whole file and puts it in its place.
func (f *outfile) writeAll(b []byte) error {
	w, err := f.begin()
	if err != nil {
		return err
	}
	if _, err := w.Write(b); err != nil {
		return f.failed(err)
	}
	return f.commit()
}

// abandon removes what is not in its place.
func (f *outfile) abandon() {
	if f.file != nil {
		_ = f.file.Close() // it is not whole anyway
		f.file = nil
	}
	if f.beside != "" {
		_ = os.Remove(f.beside)
		f.beside = ""
	}
	if f.created {
		if now, err := os.Stat(f.path); err == nil && now.Size() == 0 { // and nobody else writes there
			_ = os.Remove(f.path)
		}
		f.created = false
	}
}

// refused is the error of a file that is not written.
func (f *outfile) refused(format string, args ...any) error {
	return fmt.Errorf("%s: %s", strings.TrimSpace(f.flag+" "+f.name), fmt.Sprintf(format, args...))
}

// failed adds to an error whose file it is about.
func (f *outfile) failed(err error) error {
	if err == nil {
		return nil
	}
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err
	} else if link, ok := errors.AsType[*os.LinkError](err); ok {
		err = link.Err
	}
	return fmt.Errorf("%s %s: %w", f.flag, f.name, err)
}

// beginInFolder makes a file of a folder that this program fills, to be put in place of one that has the name. A link
// that somebody put there is replaced and not followed.
func (o *outputs) beginInFolder(path string) (f *outfile, err error) {
	f = &outfile{flag: "-o", name: path, path: path}
	if f.info, err = os.Lstat(path); err != nil {
		f.info = nil // newBeside tells why, if it is more than that there is none
	}
	if err := o.spareInputs(f); err != nil {
		return nil, err
	}
	if f.file, err = newBeside(path); err != nil {
		return nil, f.failed(err)
	}
	f.beside = f.file.Name()
	return f, nil
}

// putInFolder writes such a file.
func (o *outputs) putInFolder(path string, b []byte) error {
	f, err := o.beginInFolder(path)
	if err != nil {
		return err
	}
	defer f.abandon()
	if _, err := f.file.Write(b); err != nil {
		return f.failed(err)
	}
	err = f.file.Close()
	f.file = nil
	return errors.Join(f.failed(err), f.place())
}

// makeFolder makes a folder for files that -o names, unless it is there, and sees that it takes some.
func makeFolder(dir string) error {
	err := os.MkdirAll(dir, 0o777)
	if err == nil {
		var trial *os.File
		if trial, err = newBeside(filepath.Join(dir, "trial")); err == nil {
			err = errors.Join(trial.Close(), os.Remove(trial.Name()))
		}
	}
	switch {
	case errors.Is(err, syscall.ENOTDIR):
		err = errors.New("this is a file, or within one; name a folder")
	case errors.Is(err, os.ErrExist):
		err = errors.New("this is a link that leads nowhere, or within one; name a folder")
	}
	if err != nil {
		return fmt.Errorf("%w; nothing is written", (&outfile{flag: "-o", name: dir}).failed(err))
	}
	return nil
}
