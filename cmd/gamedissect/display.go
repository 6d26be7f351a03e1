package main

import (
	"fmt"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/filter"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers"
)

// display applies the display filter. Nil shows everything.
type display struct {
	course *filter.History
	filter *filter.Filter // nil: everything
	now    *filter.Subject
	held   []wire.Value // measured at a message that is yet to come
}

// newDisplay reads -Y. Without it, and with no need of subjects, there is none.
func newDisplay(s *filter.Schema, text string) (*display, error) {
	d := &display{course: filter.NewHistory()}
	if text == "" {
		return d, nil
	}
	var err error
	if d.filter, err = s.Compile(text, nil); err != nil {
		return nil, fmt.Errorf("-Y: %w", err)
	}
	return d, nil
}

// newSchema makes the schema of all protocols.
func newSchema() *filter.Schema { return filter.NewSchema(layers.All()) }

func (d *display) packet(time int64) {
	if d != nil {
		d.course.Packet(time)
	}
}

// message reports whether a message is shown.
func (d *display) message(m *decode.Message) bool {
	if d == nil {
		return true
	}
	d.now = d.course.Message(m)
	return d.match()
}

func (d *display) finding(f *wire.TrafficFinding) bool {
	if d == nil {
		return true
	}
	d.now = d.course.Finding(f)
	return d.match()
}

func (d *display) match() bool { return d.filter == nil || d.filter.Match(d.now) }

// value holds what was measured until the message that showed it is judged.
func (d *display) value(v *wire.Value, count func(*wire.Value)) {
	if d == nil || d.filter == nil {
		if d != nil {
			d.course.Value(v)
		}
		count(v)
		return
	}
	d.course.Value(v)
	if len(d.held) > 0 && d.held[0].Place != v.Place {
		d.release(nil, false, count)
	}
	d.held = append(d.held, *v)
}

// release counts what was held: what the message showed if that is shown, the rest by its place.
func (d *display) release(m *decode.Message, shown bool, count func(*wire.Value)) {
	if d == nil {
		return
	}
	for i := range d.held {
		v := &d.held[i]
		if m == nil || v.Place != m.Place {
			shown = d.filter.Match(d.course.Place(&v.Place))
		}
		if shown {
			count(v)
		}
	}
	d.held = d.held[:0]
}
