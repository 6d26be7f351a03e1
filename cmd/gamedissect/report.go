package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/view/web"
	"github.com/gamedissect/gamedissect/internal/view/web/engine"
)

// reportOptions say what page is written, and which packets are in it.
type reportOptions struct {
	input     inputOptions
	reading   readingOptions
	output    string
	filter    string
	mask      bool
	anonymize bool
	large     bool
	notes     string // file
	engine    string // folder
}

// newReport makes the command that writes a page with a capture in it.
func newReport(std streams) *cobra.Command {
	var o reportOptions
	c := &cobra.Command{
		Use:   "report [-r FILE] -o FILE.html",
		Short: "write a page with a capture in it, for anybody with a browser",
		Long: `report writes one file that shows a capture in any browser, without a network and without gamedissect:
the page of gamedissect view, the packets, and the engine that takes them apart, as WebAssembly. Nothing leaves the
machine of who opens it: the page is forbidden to talk to anybody. The packets are in it as they are, and who has the
page has them: --mask-secrets puts asterisks in the place of passwords and tokens, --anonymize replaces names,
texts and addresses as gamedissect anonymize does.

Without -r there is no capture in the page. It opens those that are dropped on it; put it on any web server, or keep
it on a disk.

A released gamedissect has the engine inside. Another one builds it once, with Go, into the user's cache.`,
		Example: `  gamedissect report -r lag.pcapng -o lag.html
  gamedissect report -r lag.pcapng -o lag.html --mask-secrets
  gamedissect report -r lag.pcapng -o lag.html --anonymize
  gamedissect report -r day.pcap.zst -o kills.html -Y 'bzflag24.killed'
  gamedissect report -o viewer.html`,
		Args: o.input.noWords,
		RunE: func(*cobra.Command, []string) error { return o.run(std) },
	}
	o.input.flags(c)
	f := c.Flags()
	f.VarP((*fileName)(&o.output), "output", "o", "write the page to `FILE`; - is standard output")
	f.VarP(&onceText{to: &o.filter}, "display-filter", "Y",
		"put only those packets in the page that carry what the `FILTER` is true of")
	f.BoolVar(&o.mask, "mask-secrets", false, "put asterisks for passwords and tokens into the packets; leave out those "+
		"of no game, of which nobody knows what they are")
	f.BoolVar(&o.anonymize, "anonymize", false, "replace names, texts and addresses, as gamedissect anonymize does")
	f.BoolVar(&o.large, "large", false, "put more than 50 MB of packets into a page; browsers may refuse it")
	f.Var((*fileName)(&o.notes), "notes", notesUsage)
	f.StringVar(&o.engine, "engine", "", "take the engine from the folder `DIR`: "+engine.Wasm+" and "+engine.Exec+
		", as go generate ./view makes them")
	o.reading.flags(c)
	completeBy(c, "display-filter", completeNames)
	must(c.MarkFlagFilename("output", "html"))
	must(c.MarkFlagFilename("notes", "json"))
	must(c.MarkFlagDirname("engine"))
	return c
}

func (o *reportOptions) check() error {
	if o.output == "" {
		return errors.New("nowhere to write: name the page with -o FILE.html")
	}
	if o.mask && o.anonymize {
		return errors.New("--anonymize replaces passwords and tokens as well; --mask-secrets is for captures that " +
			"otherwise stay as they are")
	}
	if o.notes != "" && (o.filter != "" || o.anonymize) {
		return errors.New("--notes goes with neither -Y nor --anonymize: notes are about messages by their numbers in the " +
			"whole capture, and may name who is to be anonymous")
	}
	if len(o.input.names) == 0 {
		for flag, given := range map[string]bool{
			"-Y": o.filter != "", "--notes": o.notes != "",
			"--mask-secrets": o.mask, "--anonymize": o.anonymize, "-c": o.input.count != 0,
		} {
			if given {
				return fmt.Errorf("%s is about the packets of -r FILE, which is missing", flag)
			}
		}
	}
	return errors.Join(o.input.checkCount(), readOnce(o.input.names))
}

