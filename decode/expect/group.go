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
	has      bool // a message that "having" asks for
	messages int

	threads  []thread
	failure  *Failure
	nearest  *nearMiss
	before   [around]Frame // the newest last
	seen     int           // frames in before
	stalled  []Frame       // around the message that was the last one to fit
	farthest int
	tallies  []tally
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

func (c *run) newGroup(name string) *group {
	g := &group{name: name, has: c.e.having == nil, tallies: make([]tally, len(c.e.bounds.hold))}
	if c.e.sequence != nil {
		for _, w := range c.machine.ways(c.start) {
			g.threads = append(g.threads, thread{at: w})
		}
	}
	return g
}

// message judges a message of the group.
func (c *run) message(g *group, x *filter.Subject) {
	g.messages++
	g.has = g.has || c.e.having.Match(x)
	for i, m := range c.e.bounds.hold {
		if m.kind != valueOf && (m.message == "" || m.message == x.Message.Name) {
			g.tallies[i].message(x.Place.Time)
		}
	}
	for i := range x.Message.Findings {
		f := &x.Message.Findings[i]
		c.finding(g, f.Rule, f.Text, x.Place)
	}
	frame := Frame{Number: x.Place.Frame, Line: c.line(x.Message)}
	switch {
	case len(g.threads) > 0:
		c.step(g, x, frame)
	case g.failure != nil && len(g.failure.After) < around:
		g.failure.After = append(g.failure.After, frame)
	}
	copy(g.before[:], g.before[1:])
	g.before[around-1] = frame
	g.seen = min(g.seen+1, around)
}

// step moves all threads on.
func (c *run) step(g *group, x *filter.Subject, frame Frame) {
	var next []thread
	var last *Failure
	most := -1
	for i := range g.threads {
		t := &g.threads[i]
		if why := c.move(g, t, x, frame, &next); why != nil && t.matched > most {
			last, most = why, t.matched
		}
	}
	g.threads = next
	g.stall(frame)
	if len(next) == 0 {
		g.failure = last
		g.failure.Frame = &frame
		g.failure.Before = slices.Clone(g.before[around-g.seen:])
		if n := g.nearest; n != nil && n.step == last.Step && n.frame == frame {
			g.failure.Nearest, g.failure.Differs = &frame, n.differs
		}
	}
}

// stall keeps the messages around the last one that brought the sequence on.
func (g *group) stall(frame Frame) {
	on := false
	for i := range g.threads {
		if m := g.threads[i].matched; m > g.farthest {
			g.farthest, on = m, true
		}
	}
	switch {
	case on:
		g.stalled = append(append(g.stalled[:0], g.before[around-min(g.seen, around-1):]...), frame)
	case len(g.stalled) < 2*around:
		g.stalled = append(g.stalled, frame)
	}
}

// move appends the threads that a message makes of one. If there are none it says why.
func (c *run) move(g *group, t *thread, x *filter.Subject, frame Frame, next *[]thread) *Failure {
	s := c.machine.look(t.at)
	broken := c.forbidden(t, s, x)
	fitted := false
	var timed *Step
	how := other
	for i := range s.options {
		o := &s.options[i]
		if broken != nil && broken.until != o.step {
			continue
		}
		switch v := o.step.judge(x, t); v {
		case fits:
			fitted = true
			if len(*next) >= maxThreads {
				c.ambiguous = true
				continue
			}
			taken := t.take(o, x)
			for _, w := range c.machine.ways(o.after) {
				taken.at = w
				if !slices.ContainsFunc(*next, func(o thread) bool { return o.same(&taken) }) {
					*next = append(*next, taken)
				}
			}
		case other:
			c.near(g, t, o.step, x, frame)
		default:
			timed, how = o.step, v
		}
	}
	switch {
	case fitted:
		return nil
	case broken != nil:
		return c.fail(t, broken.step, "must not come here: "+broken.step.Text)
	case s.free || how == early && c.e.mode == open || how == other && (c.e.mode == open || c.e.mode == loose && !c.named(x, t)):
		*next = append(*next, *t)
		return nil
	case how == late || how == early:
		return c.fail(t, timed, c.mistimed(t, timed, x.Place.Time, how))
	}
	if s.ends && len(s.options) == 0 {
		return c.fail(t, nil, "came after the sequence had ended")
	}
	return c.fail(t, c.waiting(s), "came instead")
}

// forbidden gives what forbids a message in a state, nil if nothing does.
func (c *run) forbidden(t *thread, s *state, x *filter.Subject) *item {
	for _, list := range [][]*item{t.guards, s.guards} {
		for _, guard := range list {
			if guard.step.matches(x, t, false) {
				return guard
			}
		}
	}
	return nil
}

// named reports whether a message fits any step of the sequence.
func (c *run) named(x *filter.Subject, t *thread) bool {
	for _, st := range c.e.steps {
		if st.matches(x, t, false) {
			return true
		}
	}
	return false
}

// waiting is the step that a state waits for: the first one, or behind what may be over the last.
func (c *run) waiting(s *state) *Step {
	switch {
	case len(s.options) == 0:
		return nil
	case s.key.item != nil && (s.key.item.kind == repeat || s.key.item.kind == never):
		return s.options[len(s.options)-1].step
	}
	return s.options[0].step
}

// near remembers the message that came nearest to a step of the thread that came farthest.
func (c *run) near(g *group, t *thread, st *Step, x *filter.Subject, frame Frame) {
	if n := g.nearest; n != nil && n.matched > t.matched || !st.names(x) {
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
		if c := &st.where[i]; !c.Match(x) {
			n.differs = append(n.differs, c.Explain(x))
		}
	}
	g.nearest = n
}

// end judges what did not come.
func (c *run) end(g *group) {
	if len(g.threads) == 0 {
		return
	}
	far := &g.threads[0]
	for i := range g.threads {
		t := &g.threads[i]
		if c.machine.look(t.at).ends && !slices.Contains(t.memory.echoed, true) {
			return
		}
		if t.matched > far.matched {
			far = t
		}
	}
	g.failure = c.fail(far, c.waiting(c.machine.look(far.at)), "did not come")
	g.failure.Before = g.stalled
	if n := g.nearest; n != nil && n.matched == far.matched {
		g.failure.Step, g.failure.Nearest, g.failure.Differs = n.step, &n.frame, n.differs
	}
}

// finding looks at a finding of the group.
func (c *run) finding(g *group, r *wire.Rule, text string, p *wire.Place) {
	b := &c.e.bounds
	if !b.findings || r.Severity < b.severity {
		return
	}
	if slices.ContainsFunc(b.allow, func(pattern string) bool { ok, _ := path.Match(pattern, r.ID); return ok }) {
		return
	}
	if g.findings.count++; g.findings.count <= maxFindings {
		g.first = append(g.first, Finding{Frame: p.Frame, Rule: r, Text: text})
	}
}

// fail makes a failure of a thread.
func (c *run) fail(t *thread, st *Step, reason string) *Failure {
	f := &Failure{Step: st, Reason: reason, Matched: t.matched}
	for slot, name := range c.e.names {
		if v, frame := t.memory.bound(slot); v != nil {
			f.Bound = append(f.Bound, name+" = "+v.String()+" (frame "+strconv.Itoa(frame)+")")
		}
	}
	return f
}
