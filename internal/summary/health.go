package summary

import (
	"cmp"
	"maps"
	"net/netip"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// Health describes what is wrong, and how long answers took.
type Health struct {
	Errors   int64 `json:"errors"` // number of findings
	Warnings int64 `json:"warnings"`
	Notes    int64 `json:"notes"`

	Findings   []Finding    `json:"findings"` // most important first
	Lag        *Times       `json:"lag,omitempty"`
	Jitter     *Times       `json:"jitter,omitempty"`
	Answers    *Times       `json:"answer_times,omitempty"` // of servers and masters, to queries
	Unanswered []Unanswered `json:"unanswered"`
	Refused    []Refused    `json:"refused"`
	NotListed  []NotListed  `json:"not_listed"`
	Lists      int64        `json:"lists"` // number of masters' lists
	Incomplete int64        `json:"lists_incomplete"`
	Updates    int64        `json:"updates"`         // updates that players sent over UDP
	Missing    int64        `json:"updates_missing"` // updates missing from the capture
	UpdatesTo  int64        `json:"updates_to_players"`
	MissingTo  int64        `json:"updates_to_players_missing"`
	Lost       int64        `json:"bytes_missing"` // bytes of TCP streams missing from the capture
	Gaps       int64        `json:"gaps"`          // number of gaps with these bytes
	OutOfOrder int64        `json:"segments_out_of_order"`
}

// A Finding is a broken rule.
type Finding struct {
	Severity string `json:"severity"`
	Rule     string `json:"rule"`
	Title    string `json:"title"`
	Count    int64  `json:"count"`
	Who      string `json:"who,omitempty"` // player or endpoint that broke it most often
	Senders  int    `json:"senders"`       // number of senders that broke it
	Example  string `json:"example"`
	File     string `json:"first_file"`
	Frame    int    `json:"first_frame"`

	Of *wire.Rule `json:"-"` // never nil

	severity wire.Severity
}

// Network reports whether the finding is about the capture or the network. Such a finding may explain others.
func (f *Finding) Network() bool {
	protocol, _, _ := strings.Cut(f.Rule, ".")
	return protocol == "capture" || protocol == "ip" || protocol == "tcp" || protocol == "udp"
}

// Unanswered is a server that left questions unanswered.
type Unanswered struct {
	Server     netip.AddrPort `json:"server"`
	Asked      int64          `json:"asked"`
	Answered   int64          `json:"answered"`
	Without    int64          `json:"unanswered"`
	Unreadable int64          `json:"unreadable,omitempty"`  // questions with an unreadable answer
	Unreached  int64          `json:"unreachable,omitempty"` // questions not delivered, according to ICMP
	Silent     bool           `json:"silent,omitempty"`      // the capture has no packet from the server
}

// Refused is a reason for which servers refused clients.
type Refused struct {
	Reason string `json:"reason"`
	Count  int64  `json:"count"`
	Who    string `json:"who"` // first refused client

	Protocol string `json:"-"`
}

// NotListed is a server that a master does not list.
type NotListed struct {
	Server netip.AddrPort `json:"server"`
	Name   string         `json:"name,omitempty"`
	Why    string         `json:"why"`
}

func health(from *Source, servers []Server) Health {
	h := Health{Findings: findings(from), Unanswered: []Unanswered{}, Refused: refused(from), NotListed: []NotListed{},
		Lost: from.Counters.Missing, Gaps: from.Counters.Gaps, OutOfOrder: from.Counters.OutOfOrder}
	for _, f := range h.Findings {
		switch f.severity {
		case wire.Error:
			h.Errors += f.Count
		case wire.Warning:
			h.Warnings += f.Count
		default:
			h.Notes += f.Count
		}
	}
	for _, s := range servers {
		if n := s.Without(); n > 0 {
			h.Unanswered = append(h.Unanswered, Unanswered{s.Address, s.Asked, s.Answered, n, s.Unreadable, s.Unreached,
				s.silent() && s.Unreached == 0})
		}
		if s.NotListed != "" {
			h.NotListed = append(h.NotListed, NotListed{s.Address, s.Name, s.NotListed})
		}
	}
	slices.SortStableFunc(h.Unanswered, func(a, b Unanswered) int { return cmp.Compare(b.Without, a.Without) })
	for _, p := range from.Stats.Protocols {
		for _, row := range p.Tables[tableLists] {
			h.Incomplete += row.Total("incomplete")
			h.Lists += row.Total("complete") + row.Total("incomplete")
		}
		for _, row := range p.Tables[tablePlayers] {
			h.Updates += row.Total("updates")
			h.Missing += row.Total("missing")
			h.UpdatesTo += row.Total("updates to")
			h.MissingTo += row.Total("missing to")
		}
	}
	h.Lag = times(from, column{tablePlayers, "lag"})
	h.Jitter = times(from, column{tablePlayers, "jitter"})
	h.Answers = times(from, column{tableServers, "ping"}, column{tableLists, "time to first packet"})
	return h
}

// findings lists the broken rules, most severe first. Within a severity, facts come first, then rules about the
// network, then the most frequent rules.
func findings(from *Source) []Finding {
	players := from.Players()
	list := make([]Finding, 0, len(from.Stats.Findings))
	for id, f := range from.Stats.Findings {
		finding := Finding{Severity: f.Severity.String(), severity: f.Severity, Rule: id, Count: f.Count, Example: f.Text,
			File: f.File, Frame: f.Frame, Of: rule(from.Protocols, id)}
		finding.Title = finding.Of.Title
		finding.Who, finding.Senders = sender(from.Stats, id, players)
		list = append(list, finding)
	}
	slices.SortFunc(list, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(b.severity, a.severity), trueFirst(a.Of.Fact, b.Of.Fact),
			trueFirst(a.Network(), b.Network()), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Rule, b.Rule))
	})
	return list
}

