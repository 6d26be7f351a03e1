package summary

import (
	"cmp"
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// Attempts counts attempts of a kind that ended in the same way, for the same cause: joins, announces to masters,
// queries of a client to a server.
type Attempts struct {
	Kind     string `json:"kind"` // the table that has them: "joins"
	Protocol string `json:"protocol"`
	Outcome  string `json:"outcome"` // see wire.Outcome
	Cause    string `json:"cause"`
	By       string `json:"by"` // "asker", "asked", or "" if neither is to blame

	Count int64 `json:"count"`
	Tries int64 `json:"tries"`

	Who     []string         `json:"who"`   // some of those who wanted it, the first ones first
	Asker   []netip.AddrPort `json:"asker"` // their addresses
	Asked   []netip.AddrPort `json:"asked"` // some of those of whom they wanted it
	Step    string           `json:"step"`  // the last one that the first attempt reached
	Detail  string           `json:"detail"`
	Longest float64          `json:"longest_seconds"`
	File    string           `json:"first_file"`
	Frame   int              `json:"first_frame"`

	Failed bool `json:"failed"`
}

// AttemptsTotal counts the attempts of a kind by their outcomes.
type AttemptsTotal struct {
	Kind     string           `json:"kind"`
	Protocol string           `json:"protocol"`
	Outcomes map[string]int64 `json:"outcomes"`
}

// attempts lists what failed, and what is not known, worst first; and counts all.
func attempts(from *Source) (list []Attempts, totals []AttemptsTotal) {
	list, totals = []Attempts{}, []AttemptsTotal{}
	all := slices.Clone(from.Stats.Attempts)
	for _, p := range from.Protocols {
		if counted := from.Stats.Protocols[p.Name]; counted != nil {
			all = append(all, queries(p, counted.Tables[tableQueries])...)
		}
	}
	for _, a := range all {
		if a.Failed || a.Outcome == wire.NotKnown.String() {
			list = append(list, attemptsOf(a))
		}
		at := slices.IndexFunc(totals, func(t AttemptsTotal) bool { return t.Kind == a.Kind && t.Protocol == a.Protocol })
		if at < 0 {
			at, totals = len(totals), append(totals, AttemptsTotal{a.Kind, a.Protocol, make(map[string]int64)})
		}
		totals[at].Outcomes[a.Outcome] += a.Count
	}
	slices.SortStableFunc(list, func(a, b Attempts) int {
		return cmp.Or(trueFirst(a.Failed, b.Failed), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Frame, b.Frame))
	})
	return list, totals
}

func attemptsOf(a *stats.Attempts) Attempts {
	first := &a.Cases[0]
	one := Attempts{Kind: a.Kind, Protocol: a.Protocol, Outcome: a.Outcome, Cause: a.Cause, By: first.By, Count: a.Count,
		Tries: a.Tries, Who: []string{}, Asker: []netip.AddrPort{}, Asked: a.Asked, Step: first.Step, Detail: first.Detail,
		Longest: seconds(a.Longest), File: first.File, Frame: first.Frame, Failed: a.Failed}
	for i := range a.Cases {
		if c := &a.Cases[i]; !slices.Contains(one.Asker, c.Asker) {
			one.Who, one.Asker = append(one.Who, c.Who), append(one.Asker, c.Asker)
		}
	}
	return one
}

// queries makes attempts of the questions of each client to each server. One fails if none of them was answered; but by
// UDP a single question may have been lost, and the capture may lack what comes to a client that nobody answers.
func queries(p *wire.Protocol, table stats.Table) (list []*stats.Attempts) {
	group := func(o wire.Outcome, cause string) *stats.Attempts {
		a := &stats.Attempts{Protocol: p.Name, Kind: tableQueries, Outcome: o.String(), Cause: cause, Failed: o.Failed()}
		list = append(list, a)
		return a
	}
	failed, once := group(wire.Unanswered, "no answer"), group(wire.NotKnown, "asked once by UDP")
	deaf, done := group(wire.NotKnown, "no answer to the client is in the capture"), group(wire.Done, "")
	rows := sorted(table)
	hears := make(map[netip.Addr]bool) // clients that somebody answers
	for _, who := range rows {
		if asker, err := netip.ParseAddrPort(who.Who); err == nil && answered(table[who]) {
			hears[asker.Addr()] = true
		}
	}
	for _, who := range rows {
		row := table[who]
		a := stats.AttemptCase{Who: who.Who, Asked: who.Server, Step: "asked", By: wire.Asked.String(),
			Tries: int(row.Total("asked"))}
		a.Asker, _ = netip.ParseAddrPort(who.Who)
		of := failed
		switch {
		case answered(row):
			of = done
		case row.Total("unanswered") == 0:
			continue // it is not known, as all were asked at the end
		case len(p.TCP) > 0: // a connection is whole, or the row says nothing
		case row.Total("asked") == 1:
			of = once
		case !hears[a.Asker.Addr()]:
			of = deaf
		}
		of.Count++
		of.Tries += row.Total("asked")
		of.Cases = append(of.Cases, a)
		if !slices.Contains(of.Asked, who.Server) {
			of.Asked = append(of.Asked, who.Server)
		}
	}
	return slices.DeleteFunc(list, func(a *stats.Attempts) bool { return a.Count == 0 })
}

// answered reports whether a client has any answer of a server.
func answered(row *stats.Row) bool {
	return row.Total("answered")+row.Total("unreadable")+row.Total("without echo") > 0
}
