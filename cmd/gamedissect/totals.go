package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// totals are the sink that counts: statistics of what is read, and how they are shown.
type totals struct {
	stats.Stats
	out       *output
	form      tableForm
	clock     *clock
	memory    int64 // of --memory, in MB
	files     *fileNames
	want      statisticsOptions
	file      *outfile  // for all that was counted; nil: none
	shown     bool      // at the end
	timeline  *timeline // nil: nobody wants it
	intervals []*intervals
	behind    bool // text that stands before them
}

func (t *totals) message(m *decode.Message)      { t.Stats.Message(m) }
func (t *totals) finding(f *wire.TrafficFinding) { t.Stats.Finding(f) }

// A gatherer has the totals gather what trackers measure.
type gatherer struct{ *totals }

func (g gatherer) value(v *wire.Value) { g.Value(v) }

// end writes what was counted.
func (t *totals) end(c decode.Counters) (err error) {
	t.Count(c)
	if t.file != nil {
		err = t.write(t.out)
	}
	if t.shown {
		t.print(t.out, c)
	}
	return err
}

// print writes the tables.
func (t *totals) print(out *output, c decode.Counters) {
	p := &printer{out: out, form: &t.form, files: t.files, some: t.behind && t.Messages > 0}
	if len(t.want.tables) == 0 {
		t.printTotals(p, c)
	}
	for _, name := range t.want.tables {
		t.printNamed(p, name, c)
	}
	_ = out.flush() // kept in err
}

// printTotals writes what there is at a glance.
func (t *totals) printTotals(p *printer, c decode.Counters) {
	p.table(t.messageTable())
	if p.form.text() {
		p.text(t.packets(c))
	} else {
		p.table(t.packetTable(c))
	}
	p.table(t.findingTable())
	p.table(skippedTable(&c.Skipped))
	p.table(t.forgottenTable(c.Forgotten))
}

// A printer writes one table after another.
type printer struct {
	out   *output
	form  *tableForm
	files *fileNames
	some  bool // there is something before
}

// table writes a table, and reports whether there is anything in it.
func (p *printer) table(t *table) bool {
	if len(t.rows) == 0 && p.form.text() {
		return false
	}
	p.between()
	t.more = "-T csv has all"
	if p.form.text() {
		p.out.buf = p.files.introduceMet(p.out.buf, p.form.width)
	}
	p.form.write(p.out, t)
	return len(t.rows) > 0
}

// text writes a text for people.
func (p *printer) text(text string) {
	p.between()
	p.out.buf = append(appendFitting(p.out.buf, []byte(text), 0, 0, p.form.width), '\n')
}

func (p *printer) between() {
	if p.some {
		p.out.buf = p.form.between(p.out.buf)
	}
	p.some = true
}

// write writes all that was counted to a file; - is the output.
func (t *totals) write(out *output) error {
	if t.want.file == "-" {
		out.width = 0
		err := t.writeTo(passing{out})
		return errors.Join(err, out.flush())
	}
	to, err := t.file.begin()
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(to, flushAt)
	if err := errors.Join(t.writeTo(w), w.Flush()); err != nil {
		return t.file.failed(err)
	}
	return t.file.commit()
}

// writeTo writes piece by piece: all of it at once might be larger than what was counted.
func (t *totals) writeTo(w io.Writer) error {
	if err := t.WriteJSON(plainly{w}); err != nil {
		return err
	}
	_, err := w.Write([]byte{'\n'})
	return err
}

// passing is an output as a writer.
type passing struct{ *output }

// Write implements io.Writer. The output keeps its error.
func (p passing) Write(b []byte) (int, error) {
	p.buf = p.pass(append(p.buf, b...))
	return len(b), nil
}

// plainly makes the texts of JSON plainly printable, which comes in pieces that end between characters.
type plainly struct{ to io.Writer }

