// Package summary says what is in a capture, who played, and whether it is healthy. It makes data, from what was
// counted in one pass; others write a screen or JSON from these.
package summary

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/report"
)

// A Source is what a summary is made from.
type Source struct {
	report.Source

	Files  []File            // that were read, in their order
	FileOf map[string]string // the first file that has something for a table of Shown
	Given  []string          // how the caller named all the files; nil: that takes too many words
	Live   bool              // packets still arrive: players are counted now, too, and there is no file for a next command
}

// Shown returns the table in which a value is worth a look, "" if it is in none.
func Shown(v *wire.Value) (table string) {
	switch {
	case v.Event:
	case v.What == wire.AttemptFailed && v.Text != "", v.Table == tableQueries && v.What == "unanswered",
		v.Table == tableRefused, v.Table == tablePlayers, v.Table == tableServers,
		v.Table == tableLists, v.Table == tableList:
		return v.Table
	}
	return ""
}

// A Summary is what a first look at captures shows.
type Summary struct {
	Span

	Files    []File   `json:"files"`
	Overlap  bool     `json:"overlap"` // the times of some files overlap: their packets are merged
	Packets  int64    `json:"packets"`
	Messages int64    `json:"messages"`
	Others   int64    `json:"other_packets"` // of no game
	Other    []Other  `json:"other"`         // what these are, the most frequent first
	Servers  []Server `json:"servers"`       // what needs attention first
	Players  []Player `json:"players"`       // the same
	Health   Health   `json:"health"`

	Failures int64           `json:"failures"` // attempts that failed
	Attempts []Attempts      `json:"attempts"` // what failed or is not known, the worst first
	Totals   []AttemptsTotal `json:"attempts_total"`

	Next []string `json:"next"` // commands
}

// A Span is from the first packet to the last.
type Span struct {
	First time.Time `json:"first,omitzero"`
	Last  time.Time `json:"last,omitzero"`
}

// Add extends the span to a time, in nanoseconds since 1970.
func (s *Span) Add(ns int64) {
	t := time.Unix(0, ns).UTC()
	if s.First.IsZero() || t.Before(s.First) {
		s.First = t
	}
	if s.Last.IsZero() || t.After(s.Last) {
		s.Last = t
	}
}

// A File is one that was read.
type File struct {
	Span

	Name     string `json:"name"`
	Packets  int64  `json:"packets"`
	Messages int64  `json:"messages"`
	Errors   int64  `json:"errors"`
	Warnings int64  `json:"warnings"`
	Notes    int64  `json:"notes"`
}

// Found counts a finding of a rule.
func (f *File) Found(r *wire.Rule) {
	switch r.Severity {
	case wire.Error:
		f.Errors++
	case wire.Warning:
		f.Warnings++
	default:
		f.Notes++
	}
}

// Other is traffic of no game.
type Other struct {
	What    string `json:"what"` // "TCP port 443"
	Packets int64  `json:"packets"`
}

// Make makes the summary of what a source counted.
func Make(from *Source) *Summary {
	s := &Summary{
		Files: from.Files, Packets: from.Counters.Packets, Messages: from.Stats.Messages, Others: from.Counters.Other,
		Other: others(from),
	}
	files := slices.SortedFunc(slices.Values(from.Files), func(a, b File) int { return a.First.Compare(b.First) })
	for _, f := range files {
		if f.Packets > 0 {
			s.Overlap = s.Overlap || f.First.Before(s.Last)
			s.Add(f.First.UnixNano())
			s.Add(f.Last.UnixNano())
		}
	}
	s.Servers = servers(from)
	s.Players = players(from)
	s.Health = health(from, s.Servers)
	s.Attempts, s.Totals = attempts(from)
	for _, a := range s.Attempts {
		if a.Failed {
			s.Failures += a.Count
		}
	}
	if !from.Live {
		s.Next = s.next(from)
	}
	return s
}

// others names the kinds of packets of no game as people know them: by protocol and port.
func others(from *Source) []Other {
	list := []Other{}
	at := make(map[string]int)
	for i := range from.Stats.Others {
		o := &from.Stats.Others[i]
		what := o.Name
		switch {
		case o.Kinds > 0:
			what = "further kinds"
		case o.Port > 0:
			what += " port " + strconv.Itoa(int(o.Port))
		}
		n, met := at[what]
		if !met {
			n, list = len(list), append(list, Other{What: what})
			at[what] = n
		}
		list[n].Packets += o.Packets
	}
	slices.SortStableFunc(list, func(a, b Other) int { return cmp.Compare(b.Packets, a.Packets) })
	return list
}
