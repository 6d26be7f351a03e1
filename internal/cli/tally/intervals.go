package tally

import (
	"fmt"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/filter"
	"github.com/gamedissect/gamedissect/internal/report"
)

// Intervals is the table of -z io. Compile must be called before the first message.
type Intervals struct {
	*report.Intervals
	name  string
	clock *session.Clock
}

// Compile finds the fields of measures. If there are measures, subjects and schema must not be nil.
func (t *Intervals) Compile(c *session.Clock, of *session.Subjects, s *filter.Schema,
	protocols []*wire.Protocol) error {
	t.clock, t.Subject = c, of.Current
	if err := t.Intervals.Compile(s, protocols); err != nil {
		return fmt.Errorf("-z %s: %w", t.name, err)
	}
	return nil
}

// Sink returns the sink that counts. The sink receives values only if the table measures values.
func (t *Intervals) Sink() session.Sink {
	s := session.Sink{
		Message: func(m *decode.Message) { t.Message(m, t.clock.First) },
		Finding: func(f *wire.TrafficFinding) { t.Finding(f, t.clock.First) },
	}
	if t.Measures() {
		s.Value = func(v *wire.Value) { t.Value(v, t.clock.First) }
	}
	return s
}

// print writes the table as one of several tables. It reports whether the table has rows.
func (t *Intervals) print(p *printer) bool {
	some := p.table(t.Table())
	if late := t.Late(); late != "" && p.Form.Text() {
		p.text(late)
	}
	return some
}
