package bzflag

import (
	"math"
	"slices"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// waiting is a queue of pending findings, with the outcomes of one connection and the texts of the reported findings.
type waiting struct {
	*PendingFindings
	outcomes Outcomes
	reported []string
}

func newWaiting(most int) *waiting {
	w := new(waiting)
	r := &wire.Reporter{Finding: func(f *wire.TrafficFinding) { w.reported = append(w.reported, f.Text) }}
	w.PendingFindings = NewPendingFindings(r, bounded.Kind{Name: "findings"}, most)
	return w
}

func (w *waiting) add(when int64, f PendingFinding) *Outcome {
	f.Rule = new(wire.Rule)
	return w.Add(&w.outcomes, &wire.Place{Time: when}, f)
}

func (w *waiting) want(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(w.reported, want) {
		t.Errorf("reported %q, want %q", w.reported, want)
	}
}

func TestPendingFindings(t *testing.T) {
	w := newWaiting(10)
	excused := true
	w.add(5, PendingFinding{Text: "last", Wait: 5})
	w.add(1, PendingFinding{Text: "first", Wait: 5})
	w.add(2, PendingFinding{Text: "second", Wait: 4})
	w.add(2, PendingFinding{Text: "settled", Wait: 4}).Settle()
	w.add(2, PendingFinding{Text: "excused", Wait: 4, Excuse: func() bool { return excused }})
	w.add(2, PendingFinding{Text: "not excused", Wait: 4, Excuse: func() bool { return !excused }})
	(*Outcome)(nil).Settle()
	if w.Next() != 6 {
		t.Errorf("Next returns %d", w.Next())
	}
	w.Advance(5)
	w.want(t)
	w.Advance(9)
	w.want(t, "first", "second", "not excused")
	w.Advance(10)
	w.want(t, "first", "second", "not excused", "last")
	if w.Next() != math.MaxInt64 {
		t.Errorf("the queue is empty, but Next returns %d", w.Next())
	}
}

func TestPendingFindingsAtTheEnd(t *testing.T) {
	w := newWaiting(10)
	w.add(1, PendingFinding{Text: "at once", Wait: 10})
	w.add(1, PendingFinding{Text: "soon", Wait: 10, Enough: 4})
	w.add(1, PendingFinding{Text: "not yet", Wait: 10, Enough: 5})
	w.add(1, PendingFinding{Text: "never", Wait: 10, Enough: math.MaxInt64})
	w.Close(5)
	w.want(t, "at once", "soon")

	w = newWaiting(10)
	w.add(1, PendingFinding{Text: "before a jump", Wait: 10})
	w.Jump(0)
	w.Close(100)
	w.want(t)
}

// A connection may have only a limited number of pending findings. A settled finding counts until it is due.
func TestPendingFindingsBounds(t *testing.T) {
	w := newWaiting(2)
	w.add(1, PendingFinding{Text: "a", Wait: 1}).Settle()
	w.add(1, PendingFinding{Text: "b", Wait: 9})
	w.add(1, PendingFinding{Text: "one too many", Wait: 1})
	w.Add(new(Outcomes), &wire.Place{Time: 1}, PendingFinding{Rule: new(wire.Rule), Text: "of another", Wait: 2})
	w.Advance(2)
	w.add(2, PendingFinding{Text: "c", Wait: 1})
	w.add(2, PendingFinding{Text: "one too many", Wait: 1})
	if n := len(w.outcomes.list); n != 2 {
		t.Errorf("%d outcomes are kept", n)
	}
	w.Advance(100)
	w.want(t, "of another", "c", "b")
}

func TestOutcomes(t *testing.T) {
	w := newWaiting(10)
	before, now := new(int), new(int)
	excused := true
	excuse := func() bool { return excused }
	w.add(1, PendingFinding{Text: "rests on before", Rests: before})
	w.add(1, PendingFinding{Text: "rests on now", Rests: now})
	w.add(1, PendingFinding{Text: "rests on nothing"})
	w.add(1, PendingFinding{Text: "excused", Rests: now, Excuse: excuse})
	w.outcomes.Settle(func(o *Outcome) bool { return o.Rests != nil && o.Rests != now })
	w.outcomes.Conclude()
	excused = false
	w.add(1, PendingFinding{Text: "not excused", Excuse: excuse})
	w.Advance(1)
	w.want(t, "rests on now", "rests on nothing", "not excused")
}

// Settle and Advance do not allocate if there is nothing to settle or report. This is the case for most messages.
func TestOutcomesAllocate(t *testing.T) {
	w := newWaiting(10)
	w.add(1, PendingFinding{Text: "waits", Wait: 5, Rests: w})
	if n := testing.AllocsPerRun(100, func() {
		w.outcomes.Settle(func(o *Outcome) bool { return o.Rests != nil && o.Rests != w })
		w.Advance(2)
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
