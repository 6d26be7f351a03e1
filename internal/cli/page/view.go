// Package page is the work of view and report: it serves the viewer, and writes it with a capture into one file.
package page

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/view"
	"github.com/gamedissect/gamedissect/internal/view/web"
)

// ViewOptions say what is shown in the browser.
type ViewOptions struct {
	Names   []string // by -r
	file    string   // the one that is shown
	Reading session.ReadingOptions
	Mask    bool
	Listen  string
	Filter  string
	Notes   string // file
	Quiet   bool   // no browser is opened
}

// Named takes the file that is named, by -r or without it.
func (o *ViewOptions) Named(args []string) error {
	if err := session.ReadOnce(o.Names); err != nil {
		return err
	}
	var files []string
	for _, name := range o.Names {
		found, err := session.Glob(name)
		if err != nil {
			return fmt.Errorf("-r %w", err)
		}
		files = append(files, found...)
	}
	files = append(files, args...)
	switch len(files) {
	case 0:
		return errors.New("nothing to show: gamedissect view FILE")
	case 1:
		o.file = files[0]
		return nil
	}
	return fmt.Errorf("a page shows one file, not %d; this makes one of several: gamedissect -r %s -r %s -q -w all.pcapng",
		len(files), files[0], files[1])
}

// Run serves the page until it is interrupted.
func (o *ViewOptions) Run(std term.Streams) error {
	_, wrong := session.NewDisplay(session.NewSchema(), o.Filter)
	at, err := parseAddress(o.Listen)
	engine, bad := o.Reading.Engine()
	notes, unread := readNotes(o.Notes)
	if err := errors.Join(wrong, err, bad, unread); err != nil {
		return err
	}
	file, size, err := openAnywhere(o.file)
	if err != nil {
		return err
	}
	defer file.Close()
	name := filepath.Base(o.file)
	v, err := view.Open(file, size, name, view.Options{
		Protocols: engine.Protocols, Dialect: engine.Dialect, DecodeAs: engine.DecodeAs, Memory: engine.Memory,
		MaskSecrets: o.Mask,
	})
	if err != nil {
		return err
	}
	s, err := newServer(v, at, web.Page{Title: name + " – gamedissect", Setup: web.Setup{
		Version: term.Version(), Name: name, MaskSecrets: o.Mask, Filter: o.Filter, Notes: notes,
		Reading: shownReading(&engine), Reports: true,
	}})
	if err != nil {
		return errors.Join(fmt.Errorf("--listen %s: %w", o.Listen, err), v.Close())
	}
	stop := session.OnInterrupt()
	defer stop.Release()
	s.reportsBy(func(setup web.Setup, begin func() (io.Writer, error)) error {
		r := ReportOptions{Mask: o.Mask, Reading: o.Reading, Input: session.InputOptions{Names: []string{o.file}}}
		return r.write(std, stop, setup, begin)
	})
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
