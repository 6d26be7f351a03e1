package view

import (
	"errors"
	"fmt"

	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/diff"
	"github.com/gamedissect/gamedissect/internal/summary"
)

// maxGood is the maximum number of good captures that a View can be compared with. Their indexes together take as much
// memory as the View's own index.
const maxGood = 8

// AddGood opens a good capture, which the operation compare compares with this one. The caller reads the good capture
// with Step. Of returns its View.
func (v *View) AddGood(f File) error {
	if len(v.good) == maxGood {
		return fmt.Errorf("the page compares with at most %d good captures; gamedissect diff takes any number", maxGood)
	}
	o := v.options
	o.Index /= maxGood
	g, err := Open(f.Reader, f.Size, f.Name, o)
	if err == nil {
		v.good = append(v.good, g)
	}
	return err
}

// Of returns the nth good capture, or nil if there is none. For 0, it returns the View itself.
func (v *View) Of(n int) *View {
	if n == 0 {
		return v
	}
	if n < 0 || n > len(v.good) {
		return nil
	}
	return v.good[n-1]
}

// CallOf calls an operation of the View that Of returns.
func (v *View) CallOf(n int, op string, request []byte) []byte {
	if of := v.Of(n); of != nil {
		return of.Call(op, request)
	}
	return Failed(errors.New("no such good capture"))
}

// compared collects the data that a comparison needs about a capture. It examines the rows once the capture has been
// read.
type compared struct {
	talks   diff.Talks
	next    int // the next row to examine
	capture *diff.Capture
}

// advance continues the work and reports whether the result is complete.
func (c *compared) advance(v *View, l *limit) bool {
	x := &v.rows
	for v.reader.done && c.next < x.len() && !l.over() {
		r := x.row(c.next)
		c.next++
		if r.flags&isFinding == 0 {
			place := x.place(r, "")
			place.Repeated = r.flags&isRepeated != 0
			c.talks.Take(&place, x.contexts[r.context].direction, x.kinds[r.kind].message)
		}
	}
	if c.capture == nil && v.reader.done && c.next == x.len() {
		from := &summary.Source{Source: v.counts.source(), Files: x.files.counts}
		c.capture = diff.NewCapture(format.Unquoted(x.files.name()), from, &c.talks)
		if v.reader.trouble != nil {
			c.capture.Damaged()
		}
	}
	return c.capture != nil
}

type compareRequest struct {
	MS *int `json:"ms"`
}

type compareAnswer struct {
	Done bool     `json:"done"`
	Good []string `json:"captures"` // names of the good captures
	*diff.Comparison
	Numbers [][2]string `json:"numbers,omitempty"` // for each difference, the values in the good capture and in this one
	Way     []string    `json:"way,omitempty"`     // for two conversations, how they begin to differ
	Extent  [2]string   `json:"extent"`            // lengths of the good captures and of this one
}

// compare compares the capture with the good captures once all of them have been read.
func (v *View) compare(q *compareRequest) (*compareAnswer, error) {
	a := &compareAnswer{Good: []string{}}
	var good []*diff.Capture
	l := newLimit(q.MS)
	done := v.compared.advance(v, &l)
	for _, g := range v.good {
		a.Good = append(a.Good, format.Unquoted(g.rows.files.name()))
		done = done && g.compared.advance(g, &l)
		good = append(good, g.compared.capture)
	}
	if a.Done = done || len(good) == 0; !done || len(good) == 0 {
		return a, nil
	}
	a.Comparison = diff.Compare(good, v.compared.capture, diff.Judging)
	a.Extent = [2]string{diff.Extent(good), diff.Extent([]*diff.Capture{v.compared.capture})}
	for i := range a.Differences {
		d := &a.Differences[i]
		d.What, d.Note, d.File = format.Unquoted(d.What), format.Unquoted(d.Note), format.Unquoted(d.File)
		was, now := d.Numbers()
		a.Numbers = append(a.Numbers, [2]string{was, now})
	}
	if a.Parting != nil {
		a.Way = a.Parting.Lines()
	}
	return a, nil
}