// rule returns the rule with an id. For an unknown id, it makes a rule with this id.
func rule(protocols []*wire.Protocol, id string) *wire.Rule {
	rules := decode.Rules()
	for _, p := range protocols {
		rules = append(rules, p.Rules...)
	}
	for _, r := range rules {
		if r.ID == id {
			return r
		}
	}
	return &wire.Rule{ID: id, Rests: wire.OnTime}
}

// sender returns the sender that broke a rule most often, by name if it is a player. It also returns the number of
// senders that broke the rule.
func sender(s *stats.Stats, rule string, players map[netip.AddrPort]string) (who string, n int) {
	var worst netip.AddrPort
	var count int64
	for key, b := range s.Senders {
		if key.Rule != rule || !key.At.IsValid() {
			continue
		}
		n++
		if b.Count > count || b.Count == count && key.At.Compare(worst) < 0 {
			worst, count = key.At, b.Count
		}
	}
	if n == 0 {
		return "", 0
	}
	return cmp.Or(players[worst], worst.String()), n
}

// refused counts refusals by reason, most frequent first.
func refused(from *Source) []Refused {
	list := []Refused{}
	for _, protocol := range slices.Sorted(maps.Keys(from.Stats.Protocols)) {
		table := from.Stats.Protocols[protocol].Tables[tableRefused]
		for _, who := range sorted(table) {
			reason := table[who].Text("reason")
			at := slices.IndexFunc(list, func(r Refused) bool { return r.Reason == reason && r.Protocol == protocol })
			if at < 0 {
				at, list = len(list), append(list, Refused{Reason: reason, Who: who.Who, Protocol: protocol})
			}
			list[at].Count++
		}
	}
	slices.SortStableFunc(list, func(a, b Refused) int { return cmp.Compare(b.Count, a.Count) })
	return list
}

// column is a column of a table.
type column struct{ table, what string }

// times merges the durations measured for all subjects in the given columns.
func times(from *Source, columns ...column) *Times {
	var all stats.Histogram
	worst, whose := int64(-1), ""
	for _, protocol := range slices.Sorted(maps.Keys(from.Stats.Protocols)) {
		for _, c := range columns {
			rows := from.Stats.Protocols[protocol].Tables[c.table]
			for _, who := range sorted(rows) {
				h := numbers(rows[who], c.what)
				if h == nil {
					continue
				}
				all.Merge(h)
				if h.Max > worst {
					worst, whose = h.Max, cmp.Or(who.Who, who.Server.String())
				}
			}
		}
	}
	if all.Count == 0 {
		return nil
	}
	return timesOf(&all, whose)
}

func timesOf(h *stats.Histogram, whose string) *Times {
	return &Times{Count: h.Count, Median: seconds(h.Quantile(0.5)), Worst: seconds(h.Max), Whose: whose}
}
