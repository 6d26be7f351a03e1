// Package session runs the engine over packets from files or from a live capture, and passes the selected results to
// sinks. It has the options for input, packets, reading, selection and memory.
package session

import (
	"errors"
	"runtime"
	"slices"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/internal/report"
)

// A Run reads packets, runs an engine over them, and passes selected messages and findings to its sinks.
type Run struct {
	Engine    *decode.Engine
	Options   decode.Options // options of the engine
	Selection Selection
	Clock     *Clock
	Count     int64 // packets to take; 0: all
	Until     Autostop
	Others    Others // packets of no game that are shown; nil: none

	// Forgotten, if not nil, is called at the end if the engine dropped state because memory ran out. Its error becomes
	// part of the run's error.
	Forgotten func([]bounded.Forgotten) error

	delivery delivery // passes results to the sinks
	writer   writer   // calls the sink that has Text
	frame    decode.Frame
	timeless timeless
	taken    int64 // number of packets
}

// NewRun returns a run whose engine has the options o.
func NewRun(o decode.Options, s Selection) *Run {
	return &Run{Options: o, Selection: s, Clock: new(Clock)}
}

// Add adds a sink.
func (r *Run) Add(s Sink) {
	if s.Raw != nil {
		r.Options.Raw = s.Raw
	}
	if s.Text != nil {
		r.writer.to, r.writer.out = s, s.Text
		if s.Later {
			r.Options.Text, s.Message, s.Finding = &r.writer, nil, nil
		} else {
			s.Message, s.Finding = r.writer.Message, r.writer.Finding
		}
	}
	r.delivery.sinks = append(r.delivery.sinks, s)
}

// Over reads all packets of a source and ends the run. Its error includes all errors of the source, since the source
// can continue after an error.
func (r *Run) Over(from Source, stop *Interrupt) error {
	if r.Others == nil && r.Selection.Subjects.ReadsOthers() {
		return errNoOthers
	}
	r.connect(from)
	p := &packetLoop{from: from, stop: stop, count: r.Count, wanted: r.Selection.Packets}
	p.failed = func(err error) { reportCut(err, r.Engine.Find) }
	trouble, err := p.each(func(packet *capture.Packet) error {
		if packet != nil {
			if err := r.take(packet); err != nil {
				return err
			}
		}
		from.Tick(packet == nil)
		full := r.Until.Full() || r.delivery.packets && r.delivery.full()
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
	r.delivery.waiting.release(nil, false)
	return errors.Join(err, r.end())
}

// InterruptedError is the error of a run that the user interrupted. Its value is the number of packets read.
type InterruptedError int64

func (e InterruptedError) Error() string { return e.After() + "; the output covers only these" }

// After returns only the first part of the error's text.
func (e InterruptedError) After() string {
	return "interrupted after " + report.Plural(int64(e), "packet")
}

// end calls the End functions of the sinks. It frees the engine first, so the sinks can use the engine's memory.
func (r *Run) end() error {
	c := r.Counters()
	r.Engine = nil
	r.Selection.end()
	makeRoom()
	trouble := UnreadLinks(c)
	for i := range r.delivery.sinks {
		if end := r.delivery.sinks[i].End; end != nil {
			trouble = errors.Join(trouble, end(c))
		}
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

func (r *Run) connect(from Source) {
	r.Options.Parallel = r.parallel(from)
	r.writer.apart, r.writer.single = r.Options.Parallel, r.Selection.single
	r.Options.Told = r.Selection.single || r.Selection.Subjects.reads("copy")
	r.Options.Sink = r.delivery.begin(&r.Selection)
	if r.Selection.Subjects.reads("response_time") || slices.ContainsFunc(r.delivery.sinks, Sink.measures) {
		r.Options.Value = r.delivery.value // without a function, trackers measure less
	}
	if slices.ContainsFunc(r.delivery.sinks, Sink.follows) {
		r.Options.Attempt = r.delivery.attempt
	}
	r.Engine = decode.New(r.Options)
	r.Selection.begin(r.Engine)
}

// parallel reports whether the engine works in several goroutines. It works in one goroutine if the text must be
// written after each packet, if a sink needs a packet together with its messages, or if there is no text to write. In
// the last case, passing messages to another goroutine would cost more than it saves.
func (r *Run) parallel(from Source) bool {
	if r.writer.out == nil || r.writer.out.Eager || from.Endless() || r.Others != nil {
		return false
	}
	byPacket := r.Selection.Subjects.byPacket() || slices.ContainsFunc(r.delivery.sinks, Sink.byPacket)
	return !byPacket && runtime.GOMAXPROCS(0) > 1
}

// take passes a packet to the engine and to the sinks that take packets.
func (r *Run) take(p *capture.Packet) error {
	r.timeless.note(p)
	r.Clock.Start(p.Time)
	r.frame = FrameOf(p)
	r.Selection.Subjects.packet(&r.frame)
	if r.delivery.packets {
		r.delivery.packet(p)
	}
	r.Engine.Frame(&r.frame)
	if r.taken++; r.Others.has(r.taken) {
		r.passOther(&r.frame)
	}
	r.Until.packet(p.Time)
	if r.delivery.packets {
		return r.delivery.writePacket(p)
	}
	return nil
}

// FrameOf converts a packet to the engine's frame.
func FrameOf(p *capture.Packet) decode.Frame {
	return decode.Frame{
		Data: p.Data, Length: p.Length, Time: p.Time, Link: uint16(p.LinkType), Number: p.Number, File: p.File,
	}
}
