package screen

import (
	"fmt"
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/report"
	"github.com/gamedissect/gamedissect/internal/summary"
)

// maxFailures is the number of lines about failures, without the line that counts the rest.
const maxFailures = 7

// failures adds lines for three cases: attempts that failed, with one line per outcome and cause; servers that did not
// answer all queries; and attempts that succeeded late.
func (s *screen) failures(to *section) {
	before := len(to.lines)
	for _, group := range s.failed() {
		some(s, to, group, outcome(&group[0]), func(a summary.Attempts) string { return s.failure(&a) })
	}
	some(s, to, s.of.Health.Unanswered, wire.Unanswered.String(), func(u summary.Unanswered) string {
		return u.Server.String() + ": " + answered(u.Asked, u.Answered, u.Without, " queries") + without(&u)
	})
	var slow []summary.Attempts
	for _, a := range s.of.Attempts {
		if a.Outcome == wire.Done.String() {
			slow = append(slow, a)
		}
	}
	some(s, to, slow, "slow", func(a summary.Attempts) string { return s.failure(&a) })
	if n := len(to.lines) - before - maxFailures; n > 1 {
		to.lines = append(to.lines[:before+maxFailures], fmt.Sprintf("  and %d more lines%s", n, s.hint("-T json has all")))
	}
}

// failed returns the attempts that failed, grouped by label. It leaves out unanswered queries, because they have their
// own lines.
func (s *screen) failed() (groups [][]summary.Attempts) {
	for i := range s.of.Attempts {
		a := &s.of.Attempts[i]
		if !a.Failed || a.Kind == "queries" && a.Outcome != wire.Abandoned.String() {
			continue
		}
		at := slices.IndexFunc(groups, func(g []summary.Attempts) bool { return outcome(&g[0]) == outcome(a) })
		if at < 0 {
			at, groups = len(groups), append(groups, nil)
		}
		groups[at] = append(groups[at], *a)
	}
	return groups
}

// without returns the reason why queries have no answer, if the reason is known.
func without(u *summary.Unanswered) string {
	switch {
	case u.Unreached > 0 && u.Unreached == u.Without:
		return ", ICMP: port unreachable"
	case u.Unreached > 0:
		return fmt.Sprintf(", ICMP: port unreachable %d times", u.Unreached)
	case u.Unreadable > 0:
		return ", " + report.Plural(u.Unreadable, "answer") + " cannot be read"
	case u.Silent:
		return ", the capture has no packet from the server"
	}
	return ""
}

// outcome returns the label of failed attempts. A server that is listed by any master counts as listed.
func outcome(a *summary.Attempts) string {
	if a.Kind == "listing" && !a.Elsewhere {
		return "not listed"
	}
	return a.Outcome
}

// failure describes attempts that failed for the same reason: who tried, at which server, how often, and why it failed.
func (s *screen) failure(a *summary.Attempts) string {
	who := whoAndMore(s.named(a), int64(len(a.Who)))
	if servers := s.of.Servers; a.Kind == "listing" || len(servers) != 1 || servers[0].Address != a.Asked[0] {
		who += " at " + whoAndMore(a.Asked[0].String(), int64(len(a.Asked)))
	}
	often := ""
	switch silent := a.Outcome == wire.Unanswered.String() || a.Outcome == wire.Unreachable.String(); {
	case silent && a.Tries > 1:
		often = fmt.Sprintf(" (%d tries)", a.Tries)
	case a.AtOnce:
		often = fmt.Sprintf(" (%d at the same time)", a.Count)
	case a.Count > 1:
		often = fmt.Sprintf(" (%d times)", a.Count)
	}
	elsewhere := ""
	if a.Elsewhere {
		elsewhere = "another master lists it"
	}
	return who + ": " + term.Between(", ", elsewhere, format.Unquoted(a.Cause), format.Unquoted(a.Detail)) + often
}

// named returns the name of whoever made the first attempt. For a server, that is its address and name.
func (s *screen) named(a *summary.Attempts) string {
	at, err := netip.ParseAddrPort(a.Who[0])
	if err != nil {
		return a.Who[0]
	}
	for i := range s.of.Servers {
		if of := &s.of.Servers[i]; of.Address == at && of.Protocol == a.Protocol {
			return term.Between(" ", a.Who[0], of.Name)
		}
	}
	return a.Who[0]
}
