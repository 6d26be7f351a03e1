package screen

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/report"
	"github.com/gamedissect/gamedissect/internal/summary"
)

func (s *screen) servers() section {
	all := s.of.Servers
	if len(all) == 0 {
		return section{}
	}
	part := section{heading: "SERVERS " + report.FormatCount(int64(len(all)))}
	part.table = grid{flexes: []int{5, 3, 4}, minimum: 8}
	var bare [][]string // servers with only an address, for example from a master's list
	for i := range all {
		of := &all[i]
		row := []string{of.Address.String(), of.Protocol, crowd(of), format.Unquoted(of.Name),
			format.Unquoted(of.Map), format.Unquoted(of.Version), state(of)}
		if strings.Join(row[2:], "") == "" {
			bare = append(bare, row)
		} else {
			part.table.rows = append(part.table.rows, row)
		}
	}
	shown := len(bare)
	if shown > maxAlike {
		shown = maxAlike - 1
	}
	omitted := len(bare) - shown
	part.table.rows, part.omitted = append(part.table.rows, bare[:shown]...), omitted
	part.rest = func(n int) string {
		more := "  and " + report.FormatCount(int64(n)) + " more"
		if n == omitted {
			more += ", known only by address"
		}
		return more + s.hint("-T json has all")
	}
	return part
}

// kinds returns the number of servers of each protocol.
func (s *screen) kinds() string {
	count, text := make(map[string]int64), ""
	for i := range s.of.Servers {
		count[s.of.Servers[i].Protocol]++
	}
	if len(count) == 1 {
		return " " + s.of.Servers[0].Protocol
	}
	for i, protocol := range slices.Sorted(maps.Keys(count)) {
		text += []string{": ", ", "}[min(i, 1)] + report.FormatCount(count[protocol]) + " " + protocol
	}
	return text
}

// crowd returns the highest number of players on a server, or the number of servers that a master lists.
func crowd(of *summary.Server) string {
	switch {
	case of.Master && of.Games > 0:
		return "master, " + report.Plural(int64(of.Games), "server")
	case of.Master:
		return "master"
	case of.Most == nil:
		return ""
	}
	most, extreme := report.FormatCount(*of.Most), "at most "
	if of.AtLeast {
		extreme = "at least "
	}
	if of.Limit > 0 {
		most += "/" + report.FormatCount(of.Limit)
	}
	switch {
	case of.Now != nil:
		return report.FormatCount(*of.Now) + " now, " + extreme + most
	case of.Limit > 0 && !of.AtLeast:
		return most + " players"
	case *of.Most == 1 && of.Limit == 0:
		return extreme + "1 player"
	}
	return extreme + most + " players"
}

// state returns what is wrong with a server, or "".
func state(of *summary.Server) string {
	switch {
	case of.NotListed != "":
		return "not listed"
	case of.Without() > 0:
		return answered(of.Asked, of.Answered, of.Without(), "")
	case of.Asked > 0 && of.Answered == 0 && of.Most == nil:
		return "no answer captured"
	case of.Findings > 0:
		return report.Plural(of.Findings, "finding")
	}
	return ""
}

// answered formats how many queries were answered. If some queries were answered twice, these numbers do not add up, so
// answered formats how many were not answered. The noun may be empty.
func answered(asked, answers, without int64, noun string) string {
	switch {
	case answers+without <= asked:
		return report.FormatCount(answers) + " of " + report.FormatCount(asked) + noun + " answered"
	case without <= asked:
		return report.FormatCount(without) + " of " + report.FormatCount(asked) + noun + " unanswered"
	}
	return report.FormatCount(without) + noun + " unanswered"
}

