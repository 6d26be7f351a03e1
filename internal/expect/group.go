package expect

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
)

func (r *run) newGroup(x *filter.Subject) *group {
	e := r.expectation
	if e.begins != nil && !e.begins.Match(x) {
		return &group{excluded: true}
	}
	g := &group{name: nameOf(e.per, x), relevant: e.having == nil, tallies: make([]tally, len(e.bounds.hold))}
	if e.sequence != nil {
		for _, w := range r.machine.ways(r.start) {
			g.threads = append(g.threads, thread{state: w})
		}
	}
	return g
}

func (r *run) message(g *group, x *filter.Subject) {
	if g.excluded {
		return
	}
	g.messages++
	g.relevant = g.relevant || r.expectation.having.Match(x)
	for i, m := range r.expectation.bounds.hold {
		if (m.kind == countOf || m.kind == rateOf) && (m.message == "" || m.message == x.Message.Name) {
			g.tallies[i].message(x.Place.Time)
		}
	}
	for i := range x.Message.Findings {
		f := &x.Message.Findings[i]
		r.finding(g, f.Rule, f.Text, x.Place)
	}
	frame := r.frame(x)
	switch {
	case len(g.threads) > 0 && !r.exhausted && !r.machine.overflow:
		if r.advanceAll(g, x, frame); g.failure != nil {
			return
		}
	case g.failure != nil:
		if len(g.failure.After) < around {
			g.failure.After = append(g.failure.After, frame)
		}
		return
	}
	copy(g.before[:], g.before[1:])
	g.before[around-1] = frame
	g.beforeCount = min(g.beforeCount+1, around)
}

func (r *run) advanceAll(g *group, x *filter.Subject, frame Frame) {
	var next []thread
	var end ending
	r.work.left += r.work.each
	for i := range g.threads {
		if r.exhausted || r.machine.overflow {
			return
		}
		t := &g.threads[i]
		if e := r.advance(g, t, x, frame, &next); e.thread != nil && (end.thread == nil || e.furtherThan(&end, x)) {
			end = e
		}
	}
	if len(next) == 0 {
		f := r.fail(end.thread, end.step)
		f.Frame, f.Before = &frame, slices.Clone(g.before[around-g.beforeCount:])
		if st := f.Step; st != nil && end.why == another && st.isNamedBy(x) {
			x.Bindings = end.thread.memory.values
			f.Nearest, f.Differs = &frame, st.differs(x)
		}
		f.Cause = r.cause(f, end.why, end.thread, x)
		g.fail(f)
		return
	}
	g.threads = next
	g.keepStalled(frame)
}

// fail stops following the group. It frees what is needed only while the group is followed.
func (g *group) fail(f *Failure) {
	g.failure, g.threads = f, nil
	g.nearest, g.stalled, g.before, g.beforeCount = nil, nil, [around]Frame{}, 0
}

// An ending says at which step and why a message ends a thread. If the thread continues, the ending has no thread.
type ending struct {
	thread *thread
	step   *Step
	why    misfit
}

// furtherThan reports whether the thread of e matched more messages than the thread of o. If both matched the same
// number, it reports whether only e waits for a message of x's type.
func (e *ending) furtherThan(o *ending, x *filter.Subject) bool {
	if a, b := e.thread.matched, o.thread.matched; a != b {
		return a > b
	}
	names := func(st *Step) bool { return st != nil && st.isNamedBy(x) }
	return names(e.step) && !names(o.step)
}

// keepStalled keeps the messages around the last message that advanced the farthest thread. The report shows them if
// the sequence does not reach its end.
func (g *group) keepStalled(frame Frame) {
	on := false
	for i := range g.threads {
		if m := g.threads[i].matched; m > g.farthest {
			g.farthest, on = m, true
		}
	}
	switch {
	case on:
		g.stalled = append(append(g.stalled[:0], g.before[around-min(g.beforeCount, around-1):]...), frame)
	case len(g.stalled) < 2*around:
		g.stalled = append(g.stalled, frame)
	}
}

// advance appends the threads that continue thread t after a message. If there are none, it returns the reason.
func (r *run) advance(g *group, t *thread, x *filter.Subject, frame Frame, next *[]thread) ending {
	s := r.machine.expand(t.state)
	broken := r.forbidden(t, s, x)
	fitted := false
	var timed *Step
	how := unfit
	for i := range s.options {
		o := &s.options[i]
		r.spend(r.costs.of(o.step, x))
		if broken != nil && broken.until != o.step {
			continue
		}
		switch v := o.step.fit(x, t); v {
		case fits:
			fitted = true
			if len(*next) >= maxThreads {
				r.ambiguous = true
				continue
			}
			taken := t.after(o, x)
			r.spend(len(*next)/8 + len(taken.memory.values))
			for _, w := range r.machine.ways(o.after) {
				taken.state = w
				if !slices.ContainsFunc(*next, func(o thread) bool { return o.equals(&taken) }) {
					*next = append(*next, taken)
				}
			}
		case unfit:
			r.noteNearMiss(g, t, o.step, x, frame)
		default:
			timed, how = o.step, v
		}
	}
	switch {
	case fitted:
		return ending{}
	case broken != nil:
		return ending{t, broken.step, forbidden}
	case s.free, r.passes(x, t, how):
		*next = append(*next, *t)
		return ending{}
	case how == tooLate || how == tooEarly:
		return ending{t, timed, untimely}
	}
	if s.ends && len(s.options) == 0 {
		return ending{t, nil, surplus}
	}
	return ending{t, r.waiting(s, t, x), another}
}

