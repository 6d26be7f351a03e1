package serve

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/internal/anonymize"
	"github.com/gamedissect/gamedissect/internal/cli/live"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/view"
)

// An embedding is the capture inside a page: the unchanged file, or a new file with the selected packets.
type embedding struct {
	o    *ReportOptions
	std  term.Streams
	stop *session.Interrupt

	file    *os.File // the unchanged file
	merged  *os.File // several inputs merged into one file that can be read more than once
	pipe    *io.PipeReader
	ended   chan struct{} // closed when the goroutine that writes to the pipe ends
	trouble error         // read errors
}

// mostEmbedded limits the bytes of a capture in a page. A browser decodes them from a text, and then has the bytes and
// the text in memory at the same time.
const mostEmbedded = 50 * session.Megabyte

// open returns the bytes of the capture file in the page.
func (e *embedding) open() (io.Reader, error) {
	if o := e.o; o.Filter == "" && !o.Mask && !o.Anonymize && session.IsOneFile(&o.Input) {
		if err := e.check(); err != nil {
			return nil, err
		}
		return e.openFile(o.Input.Names[0]) // unchanged
	}
	if err := e.mergeFirst(); err != nil {
		return nil, err
	}
	keep, err := e.chosen()
	if err != nil {
		return nil, err
	}
	a, packets, err := e.anonymizer()
	if err != nil {
		return nil, err
	}
	var to *io.PipeWriter
	e.pipe, to = io.Pipe()
	e.ended = make(chan struct{})
	go func() {
		defer close(e.ended)
		to.CloseWithError(e.write(to, keep, a, packets))
	}()
	return &limitedCapture{from: e.pipe, large: e.o.Large}, nil
}

// finish closes all files, and returns the read errors.
func (e *embedding) finish() error {
	if e.pipe != nil {
		_ = e.pipe.Close() // this ends the writing goroutine
		<-e.ended
	}
	for _, f := range []*os.File{e.file, e.merged} {
		if f != nil {
			_ = f.Close() // harmless: the file was only read
		}
	}
	if e.merged != nil {
		_ = os.Remove(e.merged.Name())
	}
	return e.trouble
}

// check reads a capture that goes into the page unchanged, and collects the read errors.
func (e *embedding) check() error {
	options, err := e.o.Reading.Engine()
	if err != nil {
		return err
	}
	engine := decode.New(options)
	read, trouble, err := e.o.Input.Each(e.std, e.stop, func(p *capture.Packet) error {
		f := session.FrameOf(p)
		engine.Frame(&f)
		return nil
	})
	engine.Close()
	if err == nil && read == 0 {
		return trouble // a page without packets is useless
	}
	e.trouble = errors.Join(trouble, session.UnreadLinks(engine.Counters()))
	return err
}

func (e *embedding) openFile(name string) (io.Reader, error) {
	file, size, err := openAnywhere(name)
	if err != nil {
		return nil, err
	}
	if e.file = file; size > mostEmbedded && !e.o.Large {
		return nil, tooLarge(fmt.Sprintf("%d MB", size/session.Megabyte))
	}
	return &limitedCapture{from: e.file, large: e.o.Large}, nil
}

func tooLarge(size string) error {
	return fmt.Errorf("the page would contain %s of packets, and above %d MB browsers take minutes to open it, or "+
		"refuse: "+
		"select packets with -Y FILTER or -c N, open the file with gamedissect view or in the page without a capture, or "+
		"use --large anyway", size, mostEmbedded/session.Megabyte)
}

// limitedCapture reads a capture. It returns an error if the capture exceeds mostEmbedded bytes.
type limitedCapture struct {
	from  io.Reader
	large bool // no limit
	read  int64
}

func (b *limitedCapture) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	if b.read += int64(n); b.read > mostEmbedded && !b.large {
		return 0, tooLarge(fmt.Sprintf("more than %d MB", mostEmbedded/session.Megabyte))
	}
	return n, err
}

// If the inputs must be read several times, and are not a single file, mergeFirst merges them into one.
func (e *embedding) mergeFirst() error {
	o := e.o
	if o.Filter == "" && !o.Mask && !o.Anonymize || session.IsOneFile(&o.Input) {
		return nil
	}
	var err error
	if e.merged, err = os.CreateTemp("", "gamedissect-*.pcapng"); err != nil {
		return err
	}
	if err := e.write(e.merged, nil, nil, 0); err != nil {
		return err
	}
	o.Input = session.InputOptions{Names: []string{e.merged.Name()}, UnpackAll: o.Input.UnpackAll}
	return nil
}

