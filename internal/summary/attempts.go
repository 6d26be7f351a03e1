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
			all = append(all, queries(p, counted.Tables[tableQueries], from.Counters.TwoWay)...)
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

// queries makes attempts of the questions of each client to each server. One fails if none of them was answered; by
// UDP a single question may have been lost, and a capture of one direction lacks the answers.
func queries(p *wire.Protocol, table stats.Table, twoWay bool) (list []*stats.Attempts) {
	group := func(o wire.Outcome, cause string) *stats.Attempts {
		a := &stats.Attempts{Protocol: p.Name, Kind: tableQueries, Outcome: o.String(), Cause: cause, Failed: o.Failed()}
		list = append(list, a)
		return a
	}
	failed, once := group(wire.Unanswered, "no answer"), group(wire.NotKnown, "asked once by UDP")
	oneWay, done := group(wire.NotKnown, "the capture has one direction only"), group(wire.Done, "")
	for _, who := range sorted(table) {
		row := table[who]
		of := failed
		switch {
		case row.Total("answered")+row.Total("unreadable")+row.Total("without echo") > 0:
			of = done
		case row.Total("unanswered") == 0:
			continue // it is not known, as all were asked at the end
		case !twoWay:
			of = oneWay
		case row.Total("asked") == 1 && p.ProbeStream == nil:
			of = once
		}
		of.Count++
		of.Tries += row.Total("asked")
		a := stats.AttemptCase{Who: who.Who, Asked: who.Server, Step: "asked", By: wire.Asked.String(),
			Tries: int(row.Total("asked"))}
		a.Asker, _ = netip.ParseAddrPort(who.Who)
		of.Cases = append(of.Cases, a)
		if !slices.Contains(of.Asked, who.Server) {
			of.Asked = append(of.Asked, who.Server)
		}
	}
	return slices.DeleteFunc(list, func(a *stats.Attempts) bool { return a.Count == 0 })
}
