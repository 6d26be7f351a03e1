package summary

import (
	"cmp"
	"net/netip"
	"slices"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// Attempts counts attempts of a kind that have the same outcome and cause. Kinds are for example joins, announcements
// to masters, and queries of a client to a server.
type Attempts struct {
	Kind     string `json:"kind"` // table with these attempts, such as "joins"
	Protocol string `json:"protocol"`
	Outcome  string `json:"outcome"` // see wire.Outcome
	Cause    string `json:"cause"`
	By       string `json:"by"` // "asker", "asked", or "" if nobody is to blame

	Count int64 `json:"count"`
	Tries int64 `json:"tries"`

	Who     []string         `json:"who"`   // some of those who asked, earliest first
	Asker   []netip.AddrPort `json:"asker"` // their addresses
	Asked   []netip.AddrPort `json:"asked"` // some of those who were asked
	Step    string           `json:"step"`  // last step that the first attempt reached
	Detail  string           `json:"detail"`
	Longest float64          `json:"longest_seconds"`
	File    string           `json:"first_file"`
	Frame   int              `json:"first_frame"`

	Failed    bool `json:"failed"`
	Elsewhere bool `json:"granted_elsewhere"` // all askers succeeded with another server, such as a second master
	AtOnce    bool `json:"at_once"`           // several ended within 10 ms

	part bool // see isPart
}

// AttemptsTotal counts the attempts of a kind by outcome.
type AttemptsTotal struct {
	Kind     string           `json:"kind"`
	Protocol string           `json:"protocol"`
	Outcomes map[string]int64 `json:"outcomes"`
}

// isPart reports whether attempts have no table because they are parts of others. For example, a login is a part of a
// join.
func isPart(protocols []*wire.Protocol, a *stats.Attempts) bool {
	return slices.ContainsFunc(protocols, func(p *wire.Protocol) bool {
		return p.Name == a.Protocol && slices.ContainsFunc(p.Attempts, func(k *wire.AttemptKind) bool {
			return k.Name == a.Kind && k.Hidden
		})
	})
}

// attempts lists the attempts that failed, were slow, or have an unknown outcome, worst first. It also counts all
// attempts.
func attempts(from *Source) (list []Attempts, totals []AttemptsTotal) {
	list, totals = []Attempts{}, []AttemptsTotal{}
	listed := make(map[string]map[string][]netip.AddrPort) // by protocol
	for _, p := range from.Protocols {
		if counted := from.Stats.Protocols[p.Name]; counted != nil {
			listed[p.Name] = granted(counted.Tables[tableListing])
		}
	}
	for _, a := range Outcomes(from.Stats, from.Protocols) {
		if a.Failed || a.Outcome == wire.NotKnown.String() || a.Cause != "" {
			one := attemptsOf(a)
			one.Elsewhere = a.Kind == tableListing && !slices.ContainsFunc(a.Cases, func(c stats.AttemptCase) bool {
				return !slices.ContainsFunc(listed[a.Protocol][c.Who], func(by netip.AddrPort) bool { return by != c.Asked })
			})
			one.part = isPart(from.Protocols, a)
			list = append(list, one)
		}
		at := slices.IndexFunc(totals, func(t AttemptsTotal) bool { return t.Kind == a.Kind && t.Protocol == a.Protocol })
		if at < 0 {
			at, totals = len(totals), append(totals, AttemptsTotal{a.Kind, a.Protocol, make(map[string]int64)})
		}
		totals[at].Outcomes[a.Outcome] += a.Count
	}
	slices.SortStableFunc(list, func(a, b Attempts) int {
		return cmp.Or(trueFirst(a.Failed, b.Failed), trueFirst(!a.part, !b.part), cmp.Compare(b.Count, a.Count),
			cmp.Compare(a.Frame, b.Frame))
	})
	return list, totals
}

func attemptsOf(a *stats.Attempts) Attempts {
	first := &a.Cases[0]
	last := &a.Cases[len(a.Cases)-1] // cases are sorted by time
	atOnce := a.Count > 1 && a.Count == int64(len(a.Cases)) && last.Time-first.Time <= int64(10*time.Millisecond)
	one := Attempts{AtOnce: atOnce, Kind: a.Kind, Protocol: a.Protocol, Outcome: a.Outcome, Cause: a.Cause,
		By: first.By, Count: a.Count, Tries: a.Tries, Who: []string{}, Asker: []netip.AddrPort{}, Asked: a.Asked,
		Step: first.Step, Detail: first.Detail,
		Longest: seconds(a.Longest), File: first.File, Frame: first.Frame, Failed: a.Failed}
	for i := range a.Cases {
		if c := &a.Cases[i]; !slices.Contains(one.Asker, c.Asker) {
			one.Who, one.Asker = append(one.Who, c.Who), append(one.Asker, c.Asker)
		}
	}
	return one
}

// queries returns the questions of each client to each server as attempts. An attempt fails if none of its questions
// was answered. In two cases the outcome is unknown instead: with UDP a single question may have been lost, and if a
// client gets no answer at all, the capture may lack the answers.
func queries(p *wire.Protocol, table stats.Table) (list []*stats.Attempts) {
	of := make(map[string]*stats.Attempts)
	rows := sorted(table)
	hears := make(map[netip.Addr]bool) // clients that got any answer
	for _, who := range rows {
		if answered(table[who]) > 0 {
			hears[askerOf(who).Addr()] = true
		}
	}
	for _, who := range rows {
		row, asker := table[who], askerOf(who)
		o, by, cause := becameOf(row, len(p.TCP) > 0, hears[asker.Addr()])
		if o == wire.Open {
			continue
		}
		a := of[cause]
		if a == nil {
			a = &stats.Attempts{Protocol: p.Name, Kind: tableQueries, Outcome: o.String(), Cause: cause, Failed: o.Failed()}
			of[cause], list = a, append(list, a)
		}
		tries := row.Total("asked")
		a.Count++
		a.Tries += tries
		a.Cases = append(a.Cases, stats.AttemptCase{Who: who.Who, Asker: asker, Asked: who.Server, Step: "asked",
			By: by.String(), Tries: int(tries)})
		if !slices.Contains(a.Asked, who.Server) {
			a.Asked = append(a.Asked, who.Server)
		}
	}
	return list
}

// becameOf returns the outcome of a client's questions to a server. It returns Open if the outcome is unknown because
// all questions came at the end of the capture. With TCP, the row has counts only if the connection is complete.
func becameOf(row *stats.Row, byTCP, hears bool) (o wire.Outcome, by wire.Party, cause string) {
	switch got := answered(row); {
	case got > 0 && row.Total("not taken") >= got:
		return wire.Abandoned, wire.Asker, "ICMP: its port is closed when the answer comes"
	case got > 0:
		return wire.Done, wire.Neither, ""
	case row.Total("unreachable") > 0:
		return wire.Unreachable, wire.Asked, "ICMP: port unreachable"
	case row.Total("unreadable") > 0:
		return wire.Unanswered, wire.Asked, "no answer that can be read"
	case row.Total("unanswered") == 0:
		return wire.Open, wire.Neither, ""
	case byTCP:
	case row.Total("asked") == 1:
		return wire.NotKnown, wire.Asked, "asked once by UDP"
	case !hears:
		return wire.NotKnown, wire.Asked, "no answer to the client is in the capture"
	}
	return wire.Unanswered, wire.Asked, "no answer"
}

// askerOf returns the address of the asker. Its port is 0 if it asks from several ports.
func askerOf(who stats.RowKey) netip.AddrPort {
	asker, err := netip.ParseAddrPort(who.Who)
	if err != nil {
		host, _ := netip.ParseAddr(who.Who)
		asker = netip.AddrPortFrom(host, 0)
	}
	return asker
}

// answered counts the answers that a client got from a server.
func answered(row *stats.Row) int64 {
	return row.Total("answered") + row.Total("unsure") + row.Total("without echo")
}