func (o *reportOptions) run(std streams) error {
	if err := o.check(); err != nil {
		return err
	}
	reading, err := o.reading.engine()
	if err != nil {
		return err
	}
	if _, err := newDisplay(newSchema(), o.filter); err != nil {
		return err
	}
	notes, err := readNotes(o.notes)
	if err != nil {
		return err
	}
	outputs := newOutputs(std, append(o.given(), o.input.names...)...)
	to := outputs.file("-o", o.output)
	if err := outputs.open(); err != nil {
		return err
	}
	defer outputs.abandon()
	stop := onInterrupt()
	defer stop.release()
	setup := web.Setup{Version: version(), Notes: notes, Reading: shownReading(&reading)}
	if !o.mask && !o.anonymize {
		setup.Filter = o.filter // it may name what is replaced
	}
	if err := o.write(std, stop, setup, to.begin); err != nil {
		return err
	}
	return to.commit()
}

// write writes the page to what begin gives, once it is known that there is something to write.
func (o *reportOptions) write(std streams, stop *interrupt, setup web.Setup, begin func() (io.Writer, error)) error {
	page := web.Page{Title: "gamedissect", Setup: setup}
	packets := &embedding{o: o, std: std, stop: stop}
	defer packets.finish() //nolint:errcheck // it was asked before, if the page is whole
	if len(o.input.names) > 0 {
		name := o.shownName()
		data, err := packets.open()
		if err != nil {
			return err
		}
		page.Capture = &web.Capture{Name: name, Data: data}
		page.Title = page.Capture.Name + " – gamedissect"
	}
	files, err := o.files(std, stop)
	if err != nil {
		return err
	}
	page.Engine = &web.Engine{Wasm: files.Wasm, Exec: files.Exec}
	out, err := begin()
	if err != nil {
		return err
	}
	return errors.Join(page.Write(out), packets.finish())
}

// shownReading tells the page how bytes are read.
func shownReading(o *decode.Options) web.Reading {
	r := web.Reading{Document: o.Dialect == wire.Document}
	for _, as := range o.DecodeAs {
		r.DecodeAs = append(r.DecodeAs, web.DecodeAs{
			TCP: as.Transport == wire.TCP, Port: as.Port, Protocol: as.Protocol.Name,
		})
	}
	return r
}

// given are the files that the page is made of besides the packets: writing must not destroy them either.
func (o *reportOptions) given() []string {
	if o.notes == "" {
		return nil
	}
	return []string{o.notes}
}

// shownName is what the page calls the capture.
func (o *reportOptions) shownName() string {
	name := filepath.Base(o.input.names[0])
	switch further := len(o.input.names) - 1; {
	case o.anonymize:
		return "anonymized.pcapng" // a name may tell as much as what it names
	case further > 0:
		return fmt.Sprintf("%s and %d more", name, further)
	case name == "-":
		return "standard input"
	}
	return name
}

// files gives the engine for browsers.
func (o *reportOptions) files(std streams, stop *interrupt) (*engine.Files, error) {
	if o.engine != "" {
		f, err := engine.Read(o.engine)
		if err != nil {
			err = fmt.Errorf("--engine: %w", err)
		}
		return f, err
	}
	if f := engine.Embedded(); f != nil {
		return f, nil
	}
	const otherwise = "; a released gamedissect has the engine inside, and --engine DIR names a folder with one"
	from, err := engine.OfProgram()
	if err != nil {
		return nil, fmt.Errorf("the engine for browsers cannot be built: %w%s", err, otherwise)
	}
	until, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-stop.done:
			cancel()
		case <-until.Done():
		}
	}()
	f, err := engine.InCache(until, from, func() {
		fmt.Fprintln(std.err, "gamedissect: building the engine for browsers (once, it takes about a minute)")
	})
	switch {
	case stop.flag.Load():
		return nil, errInterruptedPage
	case errors.Is(err, engine.ErrNoGo):
		return nil, fmt.Errorf("the engine for browsers is built once, by Go, and %w: install it from https://go.dev/dl%s",
			err, otherwise)
	case err != nil && f != nil:
		fmt.Fprintln(std.err, "gamedissect: the engine for browsers is not kept, it will be built again:", err)
		return f, nil
	}
	return f, err
}
