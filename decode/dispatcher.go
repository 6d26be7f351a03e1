package decode

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/privacy"
)

// A dispatcher is the last stage: it passes messages to the trackers and to Options.Sink. Messages and findings that
// the sink selects are written with the current batch, or at once if there is no batch.
type dispatcher struct {
	options   *Options
	memory    *bounded.Budget
	remember  int         // number of bytes that decoding and trackers may use together
	place     *wire.Place // place of the current message
	protocols []*protocol
	now       int64 // time of the newest packet
	due       int64 // the earliest time at which a tracker must be called

	gathers bool // findings are held back until they are sorted, see gather
	waiting []wire.TrafficFinding

	openings openings

	current  Message
	tree     wire.Tree
	findings []wire.Finding
	event    []byte // event of the current message, see wire.Told

	batch *batch       // the batch that is being delivered; may be nil
	spill func(*batch) // writes the messages and findings selected so far
}

// newDispatcher makes a dispatcher and the trackers.
func newDispatcher(o *Options, protocols []*protocol, memory *bounded.Budget) *dispatcher {
	d := &dispatcher{options: o, memory: memory, remember: memory.Limit(), protocols: protocols, due: math.MinInt64}
	reportForgotten(memory, d.finding, func() wire.Place {
		return wire.Place{Frame: d.place.Frame, File: d.place.File, Time: d.place.Time, Conversation: NoConversation}
	})
	for _, p := range protocols {
		p.begin(p.Protocol, wire.Reporter{Finding: d.finding, Value: o.Value, Attempt: o.Attempt, Loss: RuleLoss,
			Memory: memory})
	}
	d.openings.begin(&wire.Reporter{Attempt: o.Attempt, Memory: memory})
	return d
}

// tick sets the time and calls the trackers that are due.
func (d *dispatcher) tick(t tick) {
	now := t.now
	d.now = now
	d.memory.Resize(d.remember - t.remembered)
	if now < d.due {
		return
	}
	d.gather()
	d.due = d.openings.time(now)
	for _, p := range d.protocols {
		if p.tracker == nil {
			continue
		}
		if p.due <= now {
			p.advance(now)
			p.due = p.tracker.Next()
		}
		d.due = min(d.due, p.due)
	}
	d.gathered()
}

func (d *dispatcher) jump(t tick) {
	d.now, d.due = t.now, math.MinInt64
	d.openings.Jump(t.now)
	for _, p := range d.protocols {
		if p.tracker != nil && p.begun {
			p.now = t.now
			p.tracker.Jump(t.now)
			p.due = p.tracker.Next()
		}
	}
	d.tick(t)
}

// await updates the time at which a tracker must be called next.
func (d *dispatcher) await(w *watch) {
	w.due = w.tracker.Next()
	d.due = min(d.due, w.due)
}

func (d *dispatcher) lost(p *protocol, place *wire.Place) {
	if p.tracker != nil {
		p.advance(d.now)
		p.tracker.Lost(place)
		d.await(&p.watch)
	}
}

func (d *dispatcher) ended(p *protocol, place *wire.Place) {
	if t, ok := p.tracker.(wire.Ender); ok {
		p.advance(d.now)
		t.Ended(place)
		d.await(&p.watch)
	}
}

func (d *dispatcher) signal(s wire.Signal, p *protocol, place *wire.Place) {
	switch s {
	case wire.Opening, wire.Opened, wire.Rejected, wire.TurnedAway:
		d.due = min(d.due, d.openings.signal(s, place, d.now))
		return
	}
	if p.tracker != nil {
		p.advance(d.now)
		p.reporter.Signal(s, place)
		d.await(&p.watch)
	}
}

func (d *dispatcher) finding(f *wire.TrafficFinding) {
	switch o := d.options; {
	case d.gathers:
		d.wait(f)
	case o.Sink != nil:
		if o.Sink.Finding(f) && o.Text != nil {
			d.writeFinding(f)
		}
	case o.Finding != nil:
		o.Finding(f)
	}
}

func (d *dispatcher) message(p *protocol, l wire.Layer, place *wire.Place, at int64) {
	m, core := &d.current, l.Core()
	m.Place, m.At, m.Layer = *place, at, l
	contents, payload := core.Contents, core.Payload
	d.deliver(p, m)
	core.Contents, core.Payload = contents, payload // deliver may mask them, but the decoder needs the originals
}

// deliver passes a message to its tracker and to the sink.
func (d *dispatcher) deliver(p *protocol, m *Message) {
	d.place = &m.Place
	d.memory.Turn()
	if p.tracker != nil && !m.Repeated {
		p.advance(d.now)
		p.tracker.Message(m.Layer, &m.Place)
		d.await(&p.watch)
	}
	o := d.options
	if o.Sink == nil && o.Message == nil {
		return
	}
	d.fill(m)
	switch {
	case m.Repeated:
		m.Told.Skip = true
	case o.Told:
		d.fillEvent(p, m)
	}
	if o.MaskSecrets {
		d.mask(m)
	}
	if o.Sink == nil {
		o.Message(m)
	} else if o.Sink.Message(m) && o.Text != nil {
		d.write(m)
	}
}

