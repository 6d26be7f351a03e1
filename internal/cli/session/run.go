package session

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// A Sink takes what a run finds, in order. What it is given is valid during the call.
type Sink interface {
	Message(*decode.Message)
	Finding(*wire.TrafficFinding)
}

// What a sink may take besides. A run asks each of its sinks which of these it is.
type (
	// A ValueSink takes what trackers measure.
	ValueSink interface{ Value(*wire.Value) }

	// An eventSink takes what trackers say has happened, see wire.Value.Event.
	eventSink interface{ Event(*wire.Value) }

	// A packetSink sees each packet before what is found in it.
	packetSink interface{ Packet(*capture.Packet) }

	// A packetWriter sees each packet after what was found in it. Its error ends the run.
	packetWriter interface {
		WritePacket(*capture.Packet) error
	}

	// A rawSink takes the bytes that one side of a conversation sends, in order.
	rawSink interface {
		Raw(wire.Place, wire.Direction, []byte)
	}

	// A fullSink reports whether it can take no more. Then the run ends. It may be asked in another goroutine.
	fullSink interface{ Full() bool }

	// An endSink is told when nothing more comes.
	endSink interface {
		End(decode.Counters) error
	}

	// A textSink writes text. It says where, and whether it may be given what is shown later than other sinks.
	TextSink interface {
		Sink
		Text() (out *term.Output, later bool)
	}
)

// A Source is where the packets of a run come from.
type Source interface {
	// Next gives a packet. io.EOF ends them; capture.ErrQuiet says that there is none for a moment.
	Next(*capture.Packet) error

	// Tick is called after each packet, and when there is none for a moment.
	Tick(quiet bool)

	// Halt has an endless source end with the packets that wait already. It reports false where none do.
	Halt() bool

	// Done is called when no more packets are asked for, before anybody shows what they were.
	Done()

	// Endless reports whether packets come until somebody interrupts.
	Endless() bool
}

// A Run reads packets, has an engine find messages in them, and gives its sinks what is found and shown.
type Run struct {
	Engine    *decode.Engine
	Options   decode.Options // of the engine
	Selection Selection
	Clock     *Clock
	Count     int64                      // packets to take; 0: all
	Wanted    func(*capture.Packet) bool // which packets count; nil: every one
	Until     Autostop

	// Forgotten is told what had to be forgotten for want of memory, if anything had; nil: a sink tells. Its error is one
	// of the run.
	Forgotten func([]bounded.Forgotten) error

	Sinks   []Sink
	Values  []ValueSink
	events  []eventSink
	packets []packetSink
	writers []packetWriter
	fulls   []fullSink
	ends    []endSink
	text    TextSink // nil: no sink writes text
	writer  writer   // has the text written

	frame    decode.Frame
	timeless timeless
}

// NewRun makes a run that shows what a Selection lets through.
func NewRun(o decode.Options, g Selection) *Run {
	return &Run{Options: o, Selection: g, Clock: new(Clock)}
}

// Add adds a sink.
func (r *Run) Add(s Sink) {
	if t, ok := s.(TextSink); ok {
		r.text = t
	} else {
		r.Sinks = append(r.Sinks, s)
	}
	if v, ok := s.(ValueSink); ok {
		r.Values = append(r.Values, v)
	}
	if e, ok := s.(eventSink); ok {
		r.events = append(r.events, e)
	}
	if p, ok := s.(packetSink); ok {
		r.packets = append(r.packets, p)
	}
	if p, ok := s.(packetWriter); ok {
		r.writers = append(r.writers, p)
	}
	if f, ok := s.(fullSink); ok {
		r.fulls = append(r.fulls, f)
	}
	if e, ok := s.(endSink); ok {
		r.ends = append(r.ends, e)
	}
	if raw, ok := s.(rawSink); ok {
		r.Options.Raw = raw.Raw
	}
}

// Over runs over the packets of a source. What could be read of one that is broken counts.
func (r *Run) Over(from Source, stop *Interrupt) error {
	r.connect(from)
	p := &pump{from: from, stop: stop, count: r.Count, wanted: r.Wanted}
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
	return errors.Join(err, r.End())
}

// InterruptedError is the number of packets after which somebody interrupted the run.
type InterruptedError int64

// Error implements error.
func (e InterruptedError) Error() string { return e.After() + "; what is shown is of those" }

func (e InterruptedError) After() string {
	return "interrupted after " + term.Counted(int64(e), "packet")
}

