package stats

import (
	"cmp"
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
)

const (
	maxAttempts = 4000 //  maximum number of groups; beyond it, attempts with a new cause are counted without the cause
	maxCases    = 16   // maximum number of cases per group
)

// Attempts is a group: it counts the finished attempts of one kind with the same outcome and cause.
type Attempts struct {
	Protocol string `json:"protocol"`
	Kind     string `json:"kind"` // wire.AttemptKind.Name
	Outcome  string `json:"outcome"`
	Cause    string `json:"cause,omitempty"`

	Count   int64            `json:"count"`
	Tries   int64            `json:"tries"`
	Longest int64            `json:"longest_ns"` // longest time from the beginning of an attempt to its outcome
	Failed  bool             `json:"failed"`
	Cases   []AttemptCase    `json:"cases"` // the first cases
	Asked   []netip.AddrPort `json:"asked"` // the servers with the lowest addresses
}

// An AttemptCase is one attempt.
type AttemptCase struct {
	File   string         `json:"file"`
	Frame  int            `json:"frame"`
	Time   int64          `json:"time_ns"` // time of the outcome
	Who    string         `json:"who"`
	Asker  netip.AddrPort `json:"asker"`
	Asked  netip.AddrPort `json:"asked"`
	By     string         `json:"by,omitempty"`
	Step   string         `json:"step"` // the last step reached
	Tries  int            `json:"tries"`
	Took   int64          `json:"took_ns"`
	Detail string         `json:"detail,omitempty"`
}

func (a *Attempts) compare(b *Attempts) int {
	return cmp.Or(cmp.Compare(a.Protocol, b.Protocol), cmp.Compare(a.Kind, b.Kind),
		cmp.Compare(a.Outcome, b.Outcome), cmp.Compare(a.Cause, b.Cause))
}

func (c *AttemptCase) compare(o *AttemptCase) int {
	return cmp.Or(cmp.Compare(c.Time, o.Time), cmp.Compare(c.File, o.File), cmp.Compare(c.Frame, o.Frame),
		c.Asker.Compare(o.Asker), c.Asked.Compare(o.Asked), cmp.Compare(c.Who, o.Who))
}

// Attempt counts an attempt if it is over, and ignores it otherwise.
func (s *Stats) Attempt(a *wire.Attempt) {
	if !a.Over || a.Protocol == nil {
		return
	}
	s.addAttempts(&Attempts{
		Protocol: a.Protocol.Name, Kind: a.Kind.Name, Outcome: a.Outcome.String(), Cause: legible(a.Cause),
		Failed: a.Outcome.Failed(), Count: 1, Tries: int64(a.Tries), Longest: int64(a.Took), Asked: []netip.AddrPort{a.Asked},
		Cases: []AttemptCase{{
			File: legible(a.File), Frame: a.Frame, Time: a.Time, Who: legible(a.Who), Asker: a.Asker, Asked: a.Asked,
			By: a.By.String(), Step: a.Kind.Steps[a.Step].Name, Tries: a.Tries, Took: int64(a.Took), Detail: legible(a.Detail),
		}},
	})
}

// addAttempts adds a group to the group with the same kind, outcome and cause.
func (s *Stats) addAttempts(o *Attempts) {
	at, found := slices.BinarySearchFunc(s.Attempts, o, (*Attempts).compare)
	if !found && len(s.Attempts) >= maxAttempts && o.Cause != "" {
		rest := *o
		rest.Cause = ""
		s.addAttempts(&rest)
		return
	}
	if !found {
		first := *o
		first.Cases, first.Asked = slices.Clone(o.Cases), slices.Clone(o.Asked)
		s.Attempts = slices.Insert(s.Attempts, at, &first)
		return
	}
	mine := s.Attempts[at]
	mine.Count = addSaturating(mine.Count, o.Count)
	mine.Tries = addSaturating(mine.Tries, o.Tries)
	mine.Longest = max(mine.Longest, o.Longest)
	for i := range o.Cases {
		mine.Cases = addFirst(mine.Cases, &o.Cases[i])
	}
	for _, x := range o.Asked {
		if at, found := slices.BinarySearchFunc(mine.Asked, x, netip.AddrPort.Compare); !found {
			mine.Asked = slices.Insert(mine.Asked, at, x)
			mine.Asked = mine.Asked[:min(len(mine.Asked), maxCases)]
		}
	}
}

// addFirst adds a case if it is one of the first maxCases.
func addFirst(cases []AttemptCase, c *AttemptCase) []AttemptCase {
	at, _ := slices.BinarySearchFunc(cases, c, func(x AttemptCase, c *AttemptCase) int { return x.compare(c) })
	if at == maxCases {
		return cases
	}
	cases = slices.Insert(cases, at, *c)
	return cases[:min(len(cases), maxCases)]
}
