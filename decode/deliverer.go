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

// A deliverer is the sink at the end: it shows what was decoded to the trackers and calls the functions of the
// options. What these hand on to be written goes with the load that it came in, or is written at once.
type deliverer struct {
	options   *Options
	memory    *bounded.Budget
	remember  int         // bytes that both sides of the engine may
	place     *wire.Place // of the message at hand
	protocols []*protocol
	now       int64 // the newest time of a packet
	due       int64 // when a tracker wants to know how late it is

	gathers bool // findings wait, see gather
	waiting []wire.TrafficFinding

	current  Message
	tree     wire.Tree
	findings []wire.Finding
	event    []byte // of the message at hand, see wire.Told

	load  *load       // that is delivered; nil: there is none
	spill func(*load) // has what was handed on of it written
}

// newDeliverer makes the trackers.
func newDeliverer(o *Options, protocols []*protocol, memory *bounded.Budget) *deliverer {
	d := &deliverer{options: o, memory: memory, remember: memory.Limit(), protocols: protocols, due: math.MinInt64}
	reportForgotten(memory, d.finding, func() wire.Place {
		return wire.Place{Frame: d.place.Frame, File: d.place.File, Time: d.place.Time, Conversation: NoConversation}
	})
	for _, p := range protocols {
		p.begin(p.Protocol, wire.Reporter{Finding: d.finding, Value: o.Value, Memory: memory})
	}
	return d
}

// tick implements sink. It wakes trackers that wait for that time.
func (d *deliverer) tick(t tick) {
	now := t.now
	d.now = now
	d.memory.Resize(d.remember - t.remembered)
	if now < d.due {
		return
	}
	d.due = math.MaxInt64
	d.gather()
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
	d.gathered()
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

// ended implements sink.
func (d *deliverer) ended(p *protocol, place *wire.Place) {
	if t, ok := p.tracker.(wire.Ender); ok {
		p.tell(d.now)
		t.Ended(place)
		d.await(&p.watch)
	}
}

// finding implements sink.
func (d *deliverer) finding(f *wire.TrafficFinding) {
	switch {
	case d.options.Finding == nil:
	case d.gathers:
		d.wait(f)
	default:
		d.options.Finding(f)
	}
}

// message implements sink.
func (d *deliverer) message(p *protocol, l wire.Layer, place *wire.Place, at int64) {
	m, core := &d.current, l.Core()
	m.Place, m.At, m.Layer = *place, at, l
	contents, payload := core.Contents, core.Payload
	d.deliver(p, m)
	core.Contents, core.Payload = contents, payload // if they were masked: the decoder goes on behind them
}

// deliver delivers a message that has a place and a layer.
func (d *deliverer) deliver(p *protocol, m *Message) {
	d.place = &m.Place
	d.memory.Turn()
	if p.tracker != nil {
		p.tell(d.now)
		p.tracker.Message(m.Layer, &m.Place)
		d.await(&p.watch)
	}
	if d.options.Message == nil {
		return
	}
	d.fill(m)
	if d.options.Told {
		d.tell(p, m)
	}
	if d.options.MaskSecrets {
		d.mask(m)
	}
	d.options.Message(m)
}

// tell fills in what a message tells others as well.
func (d *deliverer) tell(p *protocol, m *Message) {
	if r, ok := p.tracker.(wire.Relay); ok {
		m.Told = r.Told(d.event[:0], m.Layer, &m.Place)
		if m.Told.Event != nil {
			d.event = m.Told.Event
		}
	}
}

// handOn has a message written after those before.
func (d *deliverer) handOn(m *Message) {
	switch {
	case d.options.Write == nil:
	case d.load == nil:
		d.options.Write(m)
	default:
		m.Findings = slices.Clone(m.Findings) // not all of them stand in the layer
		d.load.handed = append(d.load.handed, handed{message: m})
	}
}

// handOnFinding has a finding written after what was handed on before.
func (d *deliverer) handOnFinding(f *wire.TrafficFinding) {
	switch {
	case d.options.WriteFinding == nil:
	case d.load == nil:
		d.options.WriteFinding(f)
	default:
		kept := *f // trackers use theirs again
		d.load.handed = append(d.load.handed, handed{finding: &kept})
		if len(d.load.handed) >= loadHanded {
			d.spill(d.load)
		}
	}
}

// partial delivers the beginning of a message that never became whole.
func (d *deliverer) partial(l wire.Layer, place *wire.Place, at int64) {
	m := &d.current
	m.Place, m.At, m.Layer = *place, at, l
	d.fill(m)
	d.options.Partial(m)
}

// fill fills in what the layer of a message tells of it.
func (d *deliverer) fill(m *Message) {
	core := m.Layer.Core()
	m.Direction, m.Name, m.Code = core.Direction, core.Message.Name, core.CodeText(m.Layer)
	m.Length, m.Data, m.Findings = core.Size(), core.Contents, core.Findings()
	m.tree, m.made, m.folded = &d.tree, false, false
	m.Told, m.Copy = wire.Told{}, false
	if core.Truncated() {
		text := strconv.Itoa(len(m.Data)) + " of " + strconv.Itoa(m.Length) + " bytes were captured"
		d.findings = append(d.findings[:0], m.Findings...)
		d.findings = append(d.findings, wire.Finding{Rule: RuleTruncated, Text: text, Off: len(m.Data)})
		m.Findings = d.findings
	}
}

// mask hides the secrets of a message. The findings are those of what was sent.
func (d *deliverer) mask(m *Message) {
	m.made = true // by the search for secrets
	findings := slices.Clone(m.Findings)
	if privacy.Mask(m.Layer, m.Protocol, m.tree) {
		m.Data, m.Findings, m.made = m.Layer.Core().Contents, findings, false
	}
}

// close tells the trackers that nothing follows.
func (d *deliverer) close() {
	d.gather()
	for _, p := range d.protocols {
		if p.tracker != nil {
			p.tracker.Close(d.now)
		}
	}
	d.gathered()
}

// maxGathered is how many findings are sorted at once. Further ones are sorted apart.
const maxGathered = 1 << 16

// gather holds findings back until gathered is called.
func (d *deliverer) gather() { d.gathers = true }

// gathered delivers the findings held back, sorted by their places: findings of one moment come in the same order,
// whichever tracker made them.
func (d *deliverer) gathered() {
	d.gathers = false
	slices.SortStableFunc(d.waiting, func(a, b wire.TrafficFinding) int { return comparePlaces(&a.Place, &b.Place) })
	for i := range d.waiting {
		d.finding(&d.waiting[i])
	}
	clear(d.waiting)
	d.waiting = d.waiting[:0]
}

// wait holds back one finding.
func (d *deliverer) wait(f *wire.TrafficFinding) {
	d.waiting = append(d.waiting, *f) // trackers reuse theirs
	if len(d.waiting) == maxGathered {
		d.gathered()
		d.gather()
	}
}

// comparePlaces orders places by their frames, then by source and destination.
func comparePlaces(a, b *wire.Place) int {
	return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.File, b.File), cmp.Compare(a.Frame, b.Frame),
		a.Src.Compare(b.Src), a.Dst.Compare(b.Dst))
}
