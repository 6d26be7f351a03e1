package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/internal/view"
	"github.com/gamedissect/gamedissect/internal/view/web"
)

// viewOptions say what is shown in the browser.
type viewOptions struct {
	names   []string // by -r
	file    string   // the one that is shown
	reading readingOptions
	mask    bool
	listen  string
	filter  string
	notes   string // file
	quiet   bool   // no browser is opened
}

// newView makes the command that shows a capture in the browser.
func newView(std streams) *cobra.Command {
	var o viewOptions
	c := &cobra.Command{
		Use:   "view FILE",
		Short: "show a capture in the browser",
		Long: `view opens a page about a capture: its messages with their trees and bytes, a sequence diagram, time
lines of players and servers, findings, statistics that can be plotted, and worlds with the tanks in them. This
program serves the page, to this machine alone and to those who have its address, until it is interrupted.`,
		Example: `  gamedissect view capture.pcap
  gamedissect view capture.pcap -Y 'bzflag24.killed'
  gamedissect view capture.pcap --no-browser --listen 8080    on a server: ssh -L 8080:127.0.0.1:8080 SERVER`,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := o.named(args); err != nil {
				return err
			}
			return o.run(std)
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringArrayVarP(&o.names, "read", "r", nil, "the capture is `FILE`, as for other commands")
	must(c.MarkFlagFilename("read", "pcap", "pcapng", "cap", "gz", "zst"))
	f.StringVarP(&o.filter, "display-filter", "Y", "", "show what the display `FILTER` is true of, to begin with")
	completeBy(c, "display-filter", completeNames)
	o.reading.flags(c)
	f.BoolVar(&o.mask, "mask-secrets", false, "show asterisks for passwords and tokens, among the bytes as well")
	f.Var((*fileName)(&o.notes), "notes", notesUsage)
	must(c.MarkFlagFilename("notes", "json"))
	f.StringVar(&o.listen, "listen", "127.0.0.1:0", "serve the page at `ADDRESS` of this machine, or at a port of it; "+
		"port 0 is any that is free")
	completeWith(c, "listen", "127.0.0.1:0", "[::1]:0")
	f.BoolVar(&o.quiet, "no-browser", false, "only print the address of the page")
	return c
}

// named takes the file that is named, by -r or without it.
func (o *viewOptions) named(args []string) error {
	if err := readOnce(o.names); err != nil {
		return err
	}
	var files []string
	for _, name := range o.names {
		found, err := fitting(name)
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

func (o *viewOptions) run(std streams) error {
	_, wrong := newDisplay(newSchema(), o.filter)
	at, err := parseViewListen(o.listen)
	engine, bad := o.reading.engine()
	notes, unread := readNotes(o.notes)
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
		MaskSecrets: o.mask,
	})
	if err != nil {
		return err
	}
	s, err := newViewServer(v, at, web.Page{Title: name + " – gamedissect", Setup: web.Setup{
		Version: version(), Name: name, MaskSecrets: o.mask, Filter: o.filter, Notes: notes,
		Reading: shownReading(&engine), Reports: true,
	}})
	if err != nil {
		return errors.Join(fmt.Errorf("--listen %s: %w", o.listen, err), v.Close())
	}
	stop := onInterrupt()
	defer stop.release()
	s.reportsBy(func(setup web.Setup, begin func() (io.Writer, error)) error {
		r := reportOptions{mask: o.mask, reading: o.reading, input: inputOptions{names: []string{o.file}}}
		return r.write(std, stop, setup, begin)
	})
	if _, err := fmt.Fprintln(std.out, s.address()); err != nil {
		return errors.Join(err, s.close())
	}
	fmt.Fprintln(std.err, "gamedissect: the page is served until you press Ctrl-C")
	if !o.quiet {
		openBrowser(std.err, s.invitation())
	}
	select {
	case <-stop.done:
		return s.close()
	case err := <-s.ended:
		return errors.Join(fmt.Errorf("--listen %s: the server ended: %w", o.listen, err), s.close())
	}
}

// openAnywhere opens a capture that is read at any place, and gives its size.
func openAnywhere(name string) (*os.File, int64, error) {
	info, err := os.Stat(name)
	if name == "-" || err == nil && !info.Mode().IsRegular() && !info.IsDir() { // opening a pipe would wait
		return nil, 0, &capture.Error{File: name, Reason: "a page looks at any place of its file, and this can be read " +
			"once: write it to a file first (gamedissect -r " + name + " -q -w FILE)"}
	}
	c, err := capture.Open(name) // it tells what is wrong
	if err != nil {
		return nil, 0, err
	}
	_ = c.Close() // it was only read
	file, err := os.Open(name)
	if err != nil {
		return nil, 0, err
	}
	if info, err = file.Stat(); err != nil {
		return nil, 0, errors.Join(err, file.Close())
	}
	return file, info.Size(), nil
}

// openBrowser has the system show an address. The address of the page is printed in any case.
func openBrowser(warn io.Writer, address string) {
	program := []string{"xdg-open"}
	var err error
	switch runtime.GOOS {
	case "darwin":
		program = []string{"open"}
	case "windows":
		program = []string{"rundll32", "url.dll,FileProtocolHandler"}
	default:
		if !hasDisplay() {
			err = errors.New("there is no display here")
		}
	}
	if err == nil {
		err = launch(append(program, address))
	}
	if err != nil {
		fmt.Fprintf(warn, "gamedissect: no browser was opened (%s): open the address above in one\n", err)
	}
}

// launch starts a program and does not wait for it.
func launch(command []string) error {
	c := exec.Command(command[0], command[1:]...)
	c.SysProcAttr = ofItsOwn() // Ctrl-C here is not meant for a browser
	if err := c.Start(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return fmt.Errorf("%s is not installed", command[0])
		}
		return err
	}
	go c.Wait() //nolint:errcheck // how a browser ends is its own matter
	return nil
}
