package session

import (
	"errors"
	"runtime"
	"slices"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/internal/report"
)

// A Source has the packets of a run.
type Source interface {
	// Next reads a packet. It returns io.EOF after the last one, and capture.ErrQuiet if there is none at the moment.
	Next(*capture.Packet) error

	// Tick is called after each packet, and with quiet when there is none at the moment.
	Tick(quiet bool)

	// Halt ends an endless source after the packets that wait already. It reports whether there are such packets.
	Halt() bool

	// Done is called after the last Next, before sinks write their results.
	Done()

	// Endless reports whether packets come until the user interrupts.
	Endless() bool
}

// A Run reads packets, runs an engine over them, and gives its sinks the messages and findings that are selected.
type Run struct {
	Engine    *decode.Engine
	Options   decode.Options // of the engine
	Selection Selection
	Clock     *Clock
	Count     int64                      // packets to take; 0: all
	Wanted    func(*capture.Packet) bool // which packets count; nil: every one
	Until     Autostop

	// Forgotten, unless it is nil, is called at the end if the engine forgot something for want of memory. The error of
	// the run includes its error.
	Forgotten func([]bounded.Forgotten) error

	Sinks   []Sink
	Values  []ValueSink
	events  []eventSink
	packets []packetSink
	writers []packetWriter
	fulls   []fullSink
	ends    []endSink
	text    TextSink // nil: no sink writes text
	writer  writer   // calls text

	frame    decode.Frame
	timeless timeless
}

// NewRun returns a run with an engine of the options o.
func NewRun(o decode.Options, s Selection) *Run {
	return &Run{Options: o, Selection: s, Clock: new(Clock)}
}

// Add adds a sink, also as each of the further interfaces that it implements.
func (r *Run) Add(s Sink) {
	if t, ok := s.(TextSink); ok {
		r.text = t
	} else {
		r.Sinks = append(r.Sinks, s)
	}
	addIf(&r.Values, s)
	addIf(&r.events, s)
	addIf(&r.packets, s)
	addIf(&r.writers, s)
	addIf(&r.fulls, s)
	addIf(&r.ends, s)
	if raw, ok := s.(rawSink); ok {
		r.Options.Raw = raw.Raw
	}
}

// addIf adds a sink to the list of those that implement T.
func addIf[T any](list *[]T, s Sink) {
	if t, ok := s.(T); ok {
		*list = append(*list, t)
	}
}

// Over runs over the packets of a source and ends the run. Its error joins those of the source, after which it goes on.
func (r *Run) Over(from Source, stop *Interrupt) error {
	r.connect(from)
	p := &packetLoop{from: from, stop: stop, count: r.Count, wanted: r.Wanted}
	p.failed = func(err error) { reportCut(err, r.Engine.Find) }
	trouble, err := p.each(func(packet *capture.Packet) error {
		if packet != nil {
			if err := r.take(packet); err != nil {
				return err
			}
		}
		from.Tick(packet == nil)
		full := r.Until.Full() || slices.ContainsFunc(r.fulls, fullSink.Full)
		if !r.writer.packet() || full || r.Until.late() && !from.Halt() {
			return errEnough
		}
		return nil
	})
	err = errors.Join(trouble, err, r.timeless.trouble())
	c := r.Engine.Counters()
	if stop.Flag.Load() && !from.Endless() {
		err = errors.Join(err, InterruptedError(c.Packets))
	}
	r.Engine.Close()
	from.Done()
	r.Selection.Display.release(nil, false, r.giveValue)
	return errors.Join(err, r.end())
}

// InterruptedError is the error of a run that the user interrupted, after so many packets.
type InterruptedError int64

func (e InterruptedError) Error() string { return e.After() + "; what is shown is of those" }

// After returns the error without what follows from it.
func (e InterruptedError) After() string {
	return "interrupted after " + report.Plural(int64(e), "packet")
}

// end calls the sinks' End. It frees the engine first, so that sinks can use its memory.
func (r *Run) end() error {
	c := r.Counters()
	r.Engine = nil
	r.Selection.Display.end()
	makeRoom()
	trouble := UnreadLinks(c)
	for _, s := range r.ends {
		trouble = errors.Join(trouble, s.End(c))
	}
	if len(c.Forgotten) > 0 && r.Forgotten != nil {
		trouble = errors.Join(trouble, r.Forgotten(c.Forgotten))
	}
	return trouble
}

