package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/outfile"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/view"
	"github.com/gamedissect/gamedissect/internal/view/web"
	"github.com/gamedissect/gamedissect/internal/view/web/engine"
)

// ReportOptions are the options for the page and the packets in it.
type ReportOptions struct {
	Input     session.InputOptions
	Reading   session.ReadingOptions
	Output    string
	Filter    string
	Mask      bool // mask passwords and tokens; set if neither Bare nor Anonymize is set
	Bare      bool // --no-mask
	Anonymize bool
	Large     bool
	Notes     string // name of a file
	Engine    string // name of a folder
}

func (o *ReportOptions) check() error {
	if o.Output == "" {
		return errors.New("nowhere to write: name the page with -o FILE.html")
	}
	if o.Mask && o.Anonymize {
		return errors.New("--anonymize also replaces passwords and tokens, so --mask-secrets is not needed")
	}
	if o.Bare && (o.Mask || o.Anonymize) {
		return errors.New("--no-mask contradicts --mask-secrets and --anonymize")
	}
	if o.Notes != "" && (o.Filter != "" || o.Anonymize) {
		return errors.New("--notes cannot be combined with -Y or --anonymize: notes refer to messages by their numbers in " +
			"the whole capture, and may contain names")
	}
	if len(o.Input.Names) == 0 {
		for flag, given := range map[string]bool{
			"-Y": o.Filter != "", "--notes": o.Notes != "",
			"--mask-secrets": o.Mask, "--no-mask": o.Bare, "--anonymize": o.Anonymize, "-c": o.Input.Count != 0,
		} {
			if given {
				return fmt.Errorf("%s needs -r FILE", flag)
			}
		}
	}
	return errors.Join(o.Input.CheckCount(), session.ReadOnce(o.Input.Names))
}

// Run writes the page.
func (o *ReportOptions) Run(std term.Streams) error {
	if err := o.check(); err != nil {
		return err
	}
	o.Mask = len(o.Input.Names) > 0 && !o.Bare && !o.Anonymize
	reading, err := o.Reading.Engine()
	if err != nil {
		return err
	}
	if _, err := session.NewFilter(session.NewSchema(), o.Filter); err != nil {
		return err
	}
	notes, err := readNotes(o.Notes)
	if err != nil {
		return err
	}
	outputs := outfile.NewOutputs(std, append(o.given(), o.Input.Names...)...)
	to := outputs.File("-o", o.Output)
	if err := outputs.Open(); err != nil {
		return err
	}
	defer outputs.Abandon()
	stop := session.OnInterrupt()
	defer stop.Release()
	setup := web.Setup{Version: term.Version(), Notes: notes, Reading: shownReading(&reading, false)}
	if !o.Mask && !o.Anonymize {
		setup.Filter = o.Filter // otherwise the filter could reveal what is masked or replaced
	}
	trouble, err := o.write(std, stop, setup, to.Begin)
	if err != nil {
		return err
	}
	if err := to.Commit(); err != nil {
		return err
	}
	if o.Mask {
		fmt.Fprintln(std.Err, "gamedissect: passwords and tokens are masked; --no-mask writes the packets unchanged")
	}
	return trouble
}

// write writes the page to the writer that begin returns. It calls begin once it knows that there is something to
// write. trouble lists the packets that could not be read.
func (o *ReportOptions) write(std term.Streams, stop *session.Interrupt, setup web.Setup, begin func() (io.Writer,
	error)) (trouble, err error) {
	page := web.Page{Title: "gamedissect", Setup: setup}
	packets := &embedding{o: o, std: std, stop: stop}
	defer packets.finish() //nolint:errcheck // already returned if the page is complete
	if len(o.Input.Names) > 0 {
		name := o.shownName()
		data, err := packets.open()
		if err != nil {
			return nil, err
		}
		page.Capture = &web.Capture{Name: name, Data: data}
		page.Title = page.Capture.Name + " – gamedissect"
	}
	files, err := o.files(std, stop)
	if err != nil {
		return nil, err
	}
	page.Engine = &web.Engine{Wasm: files.Wasm, Exec: files.Exec}
	out, err := begin()
	if err != nil {
		return nil, err
	}
	err = page.Write(out)
	return packets.finish(), err
}

func shownReading(o *decode.Options, mask bool) view.Reading {
	r := view.Reading{Document: o.Dialect == wire.Document, MaskSecrets: mask}
	for _, as := range o.DecodeAs {
		r.DecodeAs = append(r.DecodeAs, view.DecodeAs{
			TCP: as.Transport == wire.TCP, Port: as.Port, Protocol: as.Protocol.Name,
		})
	}
	return r
}

// given returns the input files that are not captures. The output must not overwrite them, either.
func (o *ReportOptions) given() []string {
	if o.Notes == "" {
		return nil
	}
	return []string{o.Notes}
}

// shownName returns the capture's name on the page.
func (o *ReportOptions) shownName() string {
	name := filepath.Base(o.Input.Names[0])
	switch further := len(o.Input.Names) - 1; {
	case o.Anonymize:
		return "anonymized.pcapng" // file names may identify people, too
	case further > 0:
		return fmt.Sprintf("%s and %d more", name, further)
	case name == "-":
		return "standard input"
	}
	return name
}

func (o *ReportOptions) files(std term.Streams, stop *session.Interrupt) (*engine.Files, error) {
	if o.Engine != "" {
		f, err := engine.Read(o.Engine)
		if err != nil {
			err = fmt.Errorf("--engine: %w", err)
		}
		return f, err
	}
	if f := engine.Embedded(); f != nil {
		return f, nil
	}
	const otherwise = "; released programs contain the engine, and --engine DIR uses the engine in a folder"
	from, err := engine.OfProgram()
	if err != nil {
		return nil, fmt.Errorf("the engine for browsers cannot be built: %w%s", err, otherwise)
	}
	until, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-stop.Done:
			cancel()
		case <-until.Done():
		}
	}()
	f, err := engine.InCache(until, from, func() {
		fmt.Fprintln(std.Err, "gamedissect: building the engine for browsers (once, it takes about a minute)")
	})
	switch {
	case stop.Flag.Load():
		return nil, errInterruptedPage
	case errors.Is(err, engine.ErrNoGo):
		return nil, fmt.Errorf("building the engine for browsers needs Go, and %w: install it from https://go.dev/dl%s",
			err, otherwise)
	case err != nil && f != nil:
		fmt.Fprintln(std.Err, "gamedissect: the engine for browsers was not cached and will be built again:", err)
		return f, nil
	}
	return f, err
}
