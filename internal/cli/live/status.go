package live

import (
	"fmt"
	"io"
	"time"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/report"
)

// status is a line on a terminal that tells how a capture goes on. The zero status shows nothing.
type status struct {
	w       io.Writer // nil: nothing is shown
	next    time.Time
	before  int64 // packets at the time of the last line
	at      time.Time
	shown   bool
	started time.Time
}

const statusEvery = time.Second

// NewStatus makes a line when a person watches and nothing else is written to the terminal.
func NewStatus(w io.Writer, out term.Terminal, textless bool) status {
	if !term.Watched(w, out, textless) {
		return status{}
	}
	now := time.Now()
	return status{w: w, at: now, started: now}
}

// update writes the line when it is time.
func (s *status) update(c decode.Counters, findings func() int64, dropped int64) {
	if s.w == nil {
		return
	}
	now := time.Now()
	if now.Before(s.next) {
		return
	}
	rate := float64(c.Packets-s.before) / max(now.Sub(s.at).Seconds(), 1e-3)
	fmt.Fprintf(s.w, "\r\x1b[K%s  %s packets (%.0f/s), %s, %s dropped, %s", now.Sub(s.started).Round(time.Second),
		report.FormatCount(c.Packets), rate, report.Plural(c.Messages, "message"), report.FormatCount(dropped),
		report.Plural(findings(), "finding"))
	s.before, s.at, s.next, s.shown = c.Packets, now, now.Add(statusEvery), true
}

// done takes the line away.
func (s *status) done() {
	if s.shown {
		fmt.Fprint(s.w, "\r\x1b[K")
	}
}
