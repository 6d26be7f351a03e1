package bzflag

import (
	"math"
	"slices"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// A PendingFinding is a finding that later messages may refute.
type PendingFinding struct {
	Rule   *wire.Rule
	Text   string
	Tell   func() string // if not nil, returns the text when the finding is reported, instead of Text
	Wait   int64         // nanoseconds from the message to the report
	Enough int64         // shorter wait that suffices when the capture ends, in nanoseconds
	Rests  any           // what the finding depends on or is about, for Outcomes.Settle; may be nil
	Excuse func() bool   // called when the finding is due; reports whether the finding is wrong; may be nil
}

// PendingFindings is a queue of the pending findings of all connections.
type PendingFindings struct {
	reporter *wire.Reporter
	queue    *bounded.Deadlines[queuedFinding]
	most     int
	now      int64
}

type queuedFinding struct {
	place    wire.Place
	rule     *wire.Rule
	text     string
	makeText func() string // PendingFinding.Tell
	enough   int64
	*Outcome
}

// NewPendingFindings returns an empty queue. most is the maximum number of findings per connection; Add drops further
// findings. Without a maximum, a connection could cause any number of findings.
func NewPendingFindings(r *wire.Reporter, kind bounded.Kind, most int) *PendingFindings {
	return &PendingFindings{reporter: r, queue: bounded.NewDeadlines[queuedFinding](r.Memory, kind), most: most}
}

// Add adds a finding about the message at a place. s must be the Outcomes of the message's connection.
func (p *PendingFindings) Add(s *Outcomes, place *wire.Place, f PendingFinding) *Outcome {
	o := &Outcome{When: place.Time, Due: clock.Add(place.Time, f.Wait), Rests: f.Rests, excuse: f.Excuse}
	if len(s.list) == cap(s.list) || len(s.list) >= p.most {
		s.list = slices.DeleteFunc(s.list, func(o *Outcome) bool { return o.Due <= p.now })
	}
	if len(s.list) >= p.most {
		o.Settle()
		return o
	}
	s.list = append(s.list, o)
	p.queue.Add(o.Due, queuedFinding{*place, f.Rule, f.Text, f.Tell, f.Enough, o})
	return o
}

// Next returns the time at which the next finding is due, or math.MaxInt64 if there is none.
func (p *PendingFindings) Next() int64 { return p.queue.Next() }

// Advance reports the findings that are due at a given time, ordered by Due. Findings with the same Due are reported in
// the order of Add.
func (p *PendingFindings) Advance(now int64) {
	p.now = now
	for f, _, ok := p.queue.Due(now); ok; f, _, ok = p.queue.Due(now) {
		p.report(&f)
	}
}

// Jump drops all findings (see wire.Tracker).
func (p *PendingFindings) Jump(now int64) {
	p.now = now
	p.queue.Clear()
}

// Close reports the findings that have waited at least PendingFinding.Enough when the capture ends.
func (p *PendingFindings) Close(now int64) {
	for f, _, ok := p.queue.Due(math.MaxInt64); ok; f, _, ok = p.queue.Due(math.MaxInt64) {
		if clock.Elapsed(f.When, now) >= f.enough {
			p.report(&f)
		}
	}
}

func (p *PendingFindings) report(f *queuedFinding) {
	if f.conclude(); !f.settled {
		f.settled = true
		if f.makeText != nil {
			f.text = f.makeText()
		}
		p.reporter.Report(&f.place, f.rule, "%s", f.text)
	}
}

// An Outcome is the state of a pending finding.
type Outcome struct {
	When  int64 // time of the message
	Due   int64
	Rests any

	settled bool // settled or reported
	excuse  func() bool
}

// Settle drops the finding. If the Outcome is nil, it does nothing.
func (o *Outcome) Settle() {
	if o != nil {
		o.settled, o.excuse, o.Rests = true, nil, nil
	}
}

func (o *Outcome) conclude() {
	if o.excuse != nil && o.excuse() {
		o.settled = true
	}
	o.excuse, o.Rests = nil, nil
}

// Outcomes holds the outcomes of the findings about one connection. The zero value is ready to use.
type Outcomes struct {
	list []*Outcome // pending outcomes, and some that are no longer pending
}

// Settle drops the findings for which chosen returns true. It also calls chosen for some settled findings; their Rests
// is nil.
func (s *Outcomes) Settle(chosen func(*Outcome) bool) {
	for _, o := range s.list {
		if chosen(o) {
			o.Settle()
		}
	}
}

// Conclude evaluates all excuses now instead of when the findings are due. Call it when their results can no longer
// change.
func (s *Outcomes) Conclude() {
	for _, o := range s.list {
		o.conclude()
	}
}

// Open returns the number of findings that are neither settled nor reported.
func (s *Outcomes) Open() (n int) {
	for _, o := range s.list {
		if !o.settled {
			n++
		}
	}
	return n
}

// Held returns the approximate number of bytes that the outcomes and their excuses occupy.
func (s *Outcomes) Held() int {
	const excuse = 48
	return 8*cap(s.list) + len(s.list)*(int(unsafe.Sizeof(Outcome{}))+excuse)
}
