package decode

import (
	"cmp"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// A Turn says when an engine tells something. Engines that share a capture, as package split has it, have only the
// clock in common: what is told because of the time has its turn, before what a frame itself tells. In the order of
// their turns all of it comes as one engine tells it that is shown the whole capture.
type Turn struct {
	Frame int64 // how many came so far, with those that are another engine's; when the capture has ended one more
	Step  Step
	Since int64 // in FragmentStep, ConnectionStep and HoleStep: the frame that what is told about has waited since
}

// A Step is what an engine does with a frame, in this order.
type Step uint8

// The steps.
const (
	FragmentStep   Step = iota // fragments that have waited too long
	ConnectionStep             // connections that have been silent too long, or end with the capture
	TrackerStep                // what trackers find late or missing, in the order of ComparePlaces
	HoleStep                   // streams that have waited too long for what is missing
	FrameStep                  // the frame
)

// Compare compares turns by their order.
func (t Turn) Compare(o Turn) int {
	return cmp.Or(cmp.Compare(t.Frame, o.Frame), cmp.Compare(t.Step, o.Step), cmp.Compare(t.Since, o.Since))
}

// Turn is, while a function of the Options is called, the turn of what it is told. It is for an engine without
// Options.Parallel.
func (e *Engine) Turn() Turn { return e.turn }

// ComparePlaces compares places by the frame that is there, and by who sent it to whom.
func ComparePlaces(a, b *wire.Place) int {
	return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.File, b.File), cmp.Compare(a.Frame, b.Frame),
		a.Src.Compare(b.Src), a.Dst.Compare(b.Dst))
}

// MostAtOnce is how many findings of trackers are put in the order of their places that are told at the same time. If
// there are more they come in several rows.
const MostAtOnce = 1 << 16

// AtOnce is how many there were at the same time so far, at the most. It is for an engine without Options.Parallel.
func (e *Engine) AtOnce() int { return e.decoder.deliverer.atOnce }

// gather has findings wait for those that are told at the same time.
func (d *deliverer) gather() { d.gathers = true }

// gathered tells them.
func (d *deliverer) gathered() {
	d.gathers, d.atOnce = false, max(d.atOnce, len(d.waiting))
	slices.SortStableFunc(d.waiting, func(a, b wire.TrafficFinding) int { return ComparePlaces(&a.Place, &b.Place) })
	for i := range d.waiting {
		d.finding(&d.waiting[i])
	}
	clear(d.waiting)
	d.waiting = d.waiting[:0]
}

// wait has a finding wait.
func (d *deliverer) wait(f *wire.TrafficFinding) {
	d.waiting = append(d.waiting, *f) // trackers use theirs again
	if len(d.waiting) == MostAtOnce {
		d.gathered()
		d.gather()
	}
}