func (s *screen) players() section {
	all := s.of.Players
	if len(all) == 0 {
		return section{}
	}
	part := section{heading: "PLAYERS " + crowdOf(all)}
	part.rest = func(n int) string {
		return "  and " + report.FormatCount(int64(n)) + " more" + s.hint("-z players has all")
	}
	part.table = grid{flexes: []int{0}, minimum: 12}
	versions := make(map[string]int)
	for i := range all {
		p := &all[i]
		if p.Version != "" {
			versions[p.Version]++
		}
		row := []string{format.Unquoted(p.Name), format.Unquoted(p.Team), p.Score, lag(p.Lag), played(p.Played), ""}
		switch {
		case p.Removed != "":
			row[5] = "removed"
		case p.Findings > 0:
			row[5] = report.Plural(p.Findings, "finding")
		}
		part.table.rows = append(part.table.rows, row)
	}
	of := ", version "
	for _, version := range slices.SortedFunc(maps.Keys(versions), func(a, b string) int {
		return cmp.Or(cmp.Compare(versions[b], versions[a]), cmp.Compare(a, b))
	}) {
		part.heading += of + format.Unquoted(version)
		if of = ", "; versions[version] < len(all) {
			part.heading += " (" + report.Plural(int64(versions[version]), "player") + ")"
		}
	}
	return part
}

// crowdOf counts players and observers.
func crowdOf(all []summary.Player) string {
	watching := int64(0)
	for i := range all {
		if all[i].Observer {
			watching++
		}
	}
	text := report.FormatCount(int64(len(all)) - watching)
	if watching > 0 {
		text += ", " + report.Plural(watching, "observer")
	}
	return text
}

// played formats how long a player played. It returns "" if that is unknown or less than a second.
func played(seconds int64) string {
	if seconds == 0 {
		return ""
	}
	return "played " + report.FormatSpan(time.Duration(min(seconds, 1e9))*time.Second)
}

// lag formats the median and the worst lag of a player. It returns "" if none was measured.
func lag(t *summary.Times) string {
	switch {
	case t == nil:
		return ""
	case t.Count == 1:
		return "lag " + duration(t.Worst)
	}
	return "lag " + duration(t.Median) + ", worst " + duration(t.Worst)
}

// times formats the median, the worst value, and the name of whoever had the worst value.
func times(t *summary.Times) string {
	return "median " + duration(t.Median) + ", worst " + duration(t.Worst) + ": " + format.Unquoted(t.Whose)
}

// share formats how many updates are missing, also as a percentage.
func share(missing, all int64) string {
	return fmt.Sprintf("%s of %s (%.1f %%)", report.FormatCount(missing), report.Plural(all, "update"),
		100*float64(missing)/float64(max(all, 1)))
}

func duration(seconds float64) string { return report.FormatDuration(int64(seconds * 1e9)) }

// healthWidth is the width of the labels of health lines.
const healthWidth = len("unreachable")

// leastJitter is the minimum jitter that the screen shows, in seconds. Servers warn only about much higher values.
const leastJitter = 1e-3

func (s *screen) health() section {
	h := &s.of.Health
	if s.of.Packets == 0 || s.of.Messages == 0 && len(h.Findings) == 0 && s.of.Failures == 0 {
		return section{}
	}
	failures := ""
	if s.of.Failures > 0 {
		failures = report.Plural(s.of.Failures, "failure")
	}
	wrong := term.Between(", ", failures, counts(h.Errors, h.Warnings))
	part := section{heading: "HEALTH " + cmp.Or(wrong, "no error, no warning")}
	if h.Notes > 0 {
		part.heading += ", " + report.Plural(h.Notes, "note")
	}
	part.rest = func(n int) string { return fmt.Sprintf("  and %d more lines%s", n, s.hint("-T json has all")) }
	part.lines = s.findings()
	s.failures(&part)
	say := func(what, format string, args ...any) {
		part.lines = append(part.lines, label(what)+fmt.Sprintf(format, args...))
	}
	if h.Lag != nil {
		say("lag", "%s", times(h.Lag))
	}
	if h.Jitter != nil && h.Jitter.Worst >= leastJitter {
		say("jitter", "%s", times(h.Jitter))
	}
	if h.Answers != nil {
		say("answer time", "%s", times(h.Answers))
	}
	if h.Gaps > 0 {
		say("lost", "%s in %s", report.Plural(h.Lost, "TCP byte"), report.Plural(h.Gaps, "gap"))
	}
	if h.OutOfOrder > 0 {
		say("order", "%s out of order: some counts may be too low", report.Plural(h.OutOfOrder, "TCP segment"))
	}
	if h.Missing > 0 {
		say("missing", "%s from players, sent over UDP", share(h.Missing, h.Updates))
	}
	if h.MissingTo > 0 {
		say("missing", "%s to players, sent over UDP", share(h.MissingTo, h.UpdatesTo))
	}
	if h.Incomplete > 0 {
		say("lists", "%s of %s incomplete", report.FormatCount(h.Incomplete), report.FormatCount(h.Lists))
	}
	return part
}

