package bzflag24

import (
	"slices"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// maxDoubts is how many findings about a connection wait at a time. More are dropped: one talker could make
// any number of them.
const maxDoubts = 256

// pending is a finding that is put off: what comes soon may settle it.
type pending struct {
	place  wire.Place
	rule   *wire.Rule
	text   string
	enough int64 // nanoseconds that are enough at the end of the capture
	*doubt
}

// doubt is what becomes of such a finding. The connection that it is about has it as well.
type doubt struct {
	when    int64
	settled bool        // there is no such finding
	excuse  func() bool // reports the same when the time has come; may be nil
	view    *view       // that excuse looks at: without it, there is no such finding; nil: at none
}

// due is when a doubt is given up.
func (d *doubt) due() int64 { return clock.Add(d.when, overdue) }

// settle drops a doubt, if there is one.
func (d *doubt) settle() {
	if d != nil {
		d.settled, d.excuse, d.view = true, nil, nil
	}
}

// conclude asks for the excuse, because that will not change any more.
func (d *doubt) conclude() {
	if d.excuse != nil && d.excuse() {
		d.settled = true
	}
	d.excuse, d.view = nil, nil
}

// doubt puts a finding about the message at hand off. When too many are, it is dropped.
func (e *event) doubt(f *pending) *doubt {
	c, d := e.connection, f.doubt
	if len(c.doubts) == cap(c.doubts) || len(c.doubts) == maxDoubts {
		c.doubts = slices.DeleteFunc(c.doubts, func(d *doubt) bool { return d.due() <= e.now })
	}
	if len(c.doubts) == maxDoubts {
		d.settle()
		return d
	}
	f.place, d.when = *e.place, e.place.Time
	c.doubts = append(c.doubts, d)
	e.pending.Add(d.due(), *f)
	return d
}

// report tells of a finding that nothing settled.
func (t *tracker) report(f *pending) {
	if f.conclude(); !f.settled {
		t.reporter.Report(&f.place, f.rule, "%s", f.text)
	}
}

// setView gives a connection another view. What was doubted by the old one can not be told any more.
func (c *connection) setView(v *view) {
	for _, d := range c.doubts {
		if d.view != nil && d.view != v {
			d.settle()
		}
	}
	c.view = v
}

// doubtBytes is about what a doubt takes, with an excuse, if there is one.
const doubtBytes = int(unsafe.Sizeof(doubt{})) + 48