// passes reports whether the mode allows a message that matches none of the steps that may come next. how says why none
// of them matches.
func (r *run) passes(x *filter.Subject, t *thread, how fit) bool {
	switch r.expectation.mode {
	case modeLoose:
		return how == unfit && !r.isNamed(x, t)
	case modeOrdered:
		return how == unfit && x.Message.Layer.Core().Message.Recurs == wire.Anytime && !r.isNamed(x, t)
	case modeOpen:
		return how == tooEarly || how == unfit
	}
	return false
}

// forbidden returns the item that forbids a message in a state, or nil.
func (r *run) forbidden(t *thread, s *state, x *filter.Subject) *item {
	for _, list := range [][]*item{t.guards, s.guards} {
		for _, guard := range list {
			if guard.step.matches(x, t, false) {
				return guard
			}
		}
	}
	return nil
}

// isNamed reports whether a message matches any step of the sequence.
func (r *run) isNamed(x *filter.Subject, t *thread) bool {
	for _, list := range [][]*Step{r.costs.named[x.Message.Name], r.costs.named[""]} {
		for _, st := range list {
			r.spend(r.costs.of(st, x))
			if st.matches(x, t, false) {
				return true
			}
		}
	}
	return false
}

// waiting returns the step that a state waits for. Among steps for the message's type, it returns the one that the
// message matches best. If there are no such steps, it returns the last possible step of the sequence. At the end of
// the capture, x is nil.
func (r *run) waiting(s *state, t *thread, x *filter.Subject) *Step {
	var best *Step
	bestFit := -1
	for i := range s.options {
		st := s.options[i].step
		fit := st.place
		if x != nil && st.isNamedBy(x) {
			x.Bindings = t.memory.values
			fit += maxSteps * (1 + st.fulfilledParts(x))
		}
		if fit > bestFit {
			best, bestFit = st, fit
		}
	}
	return best
}

func (st *Step) fulfilledParts(x *filter.Subject) (n int) {
	for i := range st.where {
		if st.where[i].Match(x) {
			n++
		}
	}
	return n
}

// noteNearMiss records a message if it is the best match so far for a step that the farthest thread waits for.
func (r *run) noteNearMiss(g *group, t *thread, st *Step, x *filter.Subject, frame Frame) {
	if n := g.nearest; n != nil && n.matched > t.matched || !st.isNamedBy(x) {
		return
	}
	parts := st.fulfilledParts(x)
	if n := g.nearest; n != nil && n.matched == t.matched && n.parts >= parts {
		return
	}
	g.nearest = &nearMiss{step: st, frame: frame, matched: t.matched, parts: parts, differs: st.differs(x)}
}

// differs explains each condition that is false. It omits conditions on values that were never saved, unless there is
// no other explanation.
func (st *Step) differs(x *filter.Subject) (list []string) {
	for i := range st.where {
		if cond := &st.where[i]; !cond.Match(x) {
			list = append(list, cond.Explain(x))
		}
	}
	unsaved := func(text string) bool { return strings.HasSuffix(text, filter.NotSaved) }
	if explained := slices.DeleteFunc(slices.Clone(list), unsaved); len(explained) > 0 {
		return explained
	}
	return list
}

// checkEnd adds a failure if messages are still missing at the end of the capture.
func (r *run) checkEnd(g *group) {
	if len(g.threads) == 0 {
		return
	}
	far := &g.threads[0]
	for i := range g.threads {
		t := &g.threads[i]
		if r.machine.expand(t.state).ends && !slices.Contains(t.memory.echoed, true) {
			return
		}
		if t.matched > far.matched {
			far = t
		}
	}
	f := r.fail(far, r.waiting(r.machine.expand(far.state), far, nil))
	f.Before = g.stalled
	if n := g.nearest; n != nil && n.matched == far.matched {
		f.Step, f.Nearest, f.Differs = n.step, &n.frame, n.differs
	}
	f.Cause = f.absence()
	g.fail(f)
}

// finding counts a finding of the group if the bounds forbid the finding.
func (r *run) finding(g *group, rule *wire.Rule, text string, p *wire.Place) {
	b := &r.expectation.bounds
	if !b.findings || rule.Severity < b.severity {
		return
	}
	if slices.ContainsFunc(b.allow, func(pattern string) bool { ok, _ := path.Match(pattern, rule.ID); return ok }) {
		return
	}
	if g.findings.count++; g.findings.count == 1 || g.findings.count <= maxFindings && r.budget.memory > 0 {
		f := Finding{Frame: p.Frame, Rule: rule, Text: text}
		g.first = append(g.first, f)
		r.take(g, f.size())
	}
}

func (r *run) fail(t *thread, st *Step) *Failure {
	f := &Failure{Step: st, Matched: t.matched}
	for slot, name := range r.expectation.names {
		if v, frame := t.memory.bound(slot); v != nil {
			f.Bound = append(f.Bound, name+" = "+v.Short()+" (frame "+strconv.Itoa(frame)+")")
		}
	}
	return f
}