// Write implements io.Writer.
func (p plainly) Write(b []byte) (int, error) {
	if _, err := p.to.Write(plainJSON(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}

func (t *totals) packets(c decode.Counters) string {
	messages := counted(c.Messages, "message")
	if t.Messages != c.Messages { // a filter left some out
		messages = thousands(t.Messages) + " of " + messages
	}
	text := counted(c.Packets, "packet") + ", " + messages + ", " + counted(c.Other, "packet") + " of other traffic"
	if c.Truncated > 0 {
		text += "; " + counted(c.Truncated, "packet") + " not whole in the capture (snap length)"
	}
	return text
}

func counted(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return thousands(n) + " " + what + "s"
}

// eachMessageTotal calls the function for every kind of message, the most frequent of a protocol first.
func (t *totals) eachMessageTotal(f func(protocol, name string, sizes *stats.Histogram)) {
	for _, protocol := range slices.Sorted(maps.Keys(t.Protocols)) {
		messages := t.Protocols[protocol].Messages
		names := slices.SortedFunc(maps.Keys(messages), func(x, y string) int {
			return cmp.Or(cmp.Compare(messages[y].Sizes.Count, messages[x].Sizes.Count), cmp.Compare(x, y))
		})
		for _, name := range names {
			f(protocol, name, &messages[name].Sizes)
		}
	}
}

func (t *totals) messageTable() *table {
	show := &table{name: "messages", columns: append(textColumns("protocol", "message"),
		numberColumns("count", "bytes")...)}
	t.eachMessageTotal(func(protocol, name string, sizes *stats.Histogram) {
		show.rows = append(show.rows, []cell{wordCell(protocol), wordCell(name), numberCell(sizes.Count),
			numberCell(sizes.Sum)})
	})
	return show
}

// packetTable has for programs what packets says.
func (t *totals) packetTable(c decode.Counters) *table {
	return &table{
		name:    "packets",
		columns: numberColumns("packets", "messages", "messages shown", "other packets", "not whole"),
		rows: [][]cell{{numberCell(c.Packets), numberCell(c.Messages), numberCell(t.Messages), numberCell(c.Other),
			numberCell(c.Truncated)}},
	}
}

// findingTable has a row a rule, the gravest first.
func (t *totals) findingTable() *table {
	ids := slices.SortedFunc(maps.Keys(t.Findings), func(x, y string) int {
		a, b := t.Findings[x], t.Findings[y]
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(a.Time, b.Time), cmp.Compare(a.Frame, b.Frame),
			cmp.Compare(x, y))
	})
	show := &table{name: "findings", columns: []column{{name: "severity", whole: true}, {name: "rule", whole: true},
		{name: "count", right: true}, {name: "frame", key: "first_frame", right: true}, fileColumn("first file"),
		{name: "example", wraps: true, stays: true}, {name: "who", key: "first_who", whole: true}}}
	for _, id := range ids {
		f := t.Findings[id]
		show.rows = append(show.rows, []cell{wordCell(f.Severity.String()), wordCell(id), numberCell(f.Count),
			t.files.frameCell(f.File, f.Frame), fileCell(f.File), wordCell(f.Text), serverCell(f.Sender)})
	}
	return show
}

// skippedTable tells which bytes are in no message.
func skippedTable(skipped *decode.Skipped) *table {
	show := &table{name: "skipped", columns: []column{{name: "bytes in no message", key: "bytes"},
		{name: "count", right: true}}}
	for why, n := range skipped.All() {
		show.rows = append(show.rows, []cell{wordCell(why.String()), numberCell(n)})
	}
	return show
}

// tellsForgotten reports whether what is shown at the end has what there was no room for.
func (t *totals) tellsForgotten() bool { return t.shown && len(t.want.tables) == 0 }

// forgottenTable tells what there was no room for.
func (t *totals) forgottenTable(list []bounded.Forgotten) *table {
	what := fmt.Sprintf("forgotten for want of memory (--memory %d)", t.memory)
	show := &table{name: "forgotten", columns: []column{{name: what, key: "what"}, {name: "count", right: true}}}
	for _, f := range mostForgotten(list) {
		show.rows = append(show.rows, []cell{wordCell(f.Name), numberCell(f.Count)})
	}
	return show
}

// findingCount is the number of all findings.
func (t *totals) findingCount() int64 {
	n := int64(0)
	for _, f := range t.Findings {
		n += f.Count
	}
	return n
}

// thousands writes a number with a comma after every third digit.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// seconds writes nanoseconds as seconds.
func seconds(ns int64) string {
	b := appendSeconds(nil, ns)
	return string(b[:len(b)-3])
}
