package live

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/internal/anonymize"
	"github.com/gamedissect/gamedissect/internal/cli/outfile"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/report"
)

// AnonymizeOptions are the options of the anonymize command.
type AnonymizeOptions struct {
	Input   session.InputOptions
	Reading session.ReadingOptions
	Write   string
	Key     string
	Others  bool
}

func (o *AnonymizeOptions) check() error {
	if err := o.Input.Check(); err != nil {
		return err
	}
	if o.Write == "" {
		return errors.New("nowhere to write: name the new capture with -w FILE")
	}
	for _, name := range o.Input.Names {
		what := "a pipe or a device"
		if name == "-" {
			what = "standard input"
		} else if info, err := os.Stat(name); err != nil || info.Mode().IsRegular() || info.IsDir() {
			continue // can be read twice, or WithFiles reports the error
		}
		return fmt.Errorf("-r %s: anonymize reads a capture twice, and %s can be read only once; write it to a file first",
			name, what)
	}
	return nil
}

// Run reads the captures twice and writes the anonymized one.
func (o *AnonymizeOptions) Run(std term.Streams) error {
	if err := o.check(); err != nil {
		return err
	}
	engine, err := o.Reading.Engine()
	if err != nil {
		return err
	}
	outputs := outfile.NewOutputs(std, o.Input.Names...)
	to := outputs.File("-w", o.Write)
	if err := outputs.Open(); err != nil {
		return err
	}
	defer outputs.Abandon()
	key := []byte(o.Key)
	if o.Key == "" {
		key = RandomKey()
	}
	stop := session.OnInterrupt()
	defer stop.Release()
	memory := o.Reading.Memory.Remembered()
	a := anonymize.New(anonymize.Options{
		Protocols: engine.Protocols, Dialect: engine.Dialect, DecodeAs: engine.DecodeAs, Key: key, KeepOthers: o.Others,
		Memory: int(memory / 4), Limit: int(memory / 4 * 3),
	})
	read, trouble, err := Learn(a, &o.Input, &o.Reading.Memory, std, stop)
	if err != nil || read == 0 {
		return errors.Join(trouble, err)
	}
	if err := o.rewrite(a, to, std, stop, read); err != nil {
		return errors.Join(trouble, err)
	}
	return errors.Join(trouble, SumUp(a.Report(), std.Err, &o.Reading.Memory))
}

// Learn passes all packets to the anonymizer a, which can then rewrite them at the second reading. trouble joins the
// errors of the files. If err is not nil, the packets must not be rewritten.
func Learn(a *anonymize.Anonymizer, input *session.InputOptions, memory *session.MemoryOptions, std term.Streams,
	stop *session.Interrupt) (read int64, trouble, err error) {
	read, trouble, err = input.Each(std, stop, func(p *capture.Packet) error {
		f := session.FrameOf(p)
		return a.Learn(&f)
	})
	if err == nil {
		err = a.Learned()
	}
	if errors.Is(err, anonymize.ErrMemory) {
		err = fmt.Errorf("%w, or raise --memory above %d", err, memory.Megabytes)
	}
	return read, trouble, err
}

// SumUp writes to w how much was changed. trouble says what is incomplete or may be wrong in the result.
func SumUp(r anonymize.Report, w io.Writer, memory *session.MemoryOptions) (trouble error) {
	fmt.Fprintf(w, "%s kept, %d left out; %s, %d of them changed\n", report.Plural(r.Packets, "packet"), r.Dropped,
		report.Plural(r.Messages, "message"), r.Changed)
	if r.Foreign > 0 {
		fmt.Fprintf(w, "%s may decode differently than before, because they contain errors that depend on private "+
			"values\n", report.Plural(r.Foreign, "message"))
	}
	if r.Opaque > 0 {
		fmt.Fprintf(w, "%s with compressed content, which was replaced as a whole and no longer decodes\n",
			report.Plural(r.Opaque, "message"))
	}
	if r.Wrapped > 0 {
		trouble = fmt.Errorf("%s of the games left out, because they are in tunnels or Wi-Fi frames",
			report.Plural(r.Wrapped, "packet"))
	}
	trouble = errors.Join(trouble, session.UnreadLinks(r.Engine))
	if len(r.Engine.Forgotten) > 0 {
		const lacks = "the new capture may decode to other messages and findings"
		trouble = errors.Join(trouble, memory.ForgottenError(r.Engine.Forgotten, lacks))
	}
	return trouble
}

// rewrite reads the packets again and writes them.
func (o *AnonymizeOptions) rewrite(
	a *anonymize.Anonymizer, to *outfile.File, std term.Streams, stop *session.Interrupt, expected int64,
) error {
	w, err := newCaptureWriter(to, o.Write, capture.WriterOptions{Application: "gamedissect"})
	if err != nil {
		return err
	}
	read, _, err := o.Input.Each(std, stop, func(p *capture.Packet) error {
		f := session.FrameOf(p)
		if !a.Rewrite(&f) {
			return nil
		}
		p.Data, p.Length, p.Comments, p.File = f.Data, f.Length, nil, "" // comments and names may be private
		return w.Write(p)
	})
	if err == nil && read != expected {
		err = ChangedError(expected, read)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return err
	}
	return to.Commit()
}

// RandomKey returns a new random key.
func RandomKey() []byte { return []byte(rand.Text()) }

// ChangedError returns the error for captures that had a different number of packets on the second reading.
func ChangedError(before, now int64) error {
	return fmt.Errorf("the input changed while it was read: it had %s before, and now %d",
		report.Plural(before, "packet"), now)
}
