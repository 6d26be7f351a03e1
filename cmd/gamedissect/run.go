package main

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
)

// A sink takes what a run finds, in order. What it is given is valid during the call.
type sink interface {
	message(*decode.Message)
	finding(*wire.TrafficFinding)
}

// What a sink may take besides. A run asks each of its sinks which of these it is.
type (
	// A valueSink takes what trackers measure.
	valueSink interface{ value(*wire.Value) }

	// An eventSink takes what trackers say has happened, see wire.Value.Event.
	eventSink interface{ event(*wire.Value) }

	// A packetSink sees each packet before what is found in it.
	packetSink interface{ packet(*capture.Packet) }

	// A packetWriter sees each packet after what was found in it. Its error ends the run.
	packetWriter interface {
		writePacket(*capture.Packet) error
	}

	// A rawSink takes the bytes that one side of a conversation sends, in order.
	rawSink interface {
		raw(wire.Place, wire.Direction, []byte)
	}

	// A fullSink reports whether it can take no more. Then the run ends. It may be asked in another goroutine.
	fullSink interface{ full() bool }

	// An endSink is told when nothing more comes.
	endSink interface {
		end(decode.Counters) error
	}

	// A textSink writes text. It says where, and whether it may be given what is shown later than other sinks.
	textSink interface {
		sink
		text() (out *output, later bool)
	}
)

// A source is where the packets of a run come from.
type source interface {
	// Next gives a packet. io.EOF ends them; capture.ErrQuiet says that there is none for a moment.
	Next(*capture.Packet) error

	// tick is called after each packet, and when there is none for a moment.
	tick(quiet bool)

	// halt has an endless source end with the packets that wait already. It reports false where none do.
	halt() bool

	// done is called when no more packets are asked for, before anybody shows what they were.
	done()

	// endless reports whether packets come until somebody interrupts.
	endless() bool
}

// A run reads packets, has an engine find messages in them, and gives its sinks what is found and shown.
type run struct {
	engine  *decode.Engine
	options decode.Options // of the engine
	gate    gate
	clock   *clock
	count   int64                      // packets to take; 0: all
	wanted  func(*capture.Packet) bool // which packets count; nil: every one
	until   autostop

	// forgotten is told what had to be forgotten for want of memory, if anything had; nil: a sink tells. Its error is one
	// of the run.
	forgotten func([]bounded.Forgotten) error

	sinks   []sink
	values  []valueSink
	events  []eventSink
	packets []packetSink
	writers []packetWriter
	fulls   []fullSink
	ends    []endSink
	text    textSink // nil: no sink writes text
	writer  writer   // has the text written

	frame    decode.Frame
	timeless timeless
}

// newRun makes a run that shows what a gate lets through.
func newRun(o decode.Options, g gate) *run {
	return &run{options: o, gate: g, clock: new(clock)}
}

// add adds a sink.
func (r *run) add(s sink) {
	if t, ok := s.(textSink); ok {
		r.text = t
	} else {
		r.sinks = append(r.sinks, s)
	}
	if v, ok := s.(valueSink); ok {
		r.values = append(r.values, v)
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
		r.options.Raw = raw.raw
	}
}

// over runs over the packets of a source. What could be read of one that is broken counts.
func (r *run) over(from source, stop *interrupt) error {
	r.connect(from)
	p := &pump{from: from, stop: stop, count: r.count, wanted: r.wanted}
	p.failed = func(err error) { reportCut(err, r.engine.Find) }
	trouble, err := p.each(func(packet *capture.Packet) error {
		if packet != nil {
			if err := r.take(packet); err != nil {
				return err
			}
		}
		from.tick(packet == nil)
		full := r.until.full() || slices.ContainsFunc(r.fulls, fullSink.full)
		if !r.writer.packet() || full || r.until.late() && !from.halt() {
			return errEnough
		}
		return nil
	})
	err = errors.Join(trouble, err, r.timeless.trouble())
	c := r.engine.Counters()
	if stop.flag.Load() && !from.endless() {
		err = errors.Join(err, interruptedError(c.Packets))
	}
	r.engine.Close()
	from.done()
	r.gate.display.release(nil, false, r.giveValue)
	return errors.Join(err, r.end())
}

// interruptedError is the number of packets after which somebody interrupted the run.
type interruptedError int64

// Error implements error.
func (e interruptedError) Error() string { return e.after() + "; what is shown is of those" }

func (e interruptedError) after() string { return "interrupted after " + counted(int64(e), "packet") }

