package expect

import (
	"path"
	"slices"
	"strconv"

	"github.com/gamedissect/gamedissect/decode/filter"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// A group is a part of the traffic that has to fulfil an expectation by itself.
type group struct {
	name     string
	relevant bool // a message that "having" asks for
	messages int

	threads     []thread
	failure     *Failure
	nearest     *nearMiss
	before      [around]Frame // the newest last
	beforeCount int           // frames in before
	stalled     []Frame       // around the message that was the last one to fit
	farthest    int
	bytes       int // that were accounted for
	tallies     []tally
	findings
}

// around is how many messages a failure shows before and after it.
const around = 3

// findings are those that the bounds do not allow.
type findings struct {
	count int
	first []Finding
}

const maxFindings = 10 // that are shown

// A nearMiss is the message that came nearest to a step that waited.
type nearMiss struct {
	step    *Step
	frame   Frame
	matched int
	parts   int // conditions that were true
	differs []string
}

// newGroup begins a group.
func (r *run) newGroup(name string) *group {
	g := &group{name: name, relevant: r.expectation.having == nil, tallies: make([]tally, len(r.expectation.bounds.hold))}
	if r.expectation.sequence != nil {
		for _, w := range r.machine.ways(r.start) {
			g.threads = append(g.threads, thread{state: w})
		}
	}
	return g
}

// message takes the next message of the group.
func (r *run) message(g *group, x *filter.Subject) {
	g.messages++
	g.relevant = g.relevant || r.expectation.having.Match(x)
	for i, m := range r.expectation.bounds.hold {
		if m.kind != valueOf && (m.message == "" || m.message == x.Message.Name) {
			g.tallies[i].message(x.Place.Time)
		}
	}
	for i := range x.Message.Findings {
		f := &x.Message.Findings[i]
		r.finding(g, f.Rule, f.Text, x.Place)
	}
	frame := Frame{Number: x.Place.Frame, Line: r.line(x.Message)}
	switch {
	case len(g.threads) > 0 && !r.tired && !r.machine.overflow: // else the result is known
		r.advanceAll(g, x, frame)
	case g.failure != nil && len(g.failure.After) < around:
		g.failure.After = append(g.failure.After, frame)
	}
	copy(g.before[:], g.before[1:])
	g.before[around-1] = frame
	g.beforeCount = min(g.beforeCount+1, around)
}

// advanceAll gives all threads the next message.
func (r *run) advanceAll(g *group, x *filter.Subject, frame Frame) {
	var next []thread
	var last *Failure
	most := -1
	r.work.left += r.work.each
	for i := range g.threads {
		if r.tired || r.machine.overflow {
			return
		}
		t := &g.threads[i]
		if why := r.advance(g, t, x, frame, &next); why != nil && t.matched > most {
			last, most = why, t.matched
		}
	}
	g.threads = next
	g.keepStalled(frame)
	if len(next) == 0 {
		g.failure = last
		g.failure.Frame = &frame
		g.failure.Before = slices.Clone(g.before[around-g.beforeCount:])
		if n := g.nearest; n != nil && n.step == last.Step && n.frame == frame {
			g.failure.Nearest, g.failure.Differs = &frame, n.differs
		}
	}
}

// keepStalled keeps the messages around the last one that brought the sequence on.
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

// advance appends the threads that a message makes of one. If there are none it says why.
func (r *run) advance(g *group, t *thread, x *filter.Subject, frame Frame, next *[]thread) *Failure {
	s := r.machine.expand(t.state)
	broken := r.forbidden(t, s, x)
	fitted := false
	var timed *Step
	how, mode := unfit, r.expectation.mode
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
		return nil
	case broken != nil:
		return r.fail(t, broken.step, "must not come here: "+broken.step.Text)
	case s.free || how == unfit && mode == modeLoose && !r.isNamed(x, t),
		mode == modeOpen && (how == tooEarly || how == unfit):
		*next = append(*next, *t)
		return nil
	case how == tooLate || how == tooEarly:
		return r.fail(t, timed, r.mistimed(t, timed, x.Place.Time, how))
	}
	if s.ends && len(s.options) == 0 {
		return r.fail(t, nil, "came after the sequence had ended")
	}
	return r.fail(t, r.waiting(s), "came instead")
}

// forbidden gives what forbids a message in a state, nil if nothing does.
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

// isNamed reports whether a message fits any step of the sequence.
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

// waiting is the step that a state waits for: the first one, or behind what may be over the last.
func (r *run) waiting(s *state) *Step {
	switch {
	case len(s.options) == 0:
		return nil
	case s.key.item != nil && (s.key.item.kind == repeat || s.key.item.kind == never):
		return s.options[len(s.options)-1].step
	}
	return s.options[0].step
}

// noteNearMiss remembers the message that came nearest to a step of the thread that came farthest.
func (r *run) noteNearMiss(g *group, t *thread, st *Step, x *filter.Subject, frame Frame) {
	if n := g.nearest; n != nil && n.matched > t.matched || !st.isNamedBy(x) {
		return
	}
	parts := 0
	for i := range st.where {
		if st.where[i].Match(x) {
			parts++
		}
	}
	if n := g.nearest; n != nil && n.matched == t.matched && n.parts >= parts {
		return
	}
	n := &nearMiss{step: st, frame: frame, matched: t.matched, parts: parts}
	for i := range st.where {
		if cond := &st.where[i]; !cond.Match(x) {
			n.differs = append(n.differs, cond.Explain(x))
		}
	}
	g.nearest = n
}

// checkEnd makes a failure of what did not come, once the capture has ended.
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
	g.failure = r.fail(far, r.waiting(r.machine.expand(far.state)), "did not come")
	g.failure.Before = g.stalled
	if n := g.nearest; n != nil && n.matched == far.matched {
		g.failure.Step, g.failure.Nearest, g.failure.Differs = n.step, &n.frame, n.differs
	}
}

// finding looks at a finding of the group.
func (r *run) finding(g *group, rule *wire.Rule, text string, p *wire.Place) {
	b := &r.expectation.bounds
	if !b.findings || rule.Severity < b.severity {
		return
	}
	if slices.ContainsFunc(b.allow, func(pattern string) bool { ok, _ := path.Match(pattern, rule.ID); return ok }) {
		return
	}
	if g.findings.count++; g.findings.count <= maxFindings {
		g.first = append(g.first, Finding{Frame: p.Frame, Rule: rule, Text: text})
	}
}

// fail makes a failure of a thread.
func (r *run) fail(t *thread, st *Step, reason string) *Failure {
	f := &Failure{Step: st, Reason: reason, Matched: t.matched}
	for slot, name := range r.expectation.names {
		if v, frame := t.memory.bound(slot); v != nil {
			f.Bound = append(f.Bound, name+" = "+v.String()+" (frame "+strconv.Itoa(frame)+")")
		}
	}
	return f
}