// Counters returns what the engine has counted so far.
func (r *Run) Counters() decode.Counters {
	c := r.Engine.Counters()
	c.Others = r.Engine.Others()
	return c
}

// connect makes the engine and connects it to the sinks.
func (r *Run) connect(from Source) {
	r.Options.Parallel = r.parallel(from)
	if r.text != nil {
		out, later := r.text.Text()
		r.writer.to, r.writer.out, r.writer.apart = r.text, out, r.Options.Parallel
		if later {
			r.Options.Write, r.Options.WriteFinding = r.writer.Message, r.writer.Finding
		} else {
			r.Sinks = append(r.Sinks, &r.writer)
		}
	}
	r.Options.Told = r.Selection.single || r.Selection.Display.asksCopies()
	r.Options.Message, r.Options.Finding = r.giveMessage, r.giveFinding
	if give := r.giveValue; len(r.Values)+len(r.events) > 0 || r.Selection.Display.asksValues() {
		r.Options.Value = func(v *wire.Value) { r.Selection.Display.value(v, give) } // trackers measure less without
	}
	r.Engine = decode.New(r.Options)
	if r.Selection.single {
		r.Selection.once = r.Engine.Deduplicator()
	}
	r.Selection.Display.begin(r.Engine)
}

// parallel reports whether the engine works in several goroutines. It does if there are processors for them and text to
// write, unless the text must follow each packet or a sink needs a packet together with its messages. Without text the
// hand-over costs more than it saves.
func (r *Run) parallel(from Source) bool {
	if from.Endless() || len(r.packets)+len(r.writers) > 0 || r.Options.Raw != nil || r.text == nil {
		return false
	}
	out, _ := r.text.Text()
	return !out.Eager && runtime.GOMAXPROCS(0) > 1
}

// take gives a packet to the engine and to the sinks that take packets.
func (r *Run) take(p *capture.Packet) error {
	r.timeless.note(p)
	r.Clock.Start(p.Time)
	r.Selection.Display.packet(p.Time)
	for _, s := range r.packets {
		s.Packet(p)
	}
	r.frame = FrameOf(p)
	r.Engine.Frame(&r.frame)
	r.Until.packet(p.Time)
	for _, w := range r.writers {
		if err := w.WritePacket(p); err != nil {
			return err
		}
	}
	return nil
}

// giveMessage gives a message to the sinks if it is selected, with the findings that are.
func (r *Run) giveMessage(m *decode.Message) {
	m.Findings = r.Selection.Rules.visible(m.Findings)
	shown := r.Selection.message(m)
	r.Selection.Display.release(m, shown, r.giveValue)
	if !shown || r.Selection.copy(m, r.giveCopyFinding) {
		return
	}
	r.Selection.Rules.note(m.Findings)
	for _, s := range r.Sinks {
		s.Message(m)
	}
	r.Engine.Emit(m)
}

// giveFinding gives a finding to the sinks if it is selected.
func (r *Run) giveFinding(f *wire.TrafficFinding) {
	if r.Selection.finding(f) {
		r.showFinding(f)
	}
}

// giveCopyFinding gives the sinks a finding of a copy that is left out.
func (r *Run) giveCopyFinding(f *wire.TrafficFinding) {
	r.Selection.Display.finding(f) // sets the subject for sinks
	r.showFinding(f)
}

func (r *Run) showFinding(f *wire.TrafficFinding) {
	r.Selection.Rules.noteRule(f.Rule)
	for _, s := range r.Sinks {
		s.Finding(f)
	}
	if r.Engine != nil {
		r.Engine.EmitFinding(f)
	}
}

func (r *Run) giveValue(v *wire.Value) {
	if v.Event {
		for _, s := range r.events {
			s.Event(v)
		}
		return
	}
	for _, s := range r.Values {
		s.Value(v)
	}
}

// FrameOf returns a packet as an engine takes it.
func FrameOf(p *capture.Packet) decode.Frame {
	return decode.Frame{
		Data: p.Data, Length: p.Length, Time: p.Time, Link: uint16(p.LinkType), Number: p.Number, File: p.File,
	}
}
