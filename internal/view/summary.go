package view

import "github.com/gamedissect/gamedissect/internal/summary"

// summary answers with the summary of the files. It has no commands, since the page has its own ways to what they show.
func (v *View) summary(*struct{}) (*summary.Summary, error) {
	s := summary.Make(&summary.Source{Source: v.counted(), Files: v.files.counts})
	s.Next = []string{}
	h := &s.Health
	var texts []*string
	for i := range s.Servers {
		one := &s.Servers[i]
		texts = append(texts, &one.Name, &one.Map, &one.Version, &one.NotListed)
	}
	for i := range s.Players {
		one := &s.Players[i]
		texts = append(texts, &one.Name, &one.Team, &one.Score, &one.Removed)
	}
	for i := range h.Findings {
		texts = append(texts, &h.Findings[i].Who, &h.Findings[i].Example, &h.Findings[i].File)
	}
	for i := range h.Refused {
		texts = append(texts, &h.Refused[i].Reason, &h.Refused[i].Who)
	}
	for i := range h.NotListed {
		texts = append(texts, &h.NotListed[i].Name, &h.NotListed[i].Why)
	}
	for _, times := range []*summary.Times{h.Lag, h.Answers} {
		if times != nil {
			texts = append(texts, &times.Whose)
		}
	}
	for _, text := range texts {
		*text = plain(*text)
	}
	return s, nil
}
