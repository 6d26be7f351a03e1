package screen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/report"
	"github.com/gamedissect/gamedissect/internal/summary"
)

// maxFiles is how many files get their own line. If there are more than fewFiles, servers and players are not listed.
const (
	maxFiles = 10
	fewFiles = 5
)

// head returns lines that name the files, their time span, and their content.
func (s *screen) head() (list []string) {
	of := s.of
	name := report.Plural(int64(len(of.Files)), "file")
	if len(of.Files) == 1 {
		name = fileName(of.Files[0].Name)
	}
	counts := report.Plural(of.Packets, "packet") + ", " + report.Plural(of.Messages, "message")
	room := s.width - 2 - term.Width(counts)
	if term.Width(name) <= room {
		list = append(list, name+strings.Repeat(" ", s.width-term.Width(name)-term.Width(counts))+counts)
	} else {
		list = append(list, name, counts)
	}
	if of.Packets > 0 {
		list = append(list, s.when(of.Span))
	}
	if of.Others > 0 {
		list = append(list, s.others())
	}
	switch {
	case of.Packets == 0:
		list = append(list, "It has no packets.")
	case of.Messages == 0:
		list = append(list, "It has no game messages (-d sets the game of a port).")
	}
	if of.Overlap {
		list = append(list, "The files overlap in time: their packets are merged.")
	}
	if len(of.Files) > 1 {
		list = append(list, s.files()...)
	}
	return list
}

// dated is the layout of the time at which a file begins.
const dated = "01-02 15:04:05"

// when describes a time span in the screen's time zone.
func (s *screen) when(span summary.Span) string {
	first, last := span.First.In(s.zone), span.Last.In(s.zone)
	to := "15:04:05 MST"
	if first.YearDay() != last.YearDay() || first.Year() != last.Year() {
		to = "Mon 2006-01-02 15:04:05 MST"
	}
	return first.Format("Mon 2006-01-02 15:04:05") + " - " + last.Format(to) + ", " + report.FormatSpan(last.Sub(first))
}

// others counts the packets of other traffic, and names the three most frequent kinds.
func (s *screen) others() string {
	var kinds []string
	for _, o := range s.of.Other[:min(len(s.of.Other), 3)] {
		kinds = append(kinds, report.FormatCount(o.Packets)+" "+o.What)
	}
	if n := len(s.of.Other) - len(kinds); n > 0 {
		kinds = append(kinds, fmt.Sprintf("%d more kinds", n))
	}
	return report.Plural(s.of.Others, "packet") + " of other traffic: " + strings.Join(kinds, ", ")
}

// files returns a line for each file. If there are more than maxFiles, files with errors come first, then files with
// warnings.
func (s *screen) files() []string {
	all := s.of.Files
	shown := len(all)
	if shown > maxFiles {
		shown = maxFiles - 1
		all = slices.Clone(all)
		slices.SortStableFunc(all, func(a, b summary.File) int {
			return cmp.Or(cmp.Compare(b.Errors, a.Errors), cmp.Compare(b.Warnings, a.Warnings))
		})
	}
	g := grid{flexes: []int{1, 0}, minimum: len(dated)}
	folder := commonFolder(all)
	for i := range all[:shown] {
		f := &all[i]
		row := []string{fileName(strings.TrimPrefix(f.Name, folder)), "", "", report.Plural(f.Packets, "packet"),
			counts(f.Errors, f.Warnings)}
		if f.Packets > 0 {
			row[1], row[2] = f.First.In(s.zone).Format(dated), report.FormatSpan(f.Last.Sub(f.First))
			if len(s.of.Files) > fewFiles {
				row[3] = "" // leaves room for names
			}
		}
		if f.Packets > 0 && f.Messages == 0 {
			row[4] = cmp.Or(row[4], "no game message")
		}
		g.rows = append(g.rows, row)
	}
	list := g.aligned(s.width)
	if n := len(all) - shown; n > 0 {
		list = append(list, fmt.Sprintf("  and %d more", n))
	}
	return list
}

// commonFolder returns the folder that all file names begin with, or "".
func commonFolder(all []summary.File) string {
	folder := all[0].Name[:strings.LastIndexByte(all[0].Name, '/')+1]
	for i := range all {
		if !strings.HasPrefix(all[i].Name, folder) {
			return ""
		}
	}
	return folder
}

func fileName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return string(format.AppendPlain(nil, name))
}

// counts formats the numbers of errors and warnings.
func counts(errors, warnings int64) string {
	var parts [2]string
	if errors > 0 {
		parts[0] = report.Plural(errors, "error")
	}
	if warnings > 0 {
		parts[1] = report.Plural(warnings, "warning")
	}
	return term.Between(", ", parts[:]...)
}
