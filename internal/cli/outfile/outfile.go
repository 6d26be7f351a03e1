// Package outfile writes files so that a failure does not destroy their previous content.
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

// A File is one of the outputs of a command.
type File struct {
	Flag, Name string
	Streamed   bool  // other programs may read the file while it is written
	Size       int64 // bytes that Write wrote

	numbered  *regexp.Regexp // pattern of the names of numbered files; nil: a single file
	info      fs.FileInfo    // info about the file at path; nil: unknown
	path      string         // name of a regular file, with links resolved
	reserved  bool           // this program created the file at path, which is still empty
	file      *os.File       // open file: the temporary file or the file at path
	temporary string         // name of the temporary file; "": none
	out       io.Writer      // standard output; nil: a file
}

// reserve opens the file to compare it with other files. If there is no file, it creates an empty one. It does not
// change an existing file.
func (f *File) reserve(all *Outputs) (err error) {
	if f.Name == "-" {
		f.out, f.info = all, described(all.Std.Out)
		return nil
	}
	// Try to create a new file, then to open an existing one, then to create the target of a dangling link.
	for _, how := range []int{os.O_CREATE | os.O_EXCL, 0, os.O_CREATE} {
		f.file, err = os.OpenFile(f.Name, os.O_WRONLY|how, 0o666)
		if err == nil {
			f.reserved = how != 0
			break
		}
		if !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err != nil {
		return f.failed(err)
	}
	if f.info, err = f.file.Stat(); err != nil || !f.info.Mode().IsRegular() {
		return f.failed(err)
	}
	if f.path, err = filepath.EvalSymlinks(f.Name); err != nil {
		return f.failed(err)
	}
	if now, err := os.Stat(f.path); err != nil || !os.SameFile(now, f.info) {
		return f.refused("another file took its place while it was being opened")
	}
	return nil
}

// release removes an empty file that reserve created, because a new file must not appear before it is complete.
func (f *File) release() {
	if f.reserved && f.temporary != "" {
		_ = os.Remove(f.path) // if this fails, publishing replaces the file
		f.reserved = false
	}
}

// replaceLater opens a temporary file that will replace the file. If no new file can be created in the folder, it opens
// none.
func (f *File) replaceLater() error {
	// A streamed file that is still empty needs no temporary file: it has no content to keep, and others may read it at
	// once.
	if f.path == "" || isDescriptor(f.Name) || f.Streamed && f.info.Size() == 0 {
		return nil
	}
	before := f.file
	switch err := f.openTemporary(); {
	case errors.Is(err, fs.ErrPermission):
		return nil
	case err != nil:
		return err
	}
	_ = before.Close() // harmless: nothing was written
	if f.reserved {
		return nil
	}
	keepOwner(f.file, f.info)
	return f.failed(f.file.Chmod(f.info.Mode().Perm()))
}

// openTemporary opens a new file in the folder of path.
func (f *File) openTemporary() error {
	name := filepath.Join(filepath.Dir(f.path), ".gamedissect-"+rand.Text())
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return f.failed(err)
	}
	f.file, f.temporary = file, name
	return nil
}

// isDescriptor reports whether a name stands for a descriptor. Another process may have the descriptor's file open, and
// would not see a file that replaces it.
func isDescriptor(name string) bool {
	name = filepath.Clean(name)
	return name == "/dev/stderr" || strings.HasPrefix(name, "/dev/fd/") || strings.HasPrefix(name, "/proc/")
}

// Begin returns the writer for the file's content. If there is no temporary file, it truncates the file.
func (f *File) Begin() (io.Writer, error) {
	if f.out != nil {
		return f.out, nil
	}
	if f.temporary == "" && f.path != "" {
		f.reserved = false // keep the file, even after an error
		if err := f.file.Truncate(0); err != nil {
			return nil, f.failed(err)
		}
	}
	return f.file, nil
}

// Write writes to the file. Its errors contain the file's name, unlike the errors of Begin's writer.
func (f *File) Write(b []byte) (int, error) {
	to := f.out
	if to == nil {
		to = f.file
	}
	n, err := to.Write(b)
	f.Size += int64(n)
	return n, f.failed(err)
}

// Close completes the temporary file without publishing it.
func (f *File) Close() (err error) {
	if f.temporary != "" && f.info != nil && f.info.Size() > 0 {
		err = f.file.Sync() // after a system crash, either this file or the previous one must be complete
	}
	err = errors.Join(err, f.file.Close())
	f.file = nil
	return f.failed(err)
}

