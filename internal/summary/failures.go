package summary

import (
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/report"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// Outcomes returns the attempts of all outcomes. They include the questions of each client to each server.
func Outcomes(s *stats.Stats, protocols []*wire.Protocol) []*stats.Attempts {
	all := slices.Clone(s.Attempts)
	for _, p := range protocols {
		if counted := s.Protocols[p.Name]; counted != nil {
			all = append(all, queries(p, counted.Tables[tableQueries])...)
		}
	}
	return all
}

// Failures counts the attempts that failed.
func Failures(from *Source) (n int64) {
	for _, a := range Outcomes(from.Stats, from.Protocols) {
		if a.Failed {
			n += a.Count
		}
	}
	return n
}

// A Tally counts attempts, and nothing else.
type Tally struct {
	Stats     stats.Stats
	Protocols []*wire.Protocol
}

// NewTally returns a tally that uses at most memory bytes.
func NewTally(protocols []*wire.Protocol, memory int) *Tally {
	return &Tally{stats.Stats{Memory: memory, Brief: true}, protocols}
}

// Attempt counts an attempt.
func (t *Tally) Attempt(a *wire.Attempt) { t.Stats.Attempt(a) }

// Value counts a value that a tracker measured, if it is about queries.
func (t *Tally) Value(v *wire.Value) {
	if v.Table == tableQueries {
		t.Stats.Value(v)
	}
}

// Outcomes returns the attempts of all outcomes.
func (t *Tally) Outcomes() []*stats.Attempts { return Outcomes(&t.Stats, t.Protocols) }

// Failures counts the attempts that failed.
func (t *Tally) Failures() int64 {
	return Failures(&Source{Source: report.Source{Stats: &t.Stats, Protocols: t.Protocols}})
}
