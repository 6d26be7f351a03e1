package bzflag24

import (
	"slices"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// maxPending is how many findings about a connection wait at a time. More are dropped: one talker could make
// any number of them.
const maxPending = 256

// pendingFinding is a finding that messages of the next seconds may settle.
type pendingFinding struct {
	place  wire.Place
	rule   *wire.Rule
	text   string
	enough int64 // nanoseconds that are enough at the end of the capture
	*outcome
}

// outcome says whether a pending finding holds. Its connection shares it, to settle it.
type outcome struct {
	when    int64
	settled bool        // there is no such finding
	excuse  func() bool // reports the same when the time has come; may be nil
	view    *view       // that excuse looks at: without it, there is no such finding; nil: at none
}

// due is when the finding is reported unless it is settled.
func (d *outcome) due() int64 { return clock.Add(d.when, overdue) }

// settle drops the finding; nil is none.
func (d *outcome) settle() {
	if d != nil {
		d.settled, d.excuse, d.view = true, nil, nil
	}
}

// conclude asks for the excuse, because that will not change any more.
func (d *outcome) conclude() {
	if d.excuse != nil && d.excuse() {
		d.settled = true
	}
	d.excuse, d.view = nil, nil
}

// postpone postpones a finding about the current message. If maxPending are pending it is dropped.
func (e *event) postpone(f *pendingFinding) *outcome {
	c, d := e.connection, f.outcome
	if len(c.outcomes) == cap(c.outcomes) || len(c.outcomes) == maxPending {
		c.outcomes = slices.DeleteFunc(c.outcomes, func(d *outcome) bool { return d.due() <= e.now })
	}
	if len(c.outcomes) == maxPending {
		d.settle()
		return d
	}
	f.place, d.when = *e.place, e.place.Time
	c.outcomes = append(c.outcomes, d)
	e.pending.Add(d.due(), *f)
	return d
}

// report tells of a finding that nothing settled.
func (t *tracker) report(f *pendingFinding) {
	if f.conclude(); !f.settled {
		t.reporter.Report(&f.place, f.rule, "%s", f.text)
	}
}

// setView gives a connection another view. Pending findings that rest on the old one are dropped.
func (c *connection) setView(v *view) {
	for _, d := range c.outcomes {
		if d.view != nil && d.view != v {
			d.settle()
		}
	}
	c.view = v
}

// outcomeBytes is about the size of an outcome with its excuse.
const outcomeBytes = int(unsafe.Sizeof(outcome{})) + 48
