package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/internal/anonymize"
	"github.com/gamedissect/gamedissect/internal/view"
)

// An embedding is the capture in a page: the file as it is, or what becomes of packets on the way.
type embedding struct {
	o    *reportOptions
	std  streams
	stop *interrupt

	file    *os.File // as it is
	merged  *os.File // what several inputs became, to be read more than once
	pipe    *io.PipeReader
	ended   chan struct{} // when nobody writes to the pipe any more
	trouble error         // what could not be read
}

// mostEmbedded is how many bytes browsers cope with: they decode them from a text that they hold at the same time.
const mostEmbedded = 50 * megabyte

// open gives the bytes of the capture file in the page.
func (e *embedding) open() (io.Reader, error) {
	if e.asItIs() {
		return e.openFile(e.o.input.names[0])
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
	return &limitedCapture{from: e.pipe, large: e.o.large}, nil
}

// finish lets go of everything, and gives what could not be read.
func (e *embedding) finish() error {
	if e.pipe != nil {
		_ = e.pipe.Close() // whoever writes ends then
		<-e.ended
	}
	for _, f := range []*os.File{e.file, e.merged} {
		if f != nil {
			_ = f.Close() // it was read
		}
	}
	if e.merged != nil {
		_ = os.Remove(e.merged.Name())
	}
	return e.trouble
}

// asItIs reports whether nothing is to be done with the packets.
func (e *embedding) asItIs() bool {
	o := e.o
	return o.filter == "" && !o.mask && !o.anonymize && isOneFile(&o.input)
}

// isOneFile reports whether the input is a file that can be read again and again.
func isOneFile(o *inputOptions) bool {
	if len(o.names) != 1 || o.names[0] == "-" || o.count > 0 {
		return false
	}
	info, err := os.Stat(o.names[0])
	return err == nil && info.Mode().IsRegular()
}

// openFile opens a capture file that goes into the page as it is.
func (e *embedding) openFile(name string) (io.Reader, error) {
	c, err := capture.Open(name)
	if err != nil {
		return nil, err // it is no capture
	}
	_ = c.Close() // it was only read
	if e.file, err = os.Open(name); err != nil {
		return nil, err
	}
	info, err := e.file.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > mostEmbedded && !e.o.large {
		return nil, tooLarge(fmt.Sprintf("%d MB", info.Size()/megabyte))
	}
	return &limitedCapture{from: e.file, large: e.o.large}, nil
}

func tooLarge(size string) error {
	return fmt.Errorf("the page would hold %s of packets; above %d MB browsers take minutes to open it, or refuse: "+
		"choose packets with -Y FILTER or -c N, open the file with gamedissect view or in the page without a capture, or "+
		"insist with --large", size, mostEmbedded/megabyte)
}

// limitedCapture is bytes that are not to be too many.
type limitedCapture struct {
	from  io.Reader
	large bool // they may be
	read  int64
}

// Read implements io.Reader.
func (b *limitedCapture) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	if b.read += int64(n); b.read > mostEmbedded && !b.large {
		return 0, tooLarge(fmt.Sprintf("more than %d MB", mostEmbedded/megabyte))
	}
	return n, err
}

// mergeFirst makes one file of inputs that are to be read several times and cannot, or are many.
func (e *embedding) mergeFirst() error {
	o := e.o
	if o.filter == "" && !o.mask && !o.anonymize || isOneFile(&o.input) {
		return nil
	}
	var err error
	if e.merged, err = os.CreateTemp("", "gamedissect-*.pcapng"); err != nil {
		return err
	}
	if err := e.write(e.merged, nil, nil, 0); err != nil {
		return err
	}
	o.input = inputOptions{names: []string{e.merged.Name()}, unpackAll: o.input.unpackAll}
	return nil
}

// chosen gives the packets that carry what the filter is true of; nil: all.
func (e *embedding) chosen() (func(frame int) bool, error) {
	if e.o.filter == "" {
		return nil, nil //nolint:nilnil // all is a good answer
	}
	name := e.o.input.names[0]
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	memory := int(e.o.reading.memory.remembered() / 2)
	engine, err := e.o.reading.engine()
	if err != nil {
		return nil, err
	}
	v, err := view.Open(file, info.Size(), name, view.Options{
		Protocols: engine.Protocols, Dialect: engine.Dialect, DecodeAs: engine.DecodeAs, Memory: memory, Index: memory,
	})
	if err != nil {
		return nil, err
	}
	defer v.Close()
	bar := newProgress(info.Size(), e.std.err, terminal{}, true)
	for v.Step(1<<20, time.Second) {
		if bar.show(v.State().Read); e.stop.flag.Load() {
			return nil, errInterruptedPage
		}
	}
	bar.done()
	if lack := v.State().LeftOut; lack != "" {
		return nil, fmt.Errorf("%s; give more than --memory %d", lack, e.o.reading.memory.megabytes)
	}
	return v.Carrying(e.o.filter)
}

var errInterruptedPage = errors.New("interrupted; no page is written")

// anonymizer prepares for packets that are changed, and counts them; nil: they stay as they are.
func (e *embedding) anonymizer() (*anonymize.Anonymizer, int64, error) {
	o := e.o
	if !o.mask && !o.anonymize {
		return nil, 0, nil
	}
	engine, err := o.reading.engine()
	if err != nil {
		return nil, 0, err
	}
	memory := o.reading.memory.remembered()
	a := anonymize.New(anonymize.Options{
		Protocols: engine.Protocols, Dialect: engine.Dialect, DecodeAs: engine.DecodeAs, Key: randomKey(),
		SecretsOnly: o.mask, Memory: int(memory / 4), Limit: int(memory / 4 * 3),
	})
	read, trouble, err := learn(a, &o.input, &o.reading.memory, e.std, e.stop)
	e.trouble = trouble
	return a, read, err
}

// write writes a capture file of the packets that are kept.
func (e *embedding) write(to io.Writer, keep func(frame int) bool, a *anonymize.Anonymizer, expected int64) error {
	w, err := capture.NewWriter(to, "capture.pcapng", capture.WriterOptions{Application: "gamedissect " + version()})
	if err != nil {
		return err
	}
	var refused error
	unmatched := int64(0)
	read, trouble, err := e.o.input.each(e.std, e.stop, func(p *capture.Packet) error {
		if a != nil {
			f := frameOf(p)
			kept := a.Rewrite(&f)
			if e.o.mask && a.Report().Wrapped > 0 {
				return fmt.Errorf("--mask-secrets: packet %d of the games has a tunnel or a Wi-Fi frame around it, where secrets "+
					"cannot be masked", p.Number)
			}
			if !kept {
				return nil
			}
			p.Data, p.Comments, p.File = f.Data, nil, "" // comments and names are somebody's words
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
		err, trouble = trouble, nil // a page about nothing helps nobody
	}
	if err == nil && a != nil && read != expected {
		err = changedMeanwhile(expected, read)
	}
	if a != nil && err == nil {
		r := a.Report()
		r.Packets, r.Dropped = r.Packets-unmatched, r.Dropped+unmatched
		trouble = sumUp(r, e.std.err, &e.o.reading.memory)
	}
	e.trouble = errors.Join(e.trouble, trouble, refused)
	return errors.Join(err, w.Close())
}
