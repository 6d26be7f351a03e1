package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// InputOptions name the files that packets are read from.
type InputOptions struct {
	Names     []string
	Count     int64
	UnpackAll bool
}

func (o *InputOptions) Flags(c *cobra.Command) {
	f := c.Flags()
	f.SortFlags = false
	f.StringArrayVarP(&o.Names, "read", "r", nil,
		"read packets from `FILE`, - is standard input; 'PATTERN*' is all that fit; several come in time order")
	c.Args = o.arguments(c.Args)
	c.PreRunE = func(*cobra.Command, []string) error { return o.expand() }
	f.Int64VarP(&o.Count, "count", "c", 0, "stop after `N` packets")
	f.BoolVar(&o.UnpackAll, "unpack-all", false, "read compressed files to their end, even those that become more than "+
		"250 times as large")
	option.Must(c.MarkFlagFilename("read", "pcap", "pcapng", "cap", "gz", "zst"))
}

// ErrNoInput is the error of a command line that names no packets.
var ErrNoInput = errors.New("nothing to read: give a capture file with -r FILE or an interface with -i NAME (see " +
	"gamedissect --help)")

// Check finds what makes no sense where files are the only input.
func (o *InputOptions) Check() error {
	if len(o.Names) == 0 {
		return ErrNoInput
	}
	return errors.Join(o.CheckCount(), ReadOnce(o.Names))
}

func (o *InputOptions) CheckCount() error {
	if o.Count < 0 {
		return fmt.Errorf("-c %d: the number of packets cannot be negative", o.Count)
	}
	return nil
}

// expand puts the files that fit in the place of patterns. Shells do so as well, but not where a pattern is quoted, nor
// where it stands in a file of a program that has no shell.
func (o *InputOptions) expand() error {
	var list []string
	for _, name := range o.Names {
		found, err := Glob(name)
		if err != nil {
			return fmt.Errorf("-r %w", err)
		}
		list = append(list, found...)
	}
	o.Names = list
	return nil
}

// Glob lists the files that fit a pattern, sorted. What is the name of a file is no pattern, and what is neither
// stays as it is: whoever opens it says what is wrong.
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
		return nil, fmt.Errorf("%s: ** would go no deeper than *; name each level of folders: -r %s", pattern,
			term.ShellQuoted(deeper))
	case err != nil:
		return nil, fmt.Errorf("%s: there is no such file, and this is no pattern: a [ has no ]", pattern)
	case len(found) == 0:
		return nil, fmt.Errorf("%s: no file fits this pattern", pattern)
	}
	slices.Sort(found)
	return found, nil
}

// ReadOnce is an error if a name is empty, or if standard input is named several times.
func ReadOnce(names []string) error {
	n := 0
	for _, name := range names {
		switch name {
		case "":
			return errors.New("-r: the name of a file is empty")
		case "-":
			n++
		}
	}
	if n > 1 {
		return fmt.Errorf("-r -: standard input can be read once, not %d times", n)
	}
	return nil
}

// WithFiles opens the files and has them used, in the order of time, unless none can be opened. What is wrong with
// the others is an error as well.
func (o *InputOptions) WithFiles(stdin io.Reader, stop *Interrupt, use func(*FileSource) error) error {
	files, trouble := open(o.Names, stdin, stop)
	if len(files) == 0 {
		return trouble
	}
	defer closeAll(files)
	if o.UnpackAll {
		for _, f := range files {
			f.UnpackAll()
		}
	}
	err := errors.Join(trouble, use(&FileSource{Source: capture.Merge(files...), files: files}))
	if errors.Is(err, capture.ErrExpands) {
		err = errors.Join(err, errors.New("--unpack-all has such a file read to its end"))
	}
	return err
}

