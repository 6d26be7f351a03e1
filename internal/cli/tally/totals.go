// Package tally prints what a run counted: totals, the tables of -z, and the timeline.
package tally

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/internal/cli/message"
	"github.com/gamedissect/gamedissect/internal/cli/outfile"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/report"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// Totals counts statistics during a run, and prints them.
type Totals struct {
	Stats     stats.Stats
	Out       *term.Output
	Form      term.TableForm
	Clock     *session.Clock
	Megabytes int64 // value of --memory
	Files     *message.FileNames
	Want      Options
	File      *outfile.File // file for all statistics; nil: none
	Shown     bool          // print the statistics at the end
	Timeline  *Timeline     // nil: not shown
	Behind    bool          // other text comes before the statistics
}

// Sink returns the sink that counts. If values is set, it also counts what trackers measure.
func (t *Totals) Sink(values bool) session.Sink {
	s := session.Sink{Message: t.Stats.Message, Finding: t.Stats.Finding, End: t.End}
	if values {
		s.Value, s.Attempt = t.Stats.Value, t.Stats.Attempt
	}
	return s
}

// End writes the statistics.
func (t *Totals) End(c decode.Counters) (err error) {
	t.Stats.Count(c)
	if t.File != nil {
		t.Stats.Begin = t.Clock.First
		err = t.write(t.Out)
	}
	if t.Shown {
		err = errors.Join(err, t.Print(t.Out, c))
	}
	return err
}

// Print writes the tables. It returns an error if --sort names a column that none of the tables has.
func (t *Totals) Print(out *term.Output, c decode.Counters) error {
	p := &printer{
		Out: out, Form: &t.Form, Files: t.Files, some: t.Behind && t.Stats.Messages > 0, order: t.Want.Order,
	}
	src := &report.Source{
		Stats: &t.Stats, Counters: c, Protocols: t.Want.Protocols, First: t.Clock.First,
		Brief: t.Form.Text() && !t.Want.Order.Given(),
	}
	if len(t.Want.Tables) == 0 {
		t.printTotals(p, src)
	}
	for _, name := range t.Want.Tables {
		t.printNamed(p, name, src)
	}
	_ = out.Flush() // error kept in out.Err
	if p.unsorted != nil && !p.sorted {
		return p.order.Missing(p.unsorted)
	}
	return nil
}

func (t *Totals) printTotals(p *printer, src *report.Source) {
	for _, show := range src.Totals() {
		switch {
		case show.Name == report.PacketsName && p.Form.Text():
			p.text(src.Packets())
			if when := src.When(); when != "" {
				p.some = false
				p.text(when)
			}
			continue
		case show.Name == report.ForgottenName:
			show.Columns[0].Key = show.Columns[0].Name
			show.Columns[0].Name = fmt.Sprintf("forgotten for lack of memory (--memory %d)", t.Megabytes)
		}
		p.table(show)
	}
}

func (t *Totals) printNamed(p *printer, name string, src *report.Source) {
	some := name == report.TimelineName && t.Timeline.print(p)
	for _, of := range t.Want.Intervals {
		if of.name == name {
			some = of.print(p)
		}
	}
	for _, of := range src.Tables(name) {
		some = p.measured(of) || some
	}
	if !some && p.Form.Text() {
		p.text(nothing(name, src))
	}
}

// A printer writes one table after another.
type printer struct {
	Out   *term.Output
	Form  *term.TableForm
	Files *message.FileNames
	some  bool // something was written already

	order    report.Order
	sorted   bool     // a table with the column of --sort was written
	unsorted []string // columns of a table without that column
}

// table writes a table. It reports whether the table has rows.
func (p *printer) table(t *report.Table) bool {
	if len(t.Rows) == 0 && p.Form.Text() {
		return false
	}
	left, ok := p.order.Arrange(t)
	if p.sorted = p.sorted || ok; !ok {
		p.unsorted = t.ColumnNames()
	}
	p.between()
	if p.Form.Text() {
		p.Out.Buf = p.Files.IntroduceTable(p.Out.Buf, t, p.Form.Width)
	}
	p.Form.Write(p.Out, t)
	if left > 0 && p.Form.Text() {
		p.Out.Buf = append(p.Out.Buf, "and "+report.Plural(int64(left), "more row")+"\n"...)
	}
	return len(t.Rows) > 0
}

// maxAcross limits the columns of a matrix if the width of lines is not limited.
const maxAcross = 40

// measured writes a table. For people it writes the matrices of the table instead, if all of them fit.
func (p *printer) measured(t *report.Table) (some bool) {
	list := t.MatrixTables()
	tooWide := func(m *report.Table) bool {
		if p.Form.Width == 0 {
			return len(m.Columns)-2 > maxAcross // without the columns who and total
		}
		return !p.Form.Fits(m)
	}
	if len(list) == 0 || !p.Form.Text() || p.order.Given() || slices.ContainsFunc(list, tooWide) {
		list = []*report.Table{t}
	}
	for _, show := range list {
		some = p.table(show) || some
	}
	return some
}

func (p *printer) text(text string) {
	p.between()
	p.Out.Buf = append(term.AppendFitting(p.Out.Buf, []byte(text), 0, 0, p.Form.Width), '\n')
}

func (p *printer) between() {
	if p.some {
		p.Out.Buf = p.Form.Between(p.Out.Buf)
	}
	p.some = true
}

// write writes all statistics to the file. If its name is -, it writes them to out.
func (t *Totals) write(out *term.Output) error {
	if t.Want.File == "-" {
		out.Width = 0
		err := t.writeTo(passing{out})
		return errors.Join(err, out.Flush())
	}
	if _, err := t.File.Begin(); err != nil {
		return err
	}
	w := bufio.NewWriterSize(t.File, term.FlushAt)
	if err := cmp.Or(t.writeTo(w), w.Flush()); err != nil {
		return err
	}
	return t.File.Commit()
}

// writeTo writes the statistics in pieces, because the whole text could take more memory than the statistics.
func (t *Totals) writeTo(w io.Writer) error {
	if err := t.Stats.WriteJSON(plainly{w}); err != nil {
		return err
	}
	_, err := w.Write([]byte{'\n'})
	return err
}

// passing turns an Output into an io.Writer.
type passing struct{ *term.Output }

// Write never returns an error, because the output keeps it.
func (p passing) Write(b []byte) (int, error) {
	p.Buf = p.Pass(append(p.Buf, b...))
	return len(b), nil
}

// plainly escapes unprintable characters in JSON that is written in pieces. No piece may end within a character.
type plainly struct{ to io.Writer }

func (p plainly) Write(b []byte) (int, error) {
	if _, err := p.to.Write(term.PlainJSON(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// TellsForgotten reports whether the final totals include what was dropped because memory ran out.
func (t *Totals) TellsForgotten() bool { return t.Shown && len(t.Want.Tables) == 0 }

// FindingCount returns the number of all findings.
func (t *Totals) FindingCount() (n int64) {
	for _, f := range t.Stats.Findings {
		n += f.Count
	}
	return n
}
