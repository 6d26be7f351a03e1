package outfile

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

// An File is one of the outputs.
type File struct {
	Flag, Name string
	Streamed   bool
	numbered   *regexp.Regexp // of files beside the name; nil: it is one file

	Info    fs.FileInfo // what it is; nil: not known
	Path    string      // where the links of the name lead, of a regular file
	created bool        // by this program, and nothing is written there yet
	File    *os.File    // what is open: the file itself, or the one beside
	Beside  string      // the name of that; "": none
	out     io.Writer   // standard output; nil: it is a file
}

// claim opens what is there without a change, so that it is known what it is, and that it may be written. What is not
// there is made, empty: then it can be compared with others.
func (f *File) claim(all *Outputs) (err error) {
	if f.Name == "-" {
		f.out, f.Info = all, described(all.Std.Out)
		return nil
	}
	// New, or there, or a link to what is not there.
	for _, how := range []int{os.O_CREATE | os.O_EXCL, 0, os.O_CREATE} {
		f.File, err = os.OpenFile(f.Name, os.O_WRONLY|how, 0o666)
		if f.created = err == nil && how != 0; err == nil || !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err != nil {
		return f.Failed(err)
	}
	if f.Info, err = f.File.Stat(); err != nil {
		return f.Failed(err)
	}
	if !f.Info.Mode().IsRegular() {
		return nil
	}
	if f.Path, err = filepath.EvalSymlinks(f.Name); err != nil {
		return f.Failed(err)
	}
	if now, err := os.Stat(f.Path); err != nil || !os.SameFile(now, f.Info) {
		return f.refused("it was changed while it was opened")
	}
	return nil
}

// isAlso reports whether another output is the same file.
func (f *File) isAlso(other *File) bool {
	if f.Name == "-" && other.Name == "-" {
		return true
	}
	return f.Info != nil && other.Info != nil && clash(f.Info, other.Info)
}

// takes reports whether a name is one of the numbered files.
func (f *File) takes(name string) bool {
	if f.numbered == nil || !f.numbered.MatchString(filepath.Base(name)) {
		return false
	}
	mine, err := os.Stat(filepath.Dir(f.Name))
	others, err2 := os.Stat(filepath.Dir(name))
	return err == nil && err2 == nil && os.SameFile(mine, others)
}

// prepare makes the file beside, where there can be one.
func (f *File) prepare() error {
	switch {
	case f.Path == "" || isDescriptor(f.Name):
		return nil
	case f.Streamed && f.Info.Size() == 0:
		return nil // nothing is lost: from the beginning others may look on
	}
	beside, err := NewBeside(f.Path)
	if errors.Is(err, fs.ErrPermission) { // a folder that takes no further file
		return nil
	}
	if err != nil {
		return f.Failed(err)
	}
	_ = f.File.Close() // nothing was written
	f.File, f.Beside = beside, beside.Name()
	if f.created {
		return nil
	}
	keepOwner(beside, f.Info)
	return f.Failed(beside.Chmod(f.Info.Mode().Perm()))
}

// isDescriptor reports whether a name stands for a file that somebody holds open, and who would not see another
// one in its place.
func isDescriptor(name string) bool {
	name = filepath.Clean(name)
	return name == "/dev/stderr" || strings.HasPrefix(name, "/dev/fd/") || strings.HasPrefix(name, "/proc/")
}

// NewBeside makes a new file in the folder of another one.
func NewBeside(path string) (*os.File, error) {
	name := filepath.Join(filepath.Dir(path), ".gamedissect-"+rand.Text())
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

// unclaim removes an empty file that was made only to compare it: until it is whole nobody is to find it.
func (f *File) unclaim() {
	if f.created && f.Beside != "" {
		_ = os.Remove(f.Path) // if it stays, it is replaced
		f.created = false
	}
}

// Begin gives what is to be written to. Where nothing is written beside, what was there is gone now.
func (f *File) Begin() (io.Writer, error) {
	if f.out != nil {
		return f.out, nil
	}
	if f.Beside == "" && f.Path != "" {
		f.created = false // it stays, whatever comes
		if err := f.File.Truncate(0); err != nil {
			return nil, f.Failed(err)
		}
	}
	return f.File, nil
}

// Place puts a file that is still written in its place, if it is not there.
func (f *File) Place() error {
	if f.Beside == "" {
		return nil
	}
	if err := os.Rename(f.Beside, f.Path); err != nil {
		return f.Failed(err)
	}
	f.Beside = ""
	return nil
}

// Commit ends a file that is whole, and puts it in its place.
func (f *File) Commit() (err error) {
	if f.File == nil {
		return nil
	}
	if f.Beside != "" && f.Info.Size() > 0 {
		err = f.File.Sync() // a crash of the system must not leave neither
	}
	if err = errors.Join(err, f.File.Close()); err != nil {
		return f.Failed(err)
	}
	f.File = nil
	if err := f.Place(); err != nil {
		return f.CopyOver(err)
	}
	return nil
}

// Unplaced says of a file that is not whole what became of it; nil if it is in its place.
func (f *File) Unplaced() error {
	if f.Beside == "" {
		return nil
	}
	if f.Info.Size() == 0 {
		return f.refused("what could be written is dropped; nothing is written")
	}
	return f.refused("what could be written is dropped; the file is as it was before")
}

// CopyOver writes what is beside over a file whose name cannot get another one: one that is mounted, or somebody
// else's in a folder for everybody. why is the error of the other way.
func (f *File) CopyOver(why error) error {
	from, err := os.Open(f.Beside)
	if err != nil {
		return why
	}
	defer from.Close()
	to, err := os.OpenFile(f.Path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return why
	}
	_, err = io.Copy(to, from)
	if err = errors.Join(err, to.Close()); err != nil {
		whole := f.Beside
		f.Beside = "" // all that is left
		return fmt.Errorf("%w; %s is whole", f.Failed(err), whole)
	}
	return nil
}

// WriteAll writes a whole file and puts it in its place.
func (f *File) WriteAll(b []byte) error {
	w, err := f.Begin()
	if err != nil {
		return err
	}
	if _, err := w.Write(b); err != nil {
		return f.Failed(err)
	}
	return f.Commit()
}

// Abandon removes what is not in its place.
func (f *File) Abandon() {
	if f.File != nil {
		_ = f.File.Close() // it is not whole anyway
		f.File = nil
	}
	if f.Beside != "" {
		_ = os.Remove(f.Beside)
		f.Beside = ""
	}
	if f.created {
		if now, err := os.Stat(f.Path); err == nil && now.Size() == 0 { // and nobody else writes there
			_ = os.Remove(f.Path)
		}
		f.created = false
	}
}

// refused is the error of a file that is not written.
func (f *File) refused(format string, args ...any) error {
	return fmt.Errorf("%s: %s", strings.TrimSpace(f.Flag+" "+f.Name), fmt.Sprintf(format, args...))
}

// Failed adds to an error whose file it is about.
func (f *File) Failed(err error) error {
	if err == nil {
		return nil
	}
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err
	} else if link, ok := errors.AsType[*os.LinkError](err); ok {
		err = link.Err
	}
	return fmt.Errorf("%s %s: %w", f.Flag, f.Name, err)
}

// BeginInFolder makes a file of a folder that this program fills, to be put in place of one that has the name. A link
// that somebody put there is replaced and not followed.
func (o *Outputs) BeginInFolder(path string) (f *File, err error) {
	f = &File{Flag: "-o", Name: path, Path: path}
	if f.Info, err = os.Lstat(path); err != nil {
		f.Info = nil // newBeside tells why, if it is more than that there is none
	}
	if err := o.spareInputs(f); err != nil {
		return nil, err
	}
	if f.File, err = NewBeside(path); err != nil {
		return nil, f.Failed(err)
	}
	f.Beside = f.File.Name()
	return f, nil
}

// PutInFolder writes such a file.
func (o *Outputs) PutInFolder(path string, b []byte) error {
	f, err := o.BeginInFolder(path)
	if err != nil {
		return err
	}
	defer f.Abandon()
	if _, err := f.File.Write(b); err != nil {
		return f.Failed(err)
	}
	err = f.File.Close()
	f.File = nil
	return errors.Join(f.Failed(err), f.Place())
}

// MakeFolder makes a folder for files that -o names, unless it is there, and sees that it takes some.
func MakeFolder(dir string) error {
	err := os.MkdirAll(dir, 0o777)
	if err == nil {
		var trial *os.File
		if trial, err = NewBeside(filepath.Join(dir, "trial")); err == nil {
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
		return fmt.Errorf("%w; nothing is written", (&File{Flag: "-o", Name: dir}).Failed(err))
	}
	return nil
}