// fillEvent fills in the event of a message.
func (d *dispatcher) fillEvent(p *protocol, m *Message) {
	if p.relay != nil {
		m.Told = p.relay.Told(d.event[:0], m.Layer, &m.Place)
		if m.Told.Event != nil {
			d.event = m.Told.Event
		}
	}
}

// write writes a selected message, or adds it to the batch to be written later.
func (d *dispatcher) write(m *Message) {
	if d.batch == nil {
		d.options.Text.Message(m)
		return
	}
	m.Findings = slices.Clone(m.Findings) // the next message reuses the list
	d.batch.selected = append(d.batch.selected, selected{message: m})
}

// writeFinding writes a selected finding, or adds it to the batch to be written later.
func (d *dispatcher) writeFinding(f *wire.TrafficFinding) {
	if d.batch == nil {
		d.options.Text.Finding(f)
		return
	}
	kept := *f // trackers reuse the finding
	d.batch.selected = append(d.batch.selected, selected{finding: &kept})
	if len(d.batch.selected) >= batchSelected {
		d.spill(d.batch)
	}
}

// partial delivers the first bytes of a message that never became complete.
func (d *dispatcher) partial(l wire.Layer, place *wire.Place, at int64) {
	m := &d.current
	m.Place, m.At, m.Layer = *place, at, l
	d.fill(m)
	d.options.Partial(m)
}

// fill sets the fields of a message that come from its layer, and adds the engine's own findings.
func (d *dispatcher) fill(m *Message) {
	core := m.Layer.Core()
	m.Direction, m.Name, m.Code = core.Direction, core.Message.Name, core.CodeText(m.Layer)
	m.Length, m.Data, m.Findings = core.Size(), core.Contents, core.Findings()
	m.tree, m.made, m.folded = &d.tree, false, false
	m.Told, m.Copy = wire.Told{}, false
	if core.Truncated() {
		text := strconv.Itoa(len(m.Data)) + " of " + strconv.Itoa(m.Length) + " bytes were captured"
		d.find(m, &wire.Finding{Rule: RuleTruncated, Text: text, Off: len(m.Data)})
	}
	if m.Repeated {
		d.find(m, &wire.Finding{Rule: RuleRepeated, Text: "the same packet came less than 2 s before"})
	}
}

// find adds a finding to a message.
func (d *dispatcher) find(m *Message, f *wire.Finding) {
	d.findings = append(append(d.findings[:0], m.Findings...), *f)
	m.Findings = d.findings
}

// mask hides the secrets in a message. The findings still refer to the original.
func (d *dispatcher) mask(m *Message) {
	m.made = true // privacy.Mask makes the tree
	findings := slices.Clone(m.Findings)
	if privacy.Mask(m.Layer, m.Protocol, m.tree) {
		m.Data, m.Findings, m.made = m.Layer.Core().Contents, findings, false
	}
}

// replay makes the calls recorded in a batch.
func (d *dispatcher) replay(b *batch) {
	ticks, messages, losses, signals, findings := b.ticks, b.messages, b.losses, b.signals, b.findings
	for _, k := range b.kinds {
		switch k {
		case aTick:
			d.tick(ticks[0])
			ticks = ticks[1:]
		case aJump:
			d.jump(ticks[0])
			ticks = ticks[1:]
		case aMessage:
			d.deliver(messages[0].protocol, &messages[0].message)
			messages = messages[1:]
		case aLoss:
			d.lost(losses[0].protocol, &losses[0].place)
			losses = losses[1:]
		case anEnd:
			d.ended(losses[0].protocol, &losses[0].place)
			losses = losses[1:]
		case aSignal:
			d.signal(signals[0].signal, signals[0].protocol, &signals[0].place)
			signals = signals[1:]
		case aFinding:
			d.finding(&findings[0])
			findings = findings[1:]
		}
	}
}

// close closes the trackers.
func (d *dispatcher) close() {
	d.gather()
	d.openings.Close(d.now)
	for _, p := range d.protocols {
		if p.tracker != nil {
			p.tracker.Close(d.now)
		}
	}
	d.gathered()
}

// maxGathered is the maximum number of findings that are sorted together. Further findings are sorted separately.
const maxGathered = 1 << 16

// gather makes the dispatcher hold back findings until gathered is called.
func (d *dispatcher) gather() { d.gathers = true }

// gathered delivers the findings that were held back. It sorts them by place, so that findings at the same time have a
// fixed order.
func (d *dispatcher) gathered() {
	d.gathers = false
	slices.SortStableFunc(d.waiting, func(a, b wire.TrafficFinding) int { return comparePlaces(&a.Place, &b.Place) })
	for i := range d.waiting {
		d.finding(&d.waiting[i])
	}
	clear(d.waiting)
	d.waiting = d.waiting[:0]
}

// wait holds back one finding.
func (d *dispatcher) wait(f *wire.TrafficFinding) {
	d.waiting = append(d.waiting, *f) // trackers reuse the finding
	if len(d.waiting) == maxGathered {
		d.gathered()
		d.gather()
	}
}

// comparePlaces orders places by time, frame, source and destination.
func comparePlaces(a, b *wire.Place) int {
	return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.File, b.File), cmp.Compare(a.Frame, b.Frame),
		a.Src.Compare(b.Src), a.Dst.Compare(b.Dst))
}
