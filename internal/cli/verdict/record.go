package verdict

import (
	"errors"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/outfile"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/expect"
)

// RecordOptions are the options of the record command.
type RecordOptions struct {
	Input  session.InputOptions
	Decode session.DecodeOptions
	Record expect.RecordOptions
	File   string
}

// Run writes expectations that the captures fulfil.
func (o *RecordOptions) Run(std term.Streams) error {
	if !slices.Contains(expect.Units(), o.Record.Per) {
		return option.OneOf("--per", o.Record.Per, expect.Units())
	}
	if err := errors.Join(o.Input.Check(), o.Decode.Packets.Check()); err != nil {
		return err
	}
	engine, err := o.Decode.Engine()
	if err != nil {
		return err
	}
	selection, err := o.Decode.Selection(session.NewSchema())
	if err != nil {
		return err
	}
	o.Record.All = o.Record.All || o.Decode.Filter != ""
	o.Record.Filter = o.Decode.Filter
	outputs := outfile.NewOutputs(std, o.Input.Names...)
	to := outputs.File("-o", o.File)
	if err := outputs.Open(); err != nil {
		return err
	}
	defer outputs.Abandon()
	stop := session.OnInterrupt()
	defer stop.Release()
	return o.Input.WithFiles(std.In, stop, func(from *session.FileSource) error {
		r := session.NewRun(engine, selection)
		r.Count, r.Selection.Packets = o.Input.Count, o.Decode.Packets.Wanted(func(err error) { term.Complain(std.Err, err) })
		r.Forgotten = o.Decode.Reading.Memory.Trouble("what is recorded may be wrong")
		recorded := expect.NewRecorder(o.Record)
		current := selection.Subjects.Current
		r.Add(session.Sink{
			Message: func(*decode.Message) { recorded.Message(current()) },
			Finding: func(*wire.TrafficFinding) { recorded.Finding(current()) },
			Attempt: recorded.Attempt,
			Any:     recorded.Value,
		})
		if len(o.Input.Names) == 1 {
			term.Complain(std.Err, errOneCapture)
		}
		return errors.Join(r.Over(from, stop), o.save(recorded, to))
	})
}

// errOneCapture warns that other healthy sessions may not fulfil the expectations.
var errOneCapture = errors.New("recorded from one capture, so this demands what only happened there; " +
	"record several sessions: -r A -r B -r C")

func (o *RecordOptions) save(rec *expect.Recorder, to *outfile.File) error {
	from := strings.Join(o.Input.Names, ", ")
	if o.Decode.Filter != "" {
		from += " with -Y " + o.Decode.Filter
	}
	if o.Decode.Once {
		from += " with --once"
	}
	text := rec.Text(from)
	if text == "" {
		return errors.New("there is nothing to record: record leaves out messages that come at any time, unless -Y or " +
			"--all is given")
	}
	return to.WriteAll([]byte(text))
}
