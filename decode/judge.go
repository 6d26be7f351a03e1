package decode

import (
	"math"
	"slices"
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/privacy"
)

// A hearer is told what is decoded, in the order of the capture.
type hearer interface {
	// tick tells how late it is. Time does not go back, but for what came before the first packet.
	tick(now int64)

	// decoded tells of a message, whose place in the datagram or stream is at. The layer is its alone
	// until the next message.
	decoded(p *protocol, l wire.Layer, place *wire.Place, at int64)

	// lost tells that bytes of a stream are missing.
	lost(p *protocol, place *wire.Place)

	// find tells of a finding that no message carries.
	find(f *wire.TrafficFinding)
}

// A judge is the second half of an Engine: it shows what was decoded to the trackers and delivers it.
type judge struct {
	options   *Options
	protocols []*protocol
	now       int64 // the newest time of a packet
	due       int64 // when a tracker wants to know how late it is

	message Message
	tree    wire.Tree
	finds   []wire.Finding
}

// A watch is a protocol's tracker and what time it knows of.
type watch struct {
	tracker  wire.Tracker // nil: there is none
	reporter wire.Reporter
	begun    bool
	told     int64 // how late it is
	due      int64 // when it wants to be told
}

// newJudge makes the trackers.
func newJudge(o *Options, protocols []*protocol) *judge {
	j := &judge{options: o, protocols: protocols, due: math.MinInt64}
	for _, p := range protocols {
		p.due = math.MinInt64
		if p.NewTracker != nil {
			p.reporter = wire.Reporter{Finding: j.find, Value: o.Value}
			p.tracker = p.NewTracker(&p.reporter)
		}
	}
	return j
}

// tick implements hearer. It wakes trackers that wait for that time.
func (j *judge) tick(now int64) {
	j.now = now
	if now < j.due {
		return
	}
	j.due = math.MaxInt64
	for _, p := range j.protocols {
		if p.tracker == nil {
			continue
		}
		if p.due <= now {
			p.tell(now)
			p.due = p.tracker.Next()
		}
		j.due = min(j.due, p.due)
	}
}

// tell tells the tracker how late it is, if it does not know.
func (w *watch) tell(now int64) {
	if !w.begun || w.told != now {
		w.begun, w.told = true, now
		w.tracker.Time(now)
	}
}

// await notes when the tracker wants to be told of the time.
func (j *judge) await(w *watch) {
	w.due = w.tracker.Next()
	j.due = min(j.due, w.due)
}

// lost implements hearer.
func (j *judge) lost(p *protocol, place *wire.Place) {
	if p.tracker != nil {
		p.tell(j.now)
		p.tracker.Lost(place)
		j.await(&p.watch)
	}
}

// find implements hearer.
func (j *judge) find(f *wire.TrafficFinding) {
	if j.options.Finding != nil {
		j.options.Finding(f)
	}
}

// decoded implements hearer.
func (j *judge) decoded(p *protocol, l wire.Layer, place *wire.Place, at int64) {
	if p.tracker != nil {
		p.tell(j.now)
		p.tracker.Message(l, place)
		j.await(&p.watch)
	}
	if j.options.Message == nil {
		return
	}
	j.fill(l, place, at)
	if j.options.MaskSecrets {
		part := l.Core()
		contents, payload := part.Contents, part.Payload
		j.mask()
		defer func() { part.Contents, part.Payload = contents, payload }()
	}
	j.options.Message(&j.message)
}

// partial delivers the beginning of a message that never became whole.
func (j *judge) partial(l wire.Layer, place *wire.Place, at int64) {
	j.fill(l, place, at)
	j.options.Partial(&j.message)
}

// fill makes the message of what the layer holds.
func (j *judge) fill(l wire.Layer, place *wire.Place, at int64) {
	part := l.Core()
	m := &j.message
	m.Place, m.At = *place, at
	m.Direction, m.Name, m.Code = part.Direction, part.Message.Name, part.CodeText(l)
	m.Length, m.Data = part.Size(), part.Contents
	m.Layer, m.Findings = l, part.Findings()
	m.tree, m.made, m.folded = &j.tree, false, false
	if part.Truncated() {
		text := strconv.Itoa(len(m.Data)) + " of " + strconv.Itoa(m.Length) + " bytes were captured"
		j.finds = append(j.finds[:0], m.Findings...)
		j.finds = append(j.finds, wire.Finding{Rule: RuleTruncated, Text: text, Off: len(m.Data)})
		m.Findings = j.finds
	}
}

// mask hides the secrets of the message at hand. The findings are those of what was sent.
func (j *judge) mask() {
	m := &j.message
	part := m.Layer.Core()
	m.made = true // by the search for secrets
	findings := slices.Clone(m.Findings)
	if privacy.Mask(m.Layer, m.Protocol, m.tree) {
		m.Data, m.Findings, m.made = part.Contents, findings, false
	}
}

// close tells the trackers that nothing follows.
func (j *judge) close() {
	for _, p := range j.protocols {
		if p.tracker != nil {
			p.tracker.Close(j.now)
		}
	}
}