// end tells the sinks that nothing more comes. What they write has the room of what the engine remembered.
func (r *run) end() error {
	c := r.counters()
	r.engine = nil
	r.gate.display.end()
	makeRoom()
	trouble := unreadLinks(c)
	for _, s := range r.ends {
		trouble = errors.Join(trouble, s.end(c))
	}
	if len(c.Forgotten) > 0 && r.forgotten != nil {
		trouble = errors.Join(trouble, r.forgotten(c.Forgotten))
	}
	return trouble
}

// counters are all that the engine counts.
func (r *run) counters() decode.Counters {
	c := r.engine.Counters()
	c.Others = r.engine.Others()
	return c
}

// connect makes the engine and what stands between it and the sinks.
func (r *run) connect(from source) {
	r.options.Parallel = r.parallel(from)
	if r.text != nil {
		out, later := r.text.text()
		r.writer.to, r.writer.out, r.writer.apart = r.text, out, r.options.Parallel
		if later {
			r.options.Write, r.options.WriteFinding = r.writer.message, r.writer.finding
		} else {
			r.sinks = append(r.sinks, &r.writer)
		}
	}
	r.options.Told = r.gate.single || r.gate.display.asksCopies()
	r.options.Message, r.options.Finding = r.giveMessage, r.giveFinding
	if give := r.giveValue; len(r.values)+len(r.events) > 0 || r.gate.display.asksValues() {
		r.options.Value = func(v *wire.Value) { r.gate.display.value(v, give) } // trackers measure less without
	}
	r.engine = decode.New(r.options)
	if r.gate.single {
		r.gate.once = r.engine.Deduplicator()
	}
	r.gate.display.begin(r.engine)
}

// parallel reports whether what is done with a packet is spread over several goroutines: where there are
// processors for them, and nobody who waits for every packet or has to see it together with its messages.
func (r *run) parallel(from source) bool {
	if from.endless() || len(r.packets)+len(r.writers) > 0 || r.options.Raw != nil {
		return false
	}
	if r.text != nil {
		if out, _ := r.text.text(); out.eager {
			return false
		}
	}
	return runtime.GOMAXPROCS(0) > 1
}

// take has a packet dissected.
func (r *run) take(p *capture.Packet) error {
	r.timeless.note(p)
	r.clock.start(p.Time)
	r.gate.display.packet(p.Time)
	for _, s := range r.packets {
		s.packet(p)
	}
	r.frame = frameOf(p)
	r.engine.Frame(&r.frame)
	r.until.packet(p.Time)
	for _, w := range r.writers {
		if err := w.writePacket(p); err != nil {
			return err
		}
	}
	return nil
}

// giveMessage gives the sinks a message that is shown, with those of its findings that are.
func (r *run) giveMessage(m *decode.Message) {
	m.Findings = r.gate.selection.visible(m.Findings)
	shown := r.gate.message(m)
	r.gate.display.release(m, shown, r.giveValue)
	if !shown || r.gate.copy(m, r.giveNews) {
		return
	}
	r.gate.selection.note(m.Findings)
	for _, s := range r.sinks {
		s.message(m)
	}
	r.engine.Emit(m)
}

// giveFinding gives the sinks a finding that is shown.
func (r *run) giveFinding(f *wire.TrafficFinding) {
	if r.gate.finding(f) {
		r.showFinding(f)
	}
}

// giveNews gives the sinks a finding about a copy that is not shown itself.
func (r *run) giveNews(f *wire.TrafficFinding) {
	r.gate.display.finding(f) // for sinks that look at the subject
	r.showFinding(f)
}

func (r *run) showFinding(f *wire.TrafficFinding) {
	r.gate.selection.noteRule(f.Rule)
	for _, s := range r.sinks {
		s.finding(f)
	}
	if r.engine != nil {
		r.engine.EmitFinding(f)
	}
}

func (r *run) giveValue(v *wire.Value) {
	if v.Event {
		for _, s := range r.events {
			s.event(v)
		}
		return
	}
	for _, s := range r.values {
		s.value(v)
	}
}

// frameOf gives a packet as engines take it.
func frameOf(p *capture.Packet) decode.Frame {
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
		" they pass for simultaneous", t.first.File, counted(t.count, "packet"), t.first.Frame)
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
			"MPLS, loopback and raw IP are", l.File, counted(l.Packets, "packet"), l.First, name))
	}
	if c.FurtherLinks > 0 {
		unread = append(unread, fmt.Errorf("%s of further link types not read", counted(c.FurtherLinks, "packet")))
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
