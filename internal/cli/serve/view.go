package serve

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/view"
	"github.com/gamedissect/gamedissect/internal/view/web"
)

// ViewOptions are the options of the view command.
type ViewOptions struct {
	Names   []string // files of -r
	files   []string // files to show
	Reading session.ReadingOptions
	Mask    bool
	Diff    []string // good captures to compare with
	good    []string // captures that Diff names
	Listen  string
	Filter  string
	Notes   string // name of a file
	Quiet   bool   // do not open a browser
}

// SetArgs sets the files to show. They may be named with or without -r.
func (o *ViewOptions) SetArgs(args []string) error {
	if err := session.ReadOnce(o.Names); err != nil {
		return err
	}
	found, err := session.Expand(o.Names, session.Captures)
	if err != nil {
		return fmt.Errorf("-r %w", err)
	}
	named, err := session.Expand(args, session.Captures)
	if err != nil {
		return err
	}
	if o.files = append(found, named...); len(o.files) == 0 {
		return errors.New("nothing to show: gamedissect view FILE")
	}
	if o.good, err = session.Expand(o.Diff, session.Captures); err != nil {
		return fmt.Errorf("--diff %w", err)
	}
	return nil
}

// openFiles opens files, which the caller must close.
func openFiles(names []string) (all []view.File, opened []io.Closer, err error) {
	for _, name := range names {
		file, size, err := openAnywhere(name)
		if err != nil {
			return nil, opened, err
		}
		opened = append(opened, file)
		if len(names) == 1 {
			name = filepath.Base(name)
		}
		all = append(all, view.File{Reader: file, Size: size, Name: name})
	}
	return all, opened, nil
}

func names(files []view.File) (list []string) {
	for _, f := range files {
		list = append(list, format.Unquoted(filepath.Base(f.Name)))
	}
	return list
}

// Run serves the page until the user interrupts it.
func (o *ViewOptions) Run(std term.Streams) error {
	_, wrong := session.NewFilter(session.NewSchema(), o.Filter)
	at, err := parseLocalAddress(o.Listen)
	engine, bad := o.Reading.Engine()
	notes, unread := readNotes(o.Notes)
	if err := errors.Join(wrong, err, bad, unread); err != nil {
		return err
	}
	files, opened, err := openFiles(o.files)
	good, further, bad := openFiles(o.good)
	defer func() {
		for _, file := range append(opened, further...) {
			_ = file.Close() // harmless: the file was only read
		}
	}()
	if err := errors.Join(err, bad); err != nil {
		return err
	}
	v, err := view.OpenAll(files, view.Options{
		Protocols: engine.Protocols, Dialect: engine.Dialect, DecodeAs: engine.DecodeAs, Memory: engine.Memory,
		MaskSecrets: o.Mask,
	})
	if err != nil {
		return err
	}
	for _, g := range good {
		if err := v.AddGood(g); err != nil {
			return errors.Join(fmt.Errorf("--diff: %w", err), v.Close())
		}
	}
	name := v.State().Name
	stop := session.OnInterrupt()
	defer stop.Release()
	s, err := newPageServer(v, at, web.Page{Title: name + " – gamedissect", Setup: web.Setup{
		Version: term.Version(), Name: name, Filter: o.Filter, Notes: notes, Good: names(good),
		Reading: shownReading(&engine, o.Mask), Reports: true,
	}}, func(setup web.Setup, anonymize bool, begin func() (io.Writer, error)) error {
		r := ReportOptions{
			Mask: o.Mask && !anonymize, Anonymize: anonymize, Reading: o.Reading, Input: session.InputOptions{Names: o.files},
		}
		_, err := r.write(std, stop, setup, begin) // the page itself reports what could not be read
		return err
	})
	if err != nil {
		return errors.Join(fmt.Errorf("--listen %s: %w", o.Listen, err), v.Close())
	}
	if _, err := fmt.Fprintln(std.Out, s.address()); err != nil {
		return errors.Join(err, s.Close())
	}
	fmt.Fprintln(std.Err, "gamedissect: the page is served until you press Ctrl-C")
	if !o.Quiet {
		openBrowser(std.Err, s.invitation())
	}
	select {
	case <-stop.Done:
		return s.Close()
	case err := <-s.Ended:
		return errors.Join(fmt.Errorf("--listen %s: the server ended: %w", o.Listen, err), s.Close())
	}
}
