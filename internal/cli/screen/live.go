package screen

import (
	"bytes"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire/print"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/tally"
	"github.com/gamedissect/gamedissect/internal/report"
	"github.com/gamedissect/gamedissect/internal/summary"
)

// Live summarizes packets while they arrive.
type Live struct {
	totals *tally.Totals
	run    *session.Run
}

// NewLive makes the totals count what a summary needs. It must be called before the first packet.
func NewLive(totals *tally.Totals, run *session.Run) *Live {
	totals.Stats.Brief = false
	if !totals.Want.Needs().Values {
		run.Add(session.Sink{Value: totals.Stats.Value, Attempt: totals.Stats.Attempt})
	}
	return &Live{totals, run}
}

// Lines returns the sections for a terminal, in at most height lines.
func (l *Live) Lines(c decode.Counters, style print.Style, width, height int) [][]byte {
	of := summary.Make(&summary.Source{Source: report.Source{
		Stats: &l.totals.Stats, Counters: c, Protocols: l.run.Options.Protocols, First: l.run.Clock.First,
	}, Live: true})
	s := &screen{of: of, width: width, style: style, live: true}
	lines := bytes.Split(s.appendSections(nil, section{}, height), []byte("\n"))
	return lines[:max(min(len(lines)-1, height), 0)]
}