// maxAlike limits lines of one kind, and maxRules limits lines about findings.
const (
	maxAlike = 4
	maxRules = 5
)

// some adds a line for each item of a list, but at most maxAlike lines. If there are at most three items, the first two
// may take two lines each.
func some[T any](s *screen, to *section, list []T, what string, text func(T) string) {
	shown := len(list)
	if shown > maxAlike {
		shown = maxAlike - 1
	}
	for i, one := range list[:shown] {
		line := label(what) + text(one)
		if i > 1 || shown > 3 {
			to.lines = append(to.lines, line)
			continue
		}
		to.lines = append(to.lines, s.twoLines(line)...)
	}
	if n := len(list) - shown; n > 0 {
		to.lines = append(to.lines, label(what)+fmt.Sprintf("and %d more", n))
	}
}

// twoLines splits a health line that is too wide, if there is room for two lines. The second line has no label and may
// still be too wide.
func (s *screen) twoLines(line string) []string {
	if s.brief {
		return []string{line}
	}
	const indent = healthWidth + 4
	first, _, _ := strings.Cut(string(term.AppendFitting(nil, []byte(line), 0, indent, s.width)), "\n")
	rest := strings.TrimLeft(line[len(first):], " ")
	if rest == "" {
		return []string{first}
	}
	return []string{first, strings.Repeat(" ", indent) + rest}
}

func label(what string) string { return fmt.Sprintf("  %-*s  ", healthWidth, what) }

// findings returns the lines about rules. A line names a rule and ends with an example. For the first rule, and for
// rules with Fact set (see wire.Rule), the example has lines of its own. Other notes get a line only if they are among
// the first two findings.
func (s *screen) findings() (list []string) {
	var all []summary.Finding
	for i, f := range s.of.Health.Findings {
		if f.Severity != "note" || f.Of.Fact || i < 2 {
			all = append(all, f)
		}
	}
	for i := range all {
		f := &all[i]
		if i == maxRules-1 && len(all) > maxRules {
			return append(list, s.moreRules(len(s.of.Health.Findings)-i))
		}
		colour := map[string]string{"error": s.style.Error, "warning": s.style.Warning, "note": s.style.Note}[f.Severity]
		who := whoAndMore(f.Who, int64(f.Senders))
		name := fmt.Sprintf("%-*s", healthWidth, f.Severity)
		line := "  " + colour + name + s.reset(colour) + "  " +
			term.Between("  ", report.FormatCount(f.Count), f.Rule, who)
		example := string(format.AppendPlain(nil, f.Example)) // quotes in it are already escaped
		if i == 0 || f.Of.Fact {
			list = append(append(list, line), s.twoLines(strings.Repeat(" ", healthWidth+4)+example)...)
			continue
		}
		list = append(list, line+": "+example)
	}
	if n := len(s.of.Health.Findings) - len(all); n > 0 && len(all) > 0 {
		list = append(list, s.moreRules(n))
	}
	return list
}

func (s *screen) moreRules(n int) string {
	return "  and " + report.Plural(int64(n), "more rule") + s.hint("-q has them")
}

// whoAndMore names the first of several, and counts the others.
func whoAndMore(first string, all int64) string {
	if all < 2 {
		return format.Unquoted(first)
	}
	return format.Unquoted(first) + " and " + report.FormatCount(all-1) + " more"
}
