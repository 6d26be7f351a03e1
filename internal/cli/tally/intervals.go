package tally

import (
	"fmt"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/filter"
	"github.com/gamedissect/gamedissect/internal/report"
)

// Intervals are the sink of -z io. See Compile.
type Intervals struct {
	*report.Intervals
	name  string
	clock *session.Clock
}

// Compile finds the fields of measures. The display has subjects if there are measures.
func (t *Intervals) Compile(c *session.Clock, d *session.Display, s *filter.Schema, protocols []*wire.Protocol) error {
	t.clock, t.Subject = c, d.Subject
	if err := t.Intervals.Compile(s, protocols); err != nil {
		return fmt.Errorf("-z %s: %w", t.name, err)
	}
	return nil
}

func (t *Intervals) Message(m *decode.Message) { t.Intervals.Message(m, t.clock.First) }

func (t *Intervals) Finding(f *wire.TrafficFinding) { t.Intervals.Finding(f, t.clock.First) }

// Value counts what a tracker measured.
func (t *Intervals) Value(v *wire.Value) { t.Intervals.Value(v, t.clock.First) }

// print writes the table among others, and reports whether there is anything in it.
func (t *Intervals) print(p *printer) bool {
	some := p.table(t.Table())
	if late := t.Late(); late != "" && p.Form.Text() {
		p.text(late)
	}
	return some
}
