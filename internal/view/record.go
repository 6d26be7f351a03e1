package view

import (
	"unsafe"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// offsetIn gives where a part stands in a whole, -1 if it is no part of it.
func offsetIn(whole, part []byte) int {
	d := uintptr(unsafe.Pointer(unsafe.SliceData(part))) - uintptr(unsafe.Pointer(unsafe.SliceData(whole)))
	if len(part) > len(whole) || d > uintptr(len(whole)-len(part)) {
		return -1
	}
	return int(d)
}

// message takes the next message.
func (v *View) message(m *decode.Message) {
	v.once.Copy(m)
	v.stats.Message(m)
	v.files.message(m)
	x, core := &v.index, m.Layer.Core()
	if x.full() {
		v.noted.settle(m, -1)
		return
	}
	v.noteWorld(m.Layer)
	data := core.Decoded()
	r := row{time: m.Time, frame: uint32(m.Frame), size: uint32(len(data)), kind: x.kindFor(m.Protocol, core.Message)}
	x.kinds[r.kind].count++
	off := offsetIn(v.frame.Data, data)
	if v.at >= 0 && off >= 0 {
		r.at = v.at + int64(off)
	} else {
		at, cost := x.copies.add(data)
		x.held += cost
		r.at = ^at
	}
	r.around = x.aroundOf(&m.Place, &core.Context, x.keep(m.Layer), v.files.at(m.File))
	if m.Copy {
		r.flags |= isCopy
	}
	if len(m.Findings) > 0 {
		r.flags |= hasFindings
		r.worst = x.addFindings(m.Findings...)
	}
	if seconds, ok := v.noted.settle(m, x.count); ok {
		r.flags |= hasAnswer
		x.held += x.answers.add(x.count, seconds)
	}
	v.carriers.message(x, m, x.add(r), off >= 0)
}

// packetInfo takes what the packet at hand carried, behind its messages.
func (v *View) packetInfo(p *decode.PacketInfo) {
	v.carriers.packet(&v.index, uint32(v.frame.Number), p)
}

// finding takes the next finding that no message carries.
func (v *View) finding(f *wire.TrafficFinding) {
	v.stats.Finding(f)
	v.files.counts[v.files.at(f.File)].Found(f.Rule)
	x := &v.index
	if x.full() {
		return
	}
	r := row{time: f.Time, frame: uint32(f.Frame), flags: isFinding | hasFindings}
	r.around = x.aroundOf(&f.Place, nil, 0, v.files.at(f.File))
	r.worst = x.addFindings(wire.Finding{Rule: f.Rule, Text: f.Text})
	x.add(r)
}
