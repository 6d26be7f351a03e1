package expect

import (
	"slices"

	"github.com/goccy/go-yaml/ast"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
	"github.com/gamedissect/gamedissect/internal/stats"
	"github.com/gamedissect/gamedissect/internal/summary"
)

// anyFailure means all outcomes that are failures.
const anyFailure = "failed"

// attemptsMemory limits the memory for the attempts of a check or of a recorded session, in bytes.
const attemptsMemory = 1 << 20

// attemptKinds lists the kinds of attempts that protocols have.
func attemptKinds(protocols []*wire.Protocol) (names []string) {
	for _, p := range protocols {
		for i := range p.Tables {
			if t := &p.Tables[i]; t.Name == "queries" || slices.Contains(t.Columns, wire.AttemptOutcome) {
				names = append(names, t.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(append(names, decode.Connections.Name))
}

// outcomeNames lists the outcomes that "hold" can compare.
func outcomeNames() []string {
	names := []string{anyFailure}
	for o := wire.Done; o <= wire.NotKnown; o++ {
		names = append(names, o.String())
	}
	return names
}

// attempts loads a measure that counts attempts, such as "joins done".
func (l *loader) attempts(n ast.Node, m *measure, kind, outcome string) {
	e := l.expectation
	if e.per != perCapture {
		l.fail(n, "hold: attempts are counted in the whole capture; write per: capture")
	}
	protocols := l.schema.Protocols()
	if e.protocol != nil {
		protocols = []*wire.Protocol{e.protocol}
	}
	kinds := attemptKinds(protocols)
	if !slices.Contains(kinds, kind) {
		l.fail(n, "hold: there are no attempts called %q%s%s", kind, filter.DidYouMean(filter.Nearest(kind, kinds)),
			there("attempts", kinds))
	}
	if names := outcomeNames(); !slices.Contains(names, outcome) {
		l.fail(n, "hold: %q is not an outcome%s%s", outcome, filter.DidYouMean(filter.Nearest(outcome, names)),
			there("outcomes", names))
	}
	m.kind, m.what, m.aggregate = attemptsOf, kind, outcome
}

// counts reports whether a measure counts attempts.
func (m *measure) counts(a *stats.Attempts) bool {
	return a.Kind == m.what && (a.Outcome == m.aggregate || m.aggregate == anyFailure && a.Failed)
}

// boundsAttempts reports whether an expectation has bounds on attempts.
func (e *Expectation) boundsAttempts() bool {
	return slices.ContainsFunc(e.bounds.hold, func(m *measure) bool { return m.kind == attemptsOf })
}

// Attempt counts an attempt.
func (c *Check) Attempt(a *wire.Attempt) {
	if c.attempts != nil {
		c.attempts.Attempt(a)
	}
}

// Any handles every value that trackers measure, even those that the caller's filter does not select, because questions
// are attempts.
func (c *Check) Any(v *wire.Value) {
	if c.attempts != nil {
		c.attempts.Value(v)
	}
}

// attempted counts the attempts in a capture for an expectation. If the capture has no group, attempted makes one,
// because a capture with unanswered attempts may have no message of the protocol.
func (r *run) attempted(all []*stats.Attempts) {
	if !r.expectation.boundsAttempts() {
		return
	}
	g := r.groups[groupKey{}]
	for _, a := range all {
		if p := r.expectation.protocol; p != nil && p.Name != a.Protocol {
			continue
		}
		if g == nil {
			g = &group{name: perCapture, relevant: true, tallies: make([]tally, len(r.expectation.bounds.hold))}
			r.groups[groupKey{}], r.ordered = g, append(r.ordered, g)
		}
		for i, m := range r.expectation.bounds.hold {
			if m.kind == attemptsOf && m.counts(a) && !g.excluded {
				g.tallies[i].count += a.Count
			}
		}
	}
}

// maxSessions limits the number of sessions with recorded attempts.
const maxSessions = 200

// Attempt records an attempt.
func (r *Recorder) Attempt(a *wire.Attempt) {
	if t := r.session(a.File); t != nil && a.Over {
		t.Attempt(a)
	}
}

// Value records two kinds of values that trackers measure: questions, which are attempts, and losses.
func (r *Recorder) Value(v *wire.Value) {
	if v.Protocol == nil || v.Event {
		return
	}
	t := r.session(v.File)
	if t == nil {
		return
	}
	if !slices.Contains(t.Protocols, v.Protocol) {
		t.Protocols = append(t.Protocols, v.Protocol)
	}
	t.Value(v)
	if name := v.Table + "." + v.What; slices.Contains(losses, name) {
		t.lost[lossKey{v.Protocol, name}] += int64(v.Number)
	}
}

// losses are the table columns that count losses: server lists with missing packets, and players missing from the
// capture.
var losses = []string{"lists.incomplete", "players.missing"}

type lossKey struct {
	protocol *wire.Protocol
	what     string
}

// A sessionTally counts the attempts and the losses of a session.
type sessionTally struct {
	*summary.Tally
	lost map[lossKey]int64
}

// lossesOf returns a protocol's losses: for each column, the maximum over all sessions.
func (r *Recorder) lossesOf(p *wire.Protocol) map[string]int64 {
	most := make(map[string]int64)
	for i := range p.Tables {
		for _, column := range p.Tables[i].Columns {
			if what := p.Tables[i].Name + "." + column; slices.Contains(losses, what) {
				most[what] = 0
				for _, t := range r.attempts {
					most[what] = max(most[what], t.lost[lossKey{p, what}])
				}
			}
		}
	}
	return most
}

// session returns the tally of a file. It returns nil if there are too many files.
func (r *Recorder) session(file string) *sessionTally {
	t := r.attempts[file]
	if t == nil && len(r.attempts) < maxSessions {
		t = &sessionTally{summary.NewTally(nil, attemptsMemory), make(map[lossKey]int64)}
		r.attempts[file] = t
	}
	return t
}

// recordedAttempts has the numbers of one kind of attempts in all sessions.
type recordedAttempts struct {
	kind         string
	done         int64 // minimum over all sessions
	failed       int64 // maximum number of failures in a session
	most         map[string]int64
	sessionsDone int
}

// attemptsOf returns the attempts of a protocol in the recorded sessions, by kind.
func (r *Recorder) attemptsOf(p *wire.Protocol) (list []*recordedAttempts) {
	for _, kind := range attemptKinds([]*wire.Protocol{p}) {
		of := &recordedAttempts{kind: kind, most: make(map[string]int64)}
		some := false
		for _, t := range r.attempts {
			now := make(map[string]int64)
			for _, a := range t.Outcomes() {
				if a.Protocol == p.Name && a.Kind == kind {
					now[a.Outcome] += a.Count
					if a.Failed {
						now[anyFailure] += a.Count
					}
				}
			}
			some = some || now[wire.Done.String()]+now[anyFailure] > 0
			if n := now[wire.Done.String()]; n > 0 {
				if of.sessionsDone++; of.sessionsDone == 1 || n < of.done {
					of.done = n
				}
			}
			for o := wire.Refused; o.Failed(); o++ {
				if n := now[o.String()]; n > 0 {
					of.most[o.String()] = max(of.most[o.String()], n)
				}
			}
			of.failed = max(of.failed, now[anyFailure])
		}
		if of.sessionsDone < len(r.files) {
			of.done = 0 // some sessions have no successful attempt
		}
		if some {
			list = append(list, of)
		}
	}
	return list
}