// Each calls f for every packet. trouble tells what could not be read of the files, err why it ended before they
// did.
func (o *InputOptions) Each(std term.Streams, stop *Interrupt, f func(*capture.Packet) error) (
	read int64, trouble, err error) {
	trouble = o.WithFiles(std.In, stop, func(from *FileSource) (trouble error) {
		p := &pump{from: from, stop: stop, count: o.Count, failed: func(error) {}}
		from.ShowProgress(std.Err, term.Terminal{}, true)
		defer from.Done()
		trouble, err = p.each(func(packet *capture.Packet) error {
			from.Tick(false)
			read++
			return f(packet)
		})
		if err == nil && stop.Flag.Load() {
			err = errors.New("interrupted; what is written is not complete")
		}
		return trouble
	})
	return read, trouble, err
}

// FileSource is the source of a run over files.
type FileSource struct {
	capture.Source
	files []*capture.File
	bar   Progress
}

func (s *FileSource) Tick(bool)   { s.bar.update(s.files) }
func (s *FileSource) Done()       { s.bar.Done() }
func (*FileSource) Halt() bool    { return false }
func (*FileSource) Endless() bool { return false }

// open opens the files that can be opened and tells what is wrong with the others.
func open(names []string, stdin io.Reader, stop *Interrupt) (files []*capture.File, trouble error) {
	for _, name := range names {
		f, err := openOne(name, stdin, stop)
		if stop.Flag.Load() {
			return nil, errors.Join(trouble, errors.New("interrupted before the first packet"))
		}
		if err != nil {
			trouble = errors.Join(trouble, err)
			continue
		}
		files = append(files, f)
	}
	return files, trouble
}

func openOne(name string, stdin io.Reader, stop *Interrupt) (*capture.File, error) {
	if name == "-" {
		return capture.NewReader(newStoppable(stdin, stop), name)
	}
	info, err := os.Stat(name)
	switch {
	case err != nil || info.Mode().IsRegular():
		return capture.Open(name) // it tells what is wrong
	case info.IsDir():
		return nil, &capture.Error{File: name, Reason: "is a directory; what is in it is -r " +
			term.ShellQuoted(filepath.Join(name, "*")), Err: fs.ErrInvalid}
	}
	return capture.NewReader(newStoppable(&awaited{name: name}, stop), name)
}

func closeAll(files []*capture.File) {
	for _, f := range files {
		_ = f.Close() // read only: nothing can be lost
	}
}

// Stem is a capture's name without what says that it is one; ok is false for other files.
func Stem(name string) (s string, ok bool) {
	s = strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")
	for _, ext := range []string{".pcap", ".pcapng", ".cap"} {
		if s, ok := strings.CutSuffix(s, ext); ok {
			return s, true
		}
	}
	return "", false
}

func IsCapture(name string) bool {
	_, ok := Stem(name)
	return ok
}

// Expand turns patterns into the files they fit, and folders into the files in them that are wanted.
func Expand(names []string, wanted func(string) bool) ([]string, error) {
	var list []string
	for _, name := range names {
		info, err := os.Stat(name)
		switch {
		case name == "-" || err == nil && !info.IsDir():
			list = append(list, name)
			continue
		case err == nil:
			found, err := FilesIn(name, wanted)
			if err != nil {
				return nil, err
			}
			list = append(list, found...)
			continue
		}
		found, err := Glob(name)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

// OpenError is the error of a file or folder that cannot be read, as capture words it.
func OpenError(name string, err error) error {
	if path, ok := errors.AsType[*os.PathError](err); ok {
		err = path.Err
	}
	return fmt.Errorf("%s: cannot be opened: %w", name, err)
}

func FilesIn(folder string, wanted func(string) bool) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, OpenError(folder, err)
	}
	var list []string
	for _, e := range entries {
		if !e.IsDir() && wanted(e.Name()) {
			list = append(list, filepath.Join(folder, e.Name()))
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: there is nothing to use in this folder", folder)
	}
	return list, nil
}

// IsOneFile reports whether the input is a file that can be read again and again.
func IsOneFile(o *InputOptions) bool {
	if len(o.Names) != 1 || o.Names[0] == "-" || o.Count > 0 {
		return false
	}
	info, err := os.Stat(o.Names[0])
	return err == nil && info.Mode().IsRegular()
}

func Exists(file string) bool {
	_, err := os.Lstat(file)
	return err == nil
}