// Publish renames the temporary file, open or closed, to its final path.
func (f *File) Publish() error {
	if f.temporary == "" {
		return nil
	}
	if err := os.Rename(f.temporary, f.path); err != nil {
		return f.failed(err)
	}
	f.temporary = ""
	return nil
}

// Commit closes and publishes a complete file.
func (f *File) Commit() error {
	if f.file == nil {
		return nil
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := f.Publish(); err != nil {
		return f.copyOver(err)
	}
	return nil
}

// WriteAll writes the whole content of a file and commits it.
func (f *File) WriteAll(b []byte) error {
	if _, err := f.Begin(); err != nil {
		return err
	}
	if _, err := f.Write(b); err != nil {
		return err
	}
	return f.Commit()
}

// Unpublished returns the error for a file whose temporary file was not published. It returns nil if there is no
// temporary file.
func (f *File) Unpublished() error {
	switch {
	case f.temporary == "":
		return nil
	case f.info.Size() == 0:
		return f.refused("the incomplete output is dropped; no file is written")
	}
	return f.refused("the incomplete output is dropped; the file is unchanged")
}

// copyOver copies the temporary file over a file that cannot be replaced, because it is a mount point, or because it
// belongs to another user and is in a folder like /tmp. why is the error of Publish.
func (f *File) copyOver(why error) error {
	from, err := os.Open(f.temporary)
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
		complete := f.temporary
		f.temporary = "" // Abandon must not remove it
		return fmt.Errorf("%w; the complete output is in %s", f.failed(err), complete)
	}
	return nil
}

// Abandon removes everything that was not published.
func (f *File) Abandon() {
	if f.file != nil {
		_ = f.file.Close() // error ignored: the file is incomplete
		f.file = nil
	}
	if f.temporary != "" {
		_ = os.Remove(f.temporary)
		f.temporary = ""
	}
	if f.reserved {
		if now, err := os.Stat(f.path); err == nil && now.Size() == 0 { // only if no other process has written to it
			_ = os.Remove(f.path)
		}
		f.reserved = false
	}
}

// refused returns an error that names the file and says why it is not written.
func (f *File) refused(format string, args ...any) error {
	return fmt.Errorf("%s: %s", strings.TrimSpace(f.Flag+" "+f.Name), fmt.Sprintf(format, args...))
}

func (f *File) failed(err error) error {
	if err == nil {
		return nil
	}
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err
	} else if link, ok := errors.AsType[*os.LinkError](err); ok {
		err = link.Err
	}
	return fmt.Errorf("%s: %w", strings.TrimSpace(f.Flag+" "+f.Name), err)
}

// InFolder opens a temporary file for path, in a folder that this program fills. If path is a link, Publish replaces
// the link and not its target.
func (o *Outputs) InFolder(flag, path string) (f *File, err error) {
	f = &File{Flag: flag, Name: path, path: path}
	if f.info, err = os.Lstat(path); err != nil {
		f.info = nil // usually there is no file; openTemporary reports other errors
	}
	if err := o.checkInputs(f); err != nil {
		return nil, err
	}
	return f, f.openTemporary()
}

// PutInFolder opens a file like InFolder, writes it and publishes it. Mode 0 means the default mode.
func (o *Outputs) PutInFolder(flag, path string, b []byte, mode fs.FileMode) error {
	f, err := o.InFolder(flag, path)
	if err != nil {
		return err
	}
	defer f.Abandon()
	if _, err = f.Write(b); err == nil && mode != 0 {
		err = f.failed(f.file.Chmod(mode))
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return f.Publish()
}

// MakeFolder creates the folder of -o if it does not exist, and checks that it is possible to create files in it.
func MakeFolder(dir string) error {
	trial := &File{Flag: "-o", Name: dir, path: filepath.Join(dir, "trial")}
	err := trial.failed(os.MkdirAll(dir, 0o777))
	if err == nil {
		err = trial.openTemporary()
		trial.Abandon()
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOTDIR):
		err = trial.refused("this is a file, or inside one; name a folder")
	case errors.Is(err, os.ErrExist):
		err = trial.refused("this is a dangling link, or inside one; name a folder")
	}
	return fmt.Errorf("%w; nothing is written", err)
}
