package view

import (
	"errors"
	"io"
	"time"
	"unsafe"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// A reader reads packets, and adds what the engine finds in them to rows, values, counts and worlds.
type reader struct {
	rows   *rows
	values *values
	counts *counts
	worlds *worlds

	opened   []*capture.File
	from     capture.Source // all files merged
	engine   *decode.Engine // engine, once and carriers are nil after the whole capture has been read
	once     *decode.Deduplicator
	carriers carriers
	frame    decode.Frame
	at       int64 // offset of the current frame in the files; -1 if the file is compressed

	read      int64 // bytes read so far, from all files
	done      bool
	trouble   error               // why reading ended early
	forgotten []bounded.Forgotten // what the engine dropped for lack of memory
}

const packetsAtOnce = 64 // packets between two readings of the clock

func (r *reader) step(bytes int64, d time.Duration) (more bool) {
	var p capture.Packet
	until := time.Now().Add(d)
	for n := 1; !r.done; n++ {
		if err := r.from.Next(&p); err != nil {
			r.finish(err)
			break
		}
		r.packet(&p)
		bytes -= int64(len(p.Data))
		if n%packetsAtOnce == 0 && (bytes <= 0 || time.Now().After(until)) {
			break
		}
	}
	r.read = max(r.read, r.offset())
	if !r.done {
		r.counts.counters, r.forgotten = r.engine.Counters(), r.engine.Forgotten()
	}
	return !r.done
}

// offset returns the number of bytes read so far, from all files.
func (r *reader) offset() (n int64) {
	for _, f := range r.opened {
		n += f.Offset()
	}
	return n
}

func (r *reader) packet(p *capture.Packet) {
	x := r.rows
	x.packet(p.Time)
	r.frame = *frameOf(p, int(x.packets))
	file := x.files.at(p.File)
	x.files.counts[file].Packets++
	x.files.counts[file].Add(p.Time)
	if r.at = -1; p.Offset > 0 {
		r.at = x.files.from[file] + p.Offset
	}
	r.values.packet(x.seconds(p.Time), p.Length)
	r.engine.Frame(&r.frame)
}

// finish ends reading because of err.
func (r *reader) finish(err error) {
	if err != nil && err != io.EOF {
		r.trouble = err
		r.findCuts(err)
	}
	r.read, r.done = r.offset(), true
	r.frame = decode.Frame{}
	r.engine.Close()
	c := r.engine.Counters()
	c.Others = r.engine.Others()
	r.counts.stats.Count(c)
	c.Others = nil // stats has already counted them
	r.counts.counters, r.counts.whole = c, true
	_ = r.from.Close() // close errors do not matter for input
	r.forgotten = r.engine.Forgotten()
	r.engine, r.once, r.carriers = nil, nil, carriers{} // free their memory
}

// joined combines the errors of several files.
type joined interface {
	error
	Unwrap() []error
}

func (r *reader) findCuts(err error) {
	all := []error{err}
	if several, ok := errors.AsType[joined](err); ok {
		all = several.Unwrap()
	}
	for _, err := range all {
		bad, ok := errors.AsType[*capture.Error](err)
		if !ok || !bad.Truncated {
			continue
		}
		at := wire.Place{Frame: bad.Packet, File: bad.File, Time: bad.Time, Conversation: decode.NoConversation}
		if len(r.rows.files.all) > 1 {
			at.Frame = 0 // the frame number in the error would count the packets of one file only
		}
		r.engine.Find(&wire.TrafficFinding{Place: at, Rule: decode.RuleFileCut, Text: bad.Reason})
	}
}

// offsetIn returns the offset of part in whole, or -1 if part is not a slice of whole.
func offsetIn(whole, part []byte) int {
	d := uintptr(unsafe.Pointer(unsafe.SliceData(part))) - uintptr(unsafe.Pointer(unsafe.SliceData(whole)))
	if len(part) > len(whole) || d > uintptr(len(whole)-len(part)) {
		return -1
	}
	return int(d)
}

func (r *reader) message(m *decode.Message) {
	r.once.Copy(m)
	r.counts.stats.Message(m)
	r.rows.files.message(m)
	x, core := &r.rows.index, m.Layer.Core()
	if x.full() {
		r.values.settle(m, -1)
		return
	}
	data := core.Decoded()
	one := row{time: m.Time, frame: uint32(m.Frame), size: uint32(len(data)), kind: x.kindFor(m.Protocol, m.Layer)}
	kind := &x.kinds[one.kind]
	if kind.count++; kind.isHolder {
		r.worlds.message(m.Layer)
	}
	off := offsetIn(r.frame.Data, data)
	if r.at >= 0 && off >= 0 {
		one.at = r.at + int64(off)
	} else {
		at, cost := x.copies.add(data)
		x.used += cost
		one.at = ^at
	}
	one.context = x.contextOf(&m.Place, &core.Context, x.keep(m.Layer, m.Lane), r.rows.files.at(m.File))
	if m.Copy {
		one.flags |= isCopy
	}
	if m.Repeated {
		one.flags |= isRepeated
	}
	if len(m.Findings) > 0 {
		one.flags |= hasFindings
		one.worst = x.addFindings(m.Findings...)
	}
	if seconds, ok := r.values.settle(m, x.count); ok {
		one.flags |= hasAnswer
		x.used += x.answers.add(x.count, seconds)
	}
	r.carriers.message(x, m, x.add(one), off >= 0)
}

// packetInfo handles the engine's report about a packet. The engine calls it after it has reported the packet's
// messages.
func (r *reader) packetInfo(p *decode.PacketInfo) {
	r.carriers.packet(&r.rows.index, uint32(r.frame.Number), p)
}

// finding handles a finding that does not belong to a message.
func (r *reader) finding(f *wire.TrafficFinding) {
	r.counts.stats.Finding(f)
	r.rows.files.counts[r.rows.files.at(f.File)].Found(f.Rule)
	x := &r.rows.index
	if x.full() {
		return
	}
	one := row{time: f.Time, frame: uint32(f.Frame), flags: isFinding | hasFindings}
	one.context = x.contextOf(&f.Place, nil, 0, r.rows.files.at(f.File))
	one.worst = x.addFindings(wire.Finding{Rule: f.Rule, Text: f.Text})
	x.add(one)
}

func (r *reader) value(x *wire.Value) {
	if !x.Event {
		r.counts.stats.Value(x)
	}
	r.values.value(x, r.rows.len())
}
