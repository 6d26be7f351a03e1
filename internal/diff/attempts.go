package diff

import (
	"cmp"
	"math"
	"net/netip"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/report"
	"github.com/gamedissect/gamedissect/internal/stats"
	"github.com/gamedissect/gamedissect/internal/summary"
)

// attempts counts the finished attempts of one kind by outcome. It does not count attempts of clients that left, or
// whose outcome is unknown.
type attempts struct {
	failed []*stats.Attempts
	n, of  int64                   // failed attempts, and all attempts
	served map[netip.AddrPort]bool // clients with a successful attempt
	done   *stats.AttemptCase      // a successful attempt
}

// addAttempts adds the attempts of a capture.
func (c *Capture) addAttempts(from *summary.Source) {
	for _, a := range summary.Outcomes(from.Stats, from.Protocols) {
		if !a.Failed && a.Outcome != wire.Done.String() {
			continue
		}
		name := a.Protocol + " " + a.Kind
		kind := c.attempts[name]
		if kind == nil {
			kind = &attempts{served: make(map[netip.AddrPort]bool)}
			c.attempts[name] = kind
		}
		kind.of += a.Count
		if a.Failed {
			kind.n += a.Count
			kind.failed = append(kind.failed, a)
			continue
		}
		kind.done = &a.Cases[0]
		for i := range a.Cases {
			kind.served[a.Cases[i].Asker] = true
		}
	}
}

// share returns the share of attempts that failed. If the parameter of is not nil, share counts only failures with that
// group's cause and outcome.
func (k *attempts) share(of *stats.Attempts) float64 {
	if k == nil || k.of == 0 {
		return 0
	}
	n := k.n
	if of != nil {
		n = 0
		for _, a := range k.failed {
			if a.Cause == of.Cause && a.Outcome == of.Outcome {
				n += a.Count
			}
		}
	}
	return float64(n) / float64(k.of)
}

// risen is the minimum increase of the share of failures.
const risen = 0.1

// compareAttempts compares how many attempts failed for each cause. If it finds no difference, it compares how many
// failed in total, since they may have many causes. Failures for usual reasons, such as a full server, do not make a
// capture worse. If the capture may lack packets that show the outcome, the outcome is unknown, and the attempt does
// not count.
func (c *comparer) compareAttempts() {
	for _, name := range sortedNames(c.now.attempts) {
		now := c.now.attempts[name]
		some := false
		for _, a := range now.failed {
			some = c.failure(name, a, a.Count) || some
		}
		if !some && len(now.failed) > 1 {
			c.failure(name, nil, now.n)
		}
	}
}

// failure adds a difference if a greater share of attempts fails for a cause than in the good captures, and reports
// whether it added one. If a is nil, any cause counts.
func (c *comparer) failure(name string, a *stats.Attempts, n int64) bool {
	now := c.now.attempts[name]
	good := c.band(func(g *Capture) float64 { return g.attempts[name].share(a) })
	expected := good[1] * float64(now.of)
	more := now.share(a) >= good[1]+risen && float64(n) >= expected+2*math.Sqrt(expected)
	none := a != nil && good[1] == 0 && now.n == now.of
	if !more && !none && !c.fallen(name, a) {
		return false
	}
	d := Difference{Kind: Attempts, What: name + " fail", Unit: "share", Good: good, Now: now.share(a), weight: 105,
		Note: report.FormatCount(n) + " of " + report.FormatCount(now.of)}
	if a != nil {
		first := &a.Cases[0]
		d.What, d.File, d.Frame, d.Filters = name+" "+a.Outcome, first.File, first.Frame, c.ofAttempts(name, first)
		d.Note += ", " + cmp.Or(first.Who, first.Asker.String()) + ": " + a.Cause
		if first.Detail != "" {
			d.Note += ", " + first.Detail
		}
		if usual.MatchString(a.Cause) {
			d.Kind, d.weight = Notes, 41
		}
	}
	c.add(d)
	return true
}

// ofAttempts returns filters for a failed attempt, and for a successful one of the same kind in a good capture.
func (c *comparer) ofAttempts(name string, a *stats.AttemptCase) Filters {
	some := func(g *Capture) bool { return g.attempts[name] != nil && g.attempts[name].done != nil }
	of := Filters{In: c.first(some), Now: ofAttempt(name, a)}
	if g := c.good[of.In]; some(g) {
		of.Good = ofAttempt(name, g.attempts[name].done)
	}
	return of
}

// ofAttempt returns the filter for the messages of both sides of an attempt. It ignores ports where they may differ: a
// server may answer from a different port, and a game server may announce itself from a port that is not the listed
// one.
func ofAttempt(name string, a *stats.AttemptCase) string {
	asker := a.Asker
	if strings.HasSuffix(name, " listing") {
		asker = netip.AddrPortFrom(asker.Addr(), 0)
	}
	return ofEnds(asker, netip.AddrPortFrom(a.Asked.Addr(), 0))
}

// fallen reports whether a client failed for this cause and never succeeded in this capture, although it succeeded in
// all good captures. An example is a server that disappears from a long list.
func (c *comparer) fallen(name string, a *stats.Attempts) bool {
	return a != nil && slices.ContainsFunc(a.Cases, func(x stats.AttemptCase) bool {
		return !c.now.attempts[name].served[x.Asker] && c.all(func(g *Capture) bool {
			return g.attempts[name] != nil && g.attempts[name].served[x.Asker]
		})
	})
}

// refusals compares the reasons for which servers refused clients that could join later. The attempts of these clients
// did not fail.
func (c *comparer) refusals() {
	for reason, r := range c.now.refused {
		if c.any(func(g *Capture) bool { return g.refused[reason] != nil }) || c.now.failedFor(reason) {
			continue
		}
		d := Difference{Kind: Attempts, What: "refused: " + reason, Now: float64(r.Count), Note: r.Who, weight: 76,
			explained: true, Filters: Filters{Now: "protocol == " + quoted(r.Protocol) + " && info contains " + quoted(reason)}}
		if usual.MatchString(reason) {
			d.Kind, d.weight = Notes, 41
		}
		c.add(d)
	}
}

// failedFor reports whether any attempts failed for a reason.
func (c *Capture) failedFor(reason string) bool {
	for _, k := range c.attempts {
		if slices.ContainsFunc(k.failed, func(a *stats.Attempts) bool { return strings.HasPrefix(reason, a.Cause) }) {
			return true
		}
	}
	return false
}
