package export

import (
	"github.com/parquet-go/parquet-go"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// newAttempts makes the table of attempts that are over.
func newAttempts(d *day) *table {
	t := d.newTable("attempts")
	t.addWhen()
	t.add(text, "protocol", "kind", "outcome")
	t.add(boolean, "failed")
	t.add(text, "cause", "detail", "by", "asker", "asked", "who")
	t.add(integer, "tries")
	t.add(double, "took")
	t.add(long, "first_frame")
	t.addSteps()
	return t
}

// addSteps adds the columns that row.steps writes.
func (p *plan) addSteps() {
	var nodes []parquet.Field
	for _, c := range []struct {
		storage
		name string
	}{{text, "name"}, {moment, "time"}, {long, "frame"}} {
		_, node := p.leaf(c.storage, 3, 1)
		nodes = append(nodes, named{node, c.name})
	}
	p.nodes = append(p.nodes, named{parquet.Optional(parquet.List(structure{fields: nodes})), "steps"})
}

func (e *Exporter) attempt(t *table, a *wire.Attempt) {
	r := row{e, t.columns}
	r.when(&a.Place)
	r.word(a.Protocol.Name)
	r.word(a.Kind.Name)
	r.word(a.Outcome.String())
	failed := int64(0)
	if a.Outcome.Failed() {
		failed = 1
	}
	r.number(failed)
	r.name(a.Cause)
	r.name(a.Detail)
	r.name(a.By.String())
	r.word(a.Asker.String())
	r.word(a.Asked.String())
	r.name(a.Who)
	r.number(int64(a.Tries))
	r.float(a.Took.Seconds())
	r.number(int64(firstFrame(a)))
	r.steps(a)
	e.added(t)
}

// firstFrame returns the frame of the earliest step of an attempt.
func firstFrame(a *wire.Attempt) (frame int) {
	first := a.Took
	for _, s := range a.Steps {
		if s.Frame > 0 && (frame == 0 || s.After < first) {
			frame, first = s.Frame, s.After
		}
	}
	if frame == 0 {
		return a.Frame
	}
	return frame
}

// steps writes the steps that an attempt has reached, in the order of AttemptKind.Steps.
func (r *row) steps(a *wire.Attempt) {
	name, at, frame := r.next(), r.next(), r.next()
	began := clock.Add(a.Time, -int64(a.Took))
	some := uint8(0) // repetition level: 0 for the first step, then 1
	for i, s := range a.Steps {
		if s.Frame == 0 || i >= len(a.Kind.Steps) {
			continue
		}
		name.putText(some, a.Kind.Steps[i].Name)
		at.number(some, uint64(clock.Add(began, int64(s.After))))
		frame.number(some, uint64(s.Frame))
		some = 1
	}
	if some == 0 {
		for _, c := range []*column{name, at, frame} {
			c.null(1, 0)
		}
	}
}