// chosen returns a function that reports whether a packet carries anything that the filter selects. A nil function
// selects all packets.
func (e *embedding) chosen() (func(frame int) bool, error) {
	if e.o.Filter == "" {
		return nil, nil //nolint:nilnil // nil: all packets
	}
	name := e.o.Input.Names[0]
	file, size, err := openAnywhere(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	memory := int(e.o.Reading.Memory.Remembered() / 2)
	engine, err := e.o.Reading.Engine()
	if err != nil {
		return nil, err
	}
	v, err := view.Open(file, size, name, view.Options{
		Protocols: engine.Protocols, Dialect: engine.Dialect, DecodeAs: engine.DecodeAs, Memory: memory, Index: memory,
	})
	if err != nil {
		return nil, err
	}
	defer v.Close()
	bar := session.NewProgress(size, e.std.Err, term.Terminal{}, true)
	for v.Step(1<<20, time.Second) {
		if bar.Show(v.State().Read); e.stop.Flag.Load() {
			return nil, errInterruptedPage
		}
	}
	bar.Done()
	if lack := v.State().LeftOut; lack != "" {
		return nil, fmt.Errorf("%s; raise --memory above %d", lack, e.o.Reading.Memory.Megabytes)
	}
	return v.Carrying(e.o.Filter)
}

var errInterruptedPage = errors.New("interrupted; no page is written")

// anonymizer returns the Anonymizer that rewrites the packets, or nil if the packets stay unchanged. It also returns
// the number of packets.
func (e *embedding) anonymizer() (*anonymize.Anonymizer, int64, error) {
	o := e.o
	if !o.Mask && !o.Anonymize {
		return nil, 0, nil
	}
	engine, err := o.Reading.Engine()
	if err != nil {
		return nil, 0, err
	}
	memory := o.Reading.Memory.Remembered()
	a := anonymize.New(anonymize.Options{
		Protocols: engine.Protocols, Dialect: engine.Dialect, DecodeAs: engine.DecodeAs, Key: live.RandomKey(),
		SecretsOnly: o.Mask, Memory: int(memory / 4), Limit: int(memory / 4 * 3),
	})
	read, trouble, err := live.Learn(a, &o.Input, &o.Reading.Memory, e.std, e.stop)
	e.trouble = trouble
	return a, read, err
}

// write writes a capture file of the selected packets.
func (e *embedding) write(to io.Writer, keep func(frame int) bool, a *anonymize.Anonymizer, expected int64) error {
	w, err := capture.NewWriter(to, "capture.pcapng", capture.WriterOptions{Application: "gamedissect " + term.Version()})
	if err != nil {
		return err
	}
	var refused error
	unmatched := int64(0)
	read, trouble, err := e.o.Input.Each(e.std, e.stop, func(p *capture.Packet) error {
		if a != nil {
			f := session.FrameOf(p)
			kept := a.Rewrite(&f)
			if e.o.Mask && a.Report().Wrapped > 0 {
				return fmt.Errorf("--mask-secrets: packet %d is in a tunnel or a Wi-Fi frame, where secrets cannot be masked; "+
					"--no-mask writes packets unchanged", p.Number)
			}
			if !kept {
				return nil
			}
			p.Data, p.Length, p.Comments, p.File = f.Data, f.Length, nil, "" // comments and the file name may identify people
		}
		if keep != nil && !keep(p.Number) {
			unmatched++
			return nil
		}
		err := w.Write(p)
		if errors.Is(err, fs.ErrInvalid) {
			if refused == nil {
				refused = err
			}
			err = nil
		}
		return err
	})
	if err == nil && read == 0 && trouble != nil {
		err, trouble = trouble, nil // a page without packets is useless
	}
	if err == nil && a != nil && read != expected {
		err = live.ChangedError(expected, read)
	}
	if a != nil && err == nil {
		r := a.Report()
		r.Packets, r.Dropped = r.Packets-unmatched, r.Dropped+unmatched
		trouble = live.SumUp(r, e.std.Err, &e.o.Reading.Memory)
	}
	e.trouble = errors.Join(e.trouble, trouble, refused)
	return errors.Join(err, w.Close())
}
