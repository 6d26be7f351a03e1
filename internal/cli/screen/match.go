package screen

import (
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/report"
	"github.com/gamedissect/gamedissect/internal/summary"
)

// matches makes a section with the result of the last match on each server, or the scores of the teams.
func (s *screen) matches() section {
	var list []*summary.Server
	for i := range s.of.Servers {
		if of := &s.of.Servers[i]; of.Match != "" || slices.ContainsFunc(of.Teams, hasScored) {
			list = append(list, of)
		}
	}
	part := section{rest: func(n int) string {
		return "  and " + report.FormatCount(int64(n)) + " more" + s.hint("-z servers -z teams has all")
	}}
	switch {
	case len(list) > 1:
		part.heading = "MATCHES " + report.FormatCount(int64(len(list)))
		for _, of := range list {
			part.lines = append(part.lines, "  "+of.Address.String()+"  "+standing(of))
		}
	case len(list) == 1:
		two := s.twoLines("MATCH " + standing(list[0]))
		part.heading, part.lines = two[0], two[1:]
	}
	return part
}

func hasScored(t summary.Team) bool { return t.Score != "0-0" }

// standing returns the result of the last match on a server, or the scores of the teams.
func standing(of *summary.Server) string {
	if of.Match != "" {
		return format.Unquoted(of.Match)
	}
	var scores []string
	for _, t := range of.Teams {
		scores = append(scores, t.Name+" "+t.Score)
	}
	return strings.Join(scores, ", ")
}
