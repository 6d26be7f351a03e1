package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// InputOptions are the options that name the files to read packets from.
type InputOptions struct {
	Names     []string
	Count     int64
	UnpackAll bool
}

// Flags adds the flags of the options, and makes the command reject misplaced arguments.
func (o *InputOptions) Flags(c *cobra.Command) {
	f := c.Flags()
	f.SortFlags = false
	f.StringArrayVarP(&o.Names, "read", "r", nil,
		"read packets from `FILE`, a folder, 'PATTERN*', or - for standard input; several are read in time order")
	c.Args = o.arguments(c.Args)
	c.PreRunE = func(*cobra.Command, []string) error { return o.expand() }
	f.Int64VarP(&o.Count, "count", "c", 0, "stop after `N` packets")
	f.BoolVar(&o.UnpackAll, "unpack-all", false, "read compressed files to their end, even if they unpack to "+
		"more than 250 times their size")
	option.Must(c.MarkFlagFilename("read", "pcap", "pcapng", "cap", "gz", "zst"))
}

// ErrNoInput is the error for a command line without a source of packets.
var ErrNoInput = errors.New("nothing to read: give a capture file with -r FILE or an interface with -i NAME (see " +
	"gamedissect --help)")

// Check returns an error if the options are invalid. It is for commands that only read files.
func (o *InputOptions) Check() error {
	if len(o.Names) == 0 {
		return ErrNoInput
	}
	return errors.Join(o.CheckCount(), ReadOnce(o.Names))
}

// CheckCount returns an error if -c is invalid.
func (o *InputOptions) CheckCount() error {
	if o.Count < 0 {
		return fmt.Errorf("-c %d: the number of packets cannot be negative", o.Count)
	}
	return nil
}

// expand replaces patterns with the files that match them, and folders with the captures in them.
func (o *InputOptions) expand() error {
	list, err := Expand(o.Names, Captures)
	if err != nil {
		return fmt.Errorf("-r %w", err)
	}
	o.Names = list
	return nil
}

// ReadOnce returns an error if a name is empty, or if standard input is named several times.
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

// WithFiles opens the files and calls use with a source that merges their packets by time. If no file can be opened, it
// does not call use. It returns the error that use returned, joined with the errors for files that could not be opened.
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
		err = errors.Join(err, errors.New("--unpack-all reads such a file to its end"))
	}
	return err
}

// Each calls f for every packet, up to the limit of -c. trouble joins the errors of the files. err is the error of f,
// or the error for an interrupt.
func (o *InputOptions) Each(std term.Streams, stop *Interrupt, f func(*capture.Packet) error) (
	read int64, trouble, err error) {
	trouble = o.WithFiles(std.In, stop, func(from *FileSource) (trouble error) {
		p := &packetLoop{from: from, stop: stop, count: o.Count, failed: func(error) {}}
		from.ShowProgress(std.Err, term.Terminal{}, true)
		defer from.Done()
		trouble, err = p.each(func(packet *capture.Packet) error {
			from.Tick(false)
			read++
			return f(packet)
		})
		if err == nil && stop.Flag.Load() {
			err = errors.New("interrupted; the output is incomplete")
		}
		return trouble
	})
	return read, trouble, err
}

// FileSource is a Source that reads files.
type FileSource struct {
	capture.Source
	files []*capture.File
	bar   Progress
}

// Tick updates the progress bar.
func (s *FileSource) Tick(bool) { s.bar.update(s.files) }

// Done removes the progress bar.
func (s *FileSource) Done() { s.bar.Done() }

func (*FileSource) Halt() bool { return false }

func (*FileSource) Endless() bool { return false }

// open opens files. trouble joins the errors of files that cannot be opened.
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
		return capture.Open(name) // reports the error of os.Stat again
	case info.IsDir():
		return nil, &capture.Error{File: name, Reason: "is a directory; to read its files, use -r " +
			term.ShellQuoted(filepath.Join(name, "*")), Err: fs.ErrInvalid}
	}
	return capture.NewReader(newStoppable(&awaited{name: name}, stop), name)
}

func closeAll(files []*capture.File) {
	for _, f := range files {
		_ = f.Close() // harmless: the file was only read
	}
}
