// Package summary describes what is in a capture, who played, and whether the capture is healthy. It makes this data
// from the counts of one pass over the capture. Other packages write it to a screen or as JSON.
package summary

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/report"
)

// A Source is the data from which a summary is made.
type Source struct {
	report.Source

	Files  []File            // files read, in order
	FileOf map[string]string // for each table that Shown returns: the first file with data for it
	Given  []string          // all files as the caller named them; nil if the names are too long
	Live   bool              // a live capture: count current players, and suggest no commands for files
}

// Shown returns the table that shows what a value reports, or "" if nobody needs to look at it.
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

// A Summary is a first look at captures.
type Summary struct {
	Span

	Files    []File   `json:"files"`
	Overlap  bool     `json:"overlap"` // some files overlap in time, so their packets are merged
	Packets  int64    `json:"packets"`
	Messages int64    `json:"messages"`
	Others   int64    `json:"other_packets"` // packets that belong to no game
	Other    []Other  `json:"other"`         // kinds of other packets, most frequent first
	Servers  []Server `json:"servers"`       // servers that need attention come first
	Players  []Player `json:"players"`       // players who need attention come first
	Health   Health   `json:"health"`

	Failures int64           `json:"failures"` // number of failed attempts
	Attempts []Attempts      `json:"attempts"` // attempts that failed or whose outcome is unknown, worst first
	Totals   []AttemptsTotal `json:"attempts_total"`

	Next []string `json:"next"` // suggested commands
}

// A Span is the time from the first packet to the last.
type Span struct {
	First time.Time `json:"first,omitzero"`
	Last  time.Time `json:"last,omitzero"`
}

// Add extends the span to include a time, in nanoseconds since 1970.
func (s *Span) Add(ns int64) {
	t := time.Unix(0, ns).UTC()
	if s.First.IsZero() || t.Before(s.First) {
		s.First = t
	}
	if s.Last.IsZero() || t.After(s.Last) {
		s.Last = t
	}
}

// A File is a file that was read.
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

// Other is traffic that belongs to no game.
type Other struct {
	What    string `json:"what"` // such as "TCP port 443"
	Packets int64  `json:"packets"`
}

// Make makes the summary of a source.
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

// others lists the kinds of packets that belong to no game, by protocol and port.
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
