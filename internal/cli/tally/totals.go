package tally

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/internal/cli/message"
	"github.com/gamedissect/gamedissect/internal/cli/outfile"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/table"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// Totals are the sink that counts: statistics of what is read, and how they are shown.
type Totals struct {
	Stats     stats.Stats
	Out       *term.Output
	Form      table.Form
	Clock     *session.Clock
	Megabytes int64 // of --memory
	Files     *message.FileNames
	Want      Options
	File      *outfile.File // for all that was counted; nil: none
	Shown     bool          // at the end
	Timeline  *timeline     // nil: nobody wants it
	Intervals []*intervals
	Behind    bool // text that stands before them
}

func (t *Totals) Message(m *decode.Message)      { t.Stats.Message(m) }
func (t *Totals) Finding(f *wire.TrafficFinding) { t.Stats.Finding(f) }

// A Gatherer has the totals gather what trackers measure.
type Gatherer struct{ *Totals }

func (g Gatherer) Value(v *wire.Value) { g.Stats.Value(v) }

// End writes what was counted.
func (t *Totals) End(c decode.Counters) (err error) {
	t.Stats.Count(c)
	if t.File != nil {
		err = t.write(t.Out)
	}
	if t.Shown {
		t.Print(t.Out, c)
	}
	return err
}

// Print writes the tables.
func (t *Totals) Print(out *term.Output, c decode.Counters) {
	p := &Printer{Out: out, Form: &t.Form, Files: t.Files, some: t.Behind && t.Stats.Messages > 0}
	if len(t.Want.Tables) == 0 {
		t.printTotals(p, c)
	}
	for _, name := range t.Want.Tables {
		t.printNamed(p, name, c)
	}
	_ = out.Flush() // kept in err
}

// printTotals writes what there is at a glance.
func (t *Totals) printTotals(p *Printer, c decode.Counters) {
	p.Table(t.messageTable())
	if p.Form.Text() {
		p.text(t.packets(c))
	} else {
		p.Table(t.packetTable(c))
	}
	p.Table(t.FindingTable())
	p.Table(skippedTable(&c.Skipped))
	p.Table(t.forgottenTable(c.Forgotten))
}

// A Printer writes one table after another.
type Printer struct {
	Out   *term.Output
	Form  *table.Form
	Files *message.FileNames
	some  bool // there is something before
}

// Table writes a table, and reports whether there is anything in it.
func (p *Printer) Table(t *table.Table) bool {
	if len(t.Rows) == 0 && p.Form.Text() {
		return false
	}
	p.between()
	t.More = "-T csv has all"
	if p.Form.Text() {
		p.Out.Buf = p.Files.IntroduceMet(p.Out.Buf, p.Form.Width)
	}
	p.Form.Write(p.Out, t)
	return len(t.Rows) > 0
}

// text writes a text for people.
func (p *Printer) text(text string) {
	p.between()
	p.Out.Buf = append(term.AppendFitting(p.Out.Buf, []byte(text), 0, 0, p.Form.Width), '\n')
}

func (p *Printer) between() {
	if p.some {
		p.Out.Buf = p.Form.Between(p.Out.Buf)
	}
	p.some = true
}

// write writes all that was counted to a file; - is the output.
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

// writeTo writes piece by piece: all of it at once might be larger than what was counted.
func (t *Totals) writeTo(w io.Writer) error {
	if err := t.Stats.WriteJSON(plainly{w}); err != nil {
		return err
	}
	_, err := w.Write([]byte{'\n'})
	return err
}

// passing is an output as a writer.
type passing struct{ *term.Output }

// Write implements io.Writer. The output keeps its error.
func (p passing) Write(b []byte) (int, error) {
	p.Buf = p.Pass(append(p.Buf, b...))
	return len(b), nil
}

// plainly makes the texts of JSON plainly printable, which comes in pieces that end between characters.
type plainly struct{ to io.Writer }

