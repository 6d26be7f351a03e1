package main

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
)

// inputOptions name the files that packets are read from.
type inputOptions struct {
	names     []string
	count     int64
	unpackAll bool
}

func (o *inputOptions) flags(c *cobra.Command) {
	f := c.Flags()
	f.SortFlags = false
	f.StringArrayVarP(&o.names, "read", "r", nil,
		"read packets from `FILE`, - is standard input; 'PATTERN*' is all that fit; several come in time order")
	c.Args = o.arguments(c.Args)
	c.PreRunE = func(*cobra.Command, []string) error { return o.expand() }
	f.Int64VarP(&o.count, "count", "c", 0, "stop after `N` packets")
	f.BoolVar(&o.unpackAll, "unpack-all", false, "read compressed files to their end, even those that become more than "+
		"250 times as large")
	must(c.MarkFlagFilename("read", "pcap", "pcapng", "cap", "gz", "zst"))
}

// errNothing is the error of a command line that names no packets.
var errNothing = errors.New("nothing to read: give a capture file with -r FILE or an interface with -i NAME (see " +
	"gamedissect --help)")

// check finds what makes no sense where files are the only input.
func (o *inputOptions) check() error {
	if len(o.names) == 0 {
		return errNothing
	}
	return errors.Join(o.checkCount(), readOnce(o.names))
}

func (o *inputOptions) checkCount() error {
	if o.count < 0 {
		return fmt.Errorf("-c %d: the number of packets cannot be negative", o.count)
	}
	return nil
}

// expand puts the files that fit in the place of patterns. Shells do so as well, but not where a pattern is quoted, nor
// where it stands in a file of a program that has no shell.
func (o *inputOptions) expand() error {
	var list []string
	for _, name := range o.names {
		found, err := fitting(name)
		if err != nil {
			return fmt.Errorf("-r %w", err)
		}
		list = append(list, found...)
	}
	o.names = list
	return nil
}

// fitting lists the files that fit a pattern, sorted. What is the name of a file is no pattern, and what is neither
// stays as it is: whoever opens it says what is wrong.
func fitting(pattern string) ([]string, error) {
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
			shellQuoted(deeper))
	case err != nil:
		return nil, fmt.Errorf("%s: there is no such file, and this is no pattern: a [ has no ]", pattern)
	case len(found) == 0:
		return nil, fmt.Errorf("%s: no file fits this pattern", pattern)
	}
	slices.Sort(found)
	return found, nil
}

// readOnce is an error if a name is empty, or if standard input is named several times.
func readOnce(names []string) error {
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

// withFiles opens the files and has them used, in the order of time, unless none can be opened. What is wrong with
// the others is an error as well.
func (o *inputOptions) withFiles(stdin io.Reader, stop *interrupt, use func(*fileSource) error) error {
	files, trouble := open(o.names, stdin, stop)
	if len(files) == 0 {
		return trouble
	}
	defer closeAll(files)
	if o.unpackAll {
		for _, f := range files {
			f.UnpackAll()
		}
	}
	err := errors.Join(trouble, use(&fileSource{Source: capture.Merge(files...), files: files}))
	if errors.Is(err, capture.ErrExpands) {
		err = errors.Join(err, errors.New("--unpack-all has such a file read to its end"))
	}
	return err
}

// each calls f for every packet. trouble tells what could not be read of the files, err why it ended before they
// did.
func (o *inputOptions) each(std streams, stop *interrupt, f func(*capture.Packet) error) (
	read int64, trouble, err error) {
	trouble = o.withFiles(std.in, stop, func(from *fileSource) (trouble error) {
		p := &pump{from: from, stop: stop, count: o.count, failed: func(error) {}}
		from.showProgress(std.err, terminal{}, true)
		defer from.done()
		trouble, err = p.each(func(packet *capture.Packet) error {
			from.tick(false)
			read++
			return f(packet)
		})
		if err == nil && stop.flag.Load() {
			err = errors.New("interrupted; what is written is not complete")
		}
		return trouble
	})
	return read, trouble, err
}

// fileSource is the source of a run over files.
type fileSource struct {
	capture.Source
	files []*capture.File
	bar   progress
}

func (s *fileSource) tick(bool)   { s.bar.update(s.files) }
func (s *fileSource) done()       { s.bar.done() }
func (*fileSource) halt() bool    { return false }
func (*fileSource) endless() bool { return false }

// open opens the files that can be opened and tells what is wrong with the others.
func open(names []string, stdin io.Reader, stop *interrupt) (files []*capture.File, trouble error) {
	for _, name := range names {
		f, err := openOne(name, stdin, stop)
		if stop.flag.Load() {
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

func openOne(name string, stdin io.Reader, stop *interrupt) (*capture.File, error) {
	if name == "-" {
		return capture.NewReader(newStoppable(stdin, stop), name)
	}
	info, err := os.Stat(name)
	switch {
	case err != nil || info.Mode().IsRegular():
		return capture.Open(name) // it tells what is wrong
	case info.IsDir():
		return nil, &capture.Error{File: name, Reason: "is a directory; what is in it is -r " +
			shellQuoted(filepath.Join(name, "*")), Err: fs.ErrInvalid}
	}
	return capture.NewReader(newStoppable(&awaited{name: name}, stop), name)
}

func closeAll(files []*capture.File) {
	for _, f := range files {
		_ = f.Close() // read only: nothing can be lost
	}
}
