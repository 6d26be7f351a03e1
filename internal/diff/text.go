package diff

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gamedissect/gamedissect/internal/report"
)

// Numbers returns the number in the good captures and in the compared one, as texts.
func (d *Difference) Numbers() (good, now string) {
	text := func(n float64) string {
		switch d.Unit {
		case "s":
			return formatSeconds(n)
		case "share":
			return fmt.Sprintf("%.3g%%", n*100)
		}
		return report.FormatCount(int64(n))
	}
	if d.Kind == Values {
		return "", ""
	}
	good = text(d.Good[0])
	if most := text(d.Good[1]); most != good {
		good += "-" + most
	}
	return good, text(d.Now)
}

func formatSeconds(n float64) string { return report.FormatDuration(int64(n * 1e9)) }

// Lines describes the place where conversations begin to differ.
func (p *Parting) Lines() []string {
	way := func(steps []string) string {
		return cmp.Or(strings.Join(steps, " "), "(nothing more)")
	}
	after := ""
	if len(p.Shared) > 0 {
		after = ", after " + way(p.Shared)
	}
	return []string{
		fmt.Sprintf("%s: %s of %s go a new way", p.Begins, report.FormatCount(int64(p.New)),
			report.Plural(int64(p.Of), "conversation")),
		fmt.Sprintf("  from step %d%s; the nearest of %s good:", p.Step, after, report.FormatCount(int64(p.Before))),
		"    good  " + way(p.Good),
		"    now   " + way(p.Now),
	}
}

// Extent describes the size of captures: messages, time, and conversations.
func Extent(list []*Capture) string {
	span := func(of func(*Capture) float64, text func(float64) string) string {
		least, most := of(list[0]), of(list[0])
		for _, c := range list[1:] {
			least, most = min(least, of(c)), max(most, of(c))
		}
		if a, b := text(least), text(most); a != b {
			return a + " to " + b
		}
		return text(least)
	}
	count := func(n float64) string { return report.FormatCount(int64(n)) }
	text := span(func(c *Capture) float64 { return float64(c.Summary.Messages) }, count) + " messages in " +
		span((*Capture).Seconds, formatSeconds)
	if n := span(func(c *Capture) float64 { return float64(c.Conversations()) }, count); n != "0" {
		text += ", conversations: " + n
	}
	return text
}
