package decode

import (
	"math"
	"slices"
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/privacy"
)

// A deliverer is the sink at the end: it shows what was decoded to the trackers and calls the functions of the
// options.
type deliverer struct {
	options   *Options
	memory    *bounded.Budget
	place     *wire.Place // of the message at hand
	protocols []*protocol
	now       int64 // the newest time of a packet
	due       int64 // when a tracker wants to know how late it is

	current  Message
	tree     wire.Tree
	findings []wire.Finding
}

// newDeliverer makes the trackers.
func newDeliverer(o *Options, protocols []*protocol, memory *bounded.Budget) *deliverer {
	d := &deliverer{options: o, memory: memory, protocols: protocols, due: math.MinInt64}
	reportForgotten(memory, d.finding, func() wire.Place {
		return wire.Place{Frame: d.place.Frame, File: d.place.File, Time: d.place.Time, Conversation: NoConversation}
	})
	for _, p := range protocols {
		p.begin(p.Protocol, wire.Reporter{Finding: d.finding, Value: o.Value, Memory: memory})
	}
	return d
}

// tick implements sink. It wakes trackers that wait for that time.
func (d *deliverer) tick(now int64) {
	d.now = now
	if now < d.due {
		return
	}
	d.due = math.MaxInt64
	for _, p := range d.protocols {
		if p.tracker == nil {
			continue
		}
		if p.due <= now {
			p.tell(now)
			p.due = p.tracker.Next()
		}
		d.due = min(d.due, p.due)
	}
}

// await notes when the tracker wants to be told of the time.
func (d *deliverer) await(w *watch) {
	w.due = w.tracker.Next()
	d.due = min(d.due, w.due)
}

// lost implements sink.
func (d *deliverer) lost(p *protocol, place *wire.Place) {
	if p.tracker != nil {
		p.tell(d.now)
		p.tracker.Lost(place)
		d.await(&p.watch)
	}
}

// finding implements sink.
func (d *deliverer) finding(f *wire.TrafficFinding) {
	if d.options.Finding != nil {
		d.options.Finding(f)
	}
}

// message implements sink.
func (d *deliverer) message(p *protocol, l wire.Layer, place *wire.Place, at int64) {
	d.place = place
	d.memory.Turn()
	if p.tracker != nil {
		p.tell(d.now)
		p.tracker.Message(l, place)
		d.await(&p.watch)
	}
	if d.options.Message == nil {
		return
	}
	d.fill(l, place, at)
	if d.options.MaskSecrets {
		core := l.Core()
		contents, payload := core.Contents, core.Payload
		d.mask()
		defer func() { core.Contents, core.Payload = contents, payload }()
	}
	d.options.Message(&d.current)
}

// partial delivers the beginning of a message that never became whole.
func (d *deliverer) partial(l wire.Layer, place *wire.Place, at int64) {
	d.fill(l, place, at)
	d.options.Partial(&d.current)
}

// fill makes the message of what the layer holds.
func (d *deliverer) fill(l wire.Layer, place *wire.Place, at int64) {
	core := l.Core()
	m := &d.current
	m.Place, m.At = *place, at
	m.Direction, m.Name, m.Code = core.Direction, core.Message.Name, core.CodeText(l)
	m.Length, m.Data = core.Size(), core.Contents
	m.Layer, m.Findings = l, core.Findings()
	m.tree, m.made, m.folded = &d.tree, false, false
	if core.Truncated() {
		text := strconv.Itoa(len(m.Data)) + " of " + strconv.Itoa(m.Length) + " bytes were captured"
		d.findings = append(d.findings[:0], m.Findings...)
		d.findings = append(d.findings, wire.Finding{Rule: RuleTruncated, Text: text, Off: len(m.Data)})
		m.Findings = d.findings
	}
}

// mask hides the secrets of the message at hand. The findings are those of what was sent.
func (d *deliverer) mask() {
	m := &d.current
	core := m.Layer.Core()
	m.made = true // by the search for secrets
	findings := slices.Clone(m.Findings)
	if privacy.Mask(m.Layer, m.Protocol, m.tree) {
		m.Data, m.Findings, m.made = core.Contents, findings, false
	}
}

// close tells the trackers that nothing follows.
func (d *deliverer) close() {
	for _, p := range d.protocols {
		if p.tracker != nil {
			p.tracker.Close(d.now)
		}
	}
}