// End tells the sinks that nothing more comes. What they write has the room of what the engine remembered.
func (r *Run) End() error {
	c := r.Counters()
	r.Engine = nil
	r.Selection.Display.end()
	makeRoom()
	trouble := unreadLinks(c)
	for _, s := range r.ends {
		trouble = errors.Join(trouble, s.End(c))
	}
	if len(c.Forgotten) > 0 && r.Forgotten != nil {
		trouble = errors.Join(trouble, r.Forgotten(c.Forgotten))
	}
	return trouble
}

// Counters are all that the engine counts.
func (r *Run) Counters() decode.Counters {
	c := r.Engine.Counters()
	c.Others = r.Engine.Others()
	return c
}

// connect makes the engine and what stands between it and the sinks.
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

// parallel reports whether what is done with a packet is spread over several goroutines: where there are
// processors for them, and nobody who waits for every packet or has to see it together with its messages.
func (r *Run) parallel(from Source) bool {
	if from.Endless() || len(r.packets)+len(r.writers) > 0 || r.Options.Raw != nil {
		return false
	}
	if r.text != nil {
		if out, _ := r.text.Text(); out.Eager {
			return false
		}
	}
	return runtime.GOMAXPROCS(0) > 1
}

// take has a packet dissected.
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

// giveMessage gives the sinks a message that is shown, with those of its findings that are.
func (r *Run) giveMessage(m *decode.Message) {
	m.Findings = r.Selection.Rules.visible(m.Findings)
	shown := r.Selection.message(m)
	r.Selection.Display.release(m, shown, r.giveValue)
	if !shown || r.Selection.copy(m, r.giveNews) {
		return
	}
	r.Selection.Rules.note(m.Findings)
	for _, s := range r.Sinks {
		s.Message(m)
	}
	r.Engine.Emit(m)
}

// giveFinding gives the sinks a finding that is shown.
func (r *Run) giveFinding(f *wire.TrafficFinding) {
	if r.Selection.finding(f) {
		r.showFinding(f)
	}
}

// giveNews gives the sinks a finding about a copy that is not shown itself.
func (r *Run) giveNews(f *wire.TrafficFinding) {
	r.Selection.Display.finding(f) // for sinks that look at the subject
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

// FrameOf gives a packet as engines take it.
func FrameOf(p *capture.Packet) decode.Frame {
	return decode.Frame{
		Data: p.Data, Length: p.Length, Time: p.Time, Link: uint16(p.LinkType), Number: p.Number, File: p.File,
	}
}

// timeless counts packets with a time that cannot be told.
type timeless struct {
	count int64
	first wire.Place
}

func (t *timeless) note(p *capture.Packet) {
	if p.Time != math.MaxInt64 && p.Time != math.MinInt64 {
		return
	}
	if t.count++; t.count == 1 {
		t.first = wire.Place{File: p.File, Frame: p.Number}
	}
}

// trouble is an error if there were such packets.
func (t *timeless) trouble() error {
	if t.count == 0 {
		return nil
	}
	return fmt.Errorf("%s: %s from packet %d on with a time more than 292 years from 1970, as after a wrong shift;"+
		" they pass for simultaneous", t.first.File, term.Counted(t.count, "packet"), t.first.Frame)
}

// unreadLinks is an error if there were packets that nothing is known of.
func unreadLinks(c decode.Counters) error {
	var unread []error
	for _, l := range c.UnknownLinks {
		name := capture.LinkType(l.Type).String()
		if number := fmt.Sprintf("link type %d", l.Type); name != number {
			name = number + " (" + name + ")"
		}
		unread = append(unread, fmt.Errorf("%s: %s from packet %d on not read: %s; Ethernet, Wi-Fi, Linux cooked, PPP, "+
			"MPLS, loopback and raw IP are", l.File, term.Counted(l.Packets, "packet"), l.First, name))
	}
	if c.FurtherLinks > 0 {
		unread = append(unread, fmt.Errorf("%s of further link types not read", term.Counted(c.FurtherLinks, "packet")))
	}
	return errors.Join(unread...)
}

// reportCut makes findings of files that end inside a record.
func reportCut(err error, find func(*wire.TrafficFinding)) {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range several.Unwrap() {
			reportCut(one, find)
		}
		return
	}
	if bad, ok := errors.AsType[*capture.Error](err); ok && bad.Truncated {
		find(&wire.TrafficFinding{
			Place: wire.Place{Frame: bad.Packet, File: bad.File, Time: bad.Time},
			Rule:  decode.RuleFileCut, Text: bad.Reason,
		})
	}
}

// Nothing is a sink that takes no interest in what is found.
type Nothing struct{}

func (Nothing) Message(*decode.Message) {}

func (Nothing) Finding(*wire.TrafficFinding) {}