// Write implements io.Writer.
func (p plainly) Write(b []byte) (int, error) {
	if _, err := p.to.Write(term.PlainJSON(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}

func (t *Totals) packets(c decode.Counters) string {
	messages := term.Counted(c.Messages, "message")
	if t.Stats.Messages != c.Messages { // a filter left some out
		messages = term.Thousands(t.Stats.Messages) + " of " + messages
	}
	text := term.Counted(c.Packets, "packet") + ", " + messages + ", " + term.Counted(c.Other, "packet") + " of other traffic"
	if c.Truncated > 0 {
		text += "; " + term.Counted(c.Truncated, "packet") + " not whole in the capture (snap length)"
	}
	return text
}

// eachMessageTotal calls the function for every kind of message, the most frequent of a protocol first.
func (t *Totals) eachMessageTotal(f func(protocol, name string, sizes *stats.Histogram)) {
	for _, protocol := range slices.Sorted(maps.Keys(t.Stats.Protocols)) {
		messages := t.Stats.Protocols[protocol].Messages
		names := slices.SortedFunc(maps.Keys(messages), func(x, y string) int {
			return cmp.Or(cmp.Compare(messages[y].Sizes.Count, messages[x].Sizes.Count), cmp.Compare(x, y))
		})
		for _, name := range names {
			f(protocol, name, &messages[name].Sizes)
		}
	}
}

func (t *Totals) messageTable() *table.Table {
	show := &table.Table{Name: "messages", Columns: append(table.TextColumns("protocol", "message"),
		table.NumberColumns("count", "bytes")...)}
	t.eachMessageTotal(func(protocol, name string, sizes *stats.Histogram) {
		show.Rows = append(show.Rows, []table.Cell{table.WordCell(protocol), table.WordCell(name), table.NumberCell(sizes.Count),
			table.NumberCell(sizes.Sum)})
	})
	return show
}

// packetTable has for programs what packets says.
func (t *Totals) packetTable(c decode.Counters) *table.Table {
	return &table.Table{
		Name:    "packets",
		Columns: table.NumberColumns("packets", "messages", "messages shown", "other packets", "not whole"),
		Rows: [][]table.Cell{{table.NumberCell(c.Packets), table.NumberCell(c.Messages), table.NumberCell(t.Stats.Messages), table.NumberCell(c.Other),
			table.NumberCell(c.Truncated)}},
	}
}

// FindingTable has a row a rule, the gravest first.
func (t *Totals) FindingTable() *table.Table {
	ids := slices.SortedFunc(maps.Keys(t.Stats.Findings), func(x, y string) int {
		a, b := t.Stats.Findings[x], t.Stats.Findings[y]
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(a.Time, b.Time), cmp.Compare(a.Frame, b.Frame),
			cmp.Compare(x, y))
	})
	show := &table.Table{Name: "findings", Columns: []table.Column{{Name: "severity", Whole: true}, {Name: "rule", Whole: true},
		{Name: "count", Right: true}, {Name: "frame", Key: "first_frame", Right: true}, table.FileColumn("first file"),
		{Name: "example", Wraps: true, Stays: true}, {Name: "who", Key: "first_who", Whole: true}}}
	for _, id := range ids {
		f := t.Stats.Findings[id]
		show.Rows = append(show.Rows, []table.Cell{table.WordCell(f.Severity.String()), table.WordCell(id), table.NumberCell(f.Count),
			t.Files.FrameCell(f.File, f.Frame), table.FileCell(f.File), table.WordCell(f.Text), serverCell(f.Sender)})
	}
	return show
}

// skippedTable tells which bytes are in no message.
func skippedTable(skipped *decode.Skipped) *table.Table {
	show := &table.Table{Name: "skipped", Columns: []table.Column{{Name: "bytes in no message", Key: "bytes"},
		{Name: "count", Right: true}}}
	for why, n := range skipped.All() {
		show.Rows = append(show.Rows, []table.Cell{table.WordCell(why.String()), table.NumberCell(n)})
	}
	return show
}

// TellsForgotten reports whether what is shown at the end has what there was no room for.
func (t *Totals) TellsForgotten() bool { return t.Shown && len(t.Want.Tables) == 0 }

// forgottenTable tells what there was no room for.
func (t *Totals) forgottenTable(list []bounded.Forgotten) *table.Table {
	what := fmt.Sprintf("forgotten for want of memory (--memory %d)", t.Megabytes)
	show := &table.Table{Name: "forgotten", Columns: []table.Column{{Name: what, Key: "what"}, {Name: "count", Right: true}}}
	for _, f := range session.MostForgotten(list) {
		show.Rows = append(show.Rows, []table.Cell{table.WordCell(f.Name), table.NumberCell(f.Count)})
	}
	return show
}

// FindingCount is the number of all findings.
func (t *Totals) FindingCount() int64 {
	n := int64(0)
	for _, f := range t.Stats.Findings {
		n += f.Count
	}
	return n
}
