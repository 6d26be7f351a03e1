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
	"github.com/gamedissect/gamedissect/decode/stats"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// totals are the sink that counts: statistics of what is read, and how they are shown.
type totals struct {
	stats.Stats
	out    *output
	memory int64 // of --memory, in MB
	files  bool  // several are read: name them
	want   statisticsOptions
	file   *outfile // for all that was counted; nil: none
	shown  bool     // at the end
	behind bool     // text that stands before them
}

func (t *totals) message(m *decode.Message)      { t.Stats.Message(m) }
func (t *totals) finding(f *wire.TrafficFinding) { t.Stats.Finding(f) }
func (t *totals) value(v *wire.Value)            { t.Stats.Value(v) }

// end writes what was counted.
func (t *totals) end(c decode.Counters) (err error) {
	t.Count(c)
	if t.file != nil {
		err = t.write(t.out)
	}
	if t.shown {
		if t.behind && t.Messages > 0 {
			t.out.buf = append(t.out.buf, '\n')
		}
		t.print(t.out, c)
	}
	return err
}

// print writes the tables.
func (t *totals) print(out *output, c decode.Counters) {
	if len(t.want.tables) > 0 {
		for i, name := range t.want.tables {
			if i > 0 {
				out.buf = append(out.buf, '\n')
			}
			out.buf = t.appendNamed(out.buf, name)
		}
		_ = out.flush() // kept in err
		return
	}
	b := t.appendMessages(out.buf)
	b = append(b, t.packets(c)...)
	b = append(b, '\n')
	if len(t.Findings) > 0 {
		b = append(b, '\n')
	}
	b = appendSkipped(t.appendFindings(b), &c.Skipped)
	if len(c.Forgotten) > 0 {
		b = append(b, '\n')
	}
	out.buf = t.appendForgotten(b, c.Forgotten)
	_ = out.flush()
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

func (t *totals) appendMessages(b []byte) []byte {
	show := table{heading: []string{"protocol", "message", "count", "bytes"}, right: []bool{false, false, true, true}}
	t.eachMessageTotal(func(protocol, name string, sizes *stats.Histogram) {
		show.rows = append(show.rows, []string{protocol, name, thousands(sizes.Count), thousands(sizes.Sum)})
	})
	b = show.append(b)
	if len(show.rows) > 0 {
		b = append(b, '\n')
	}
	return b
}

// appendFindings writes a line a rule, the gravest first.
func (t *totals) appendFindings(b []byte) []byte {
	ids := slices.SortedFunc(maps.Keys(t.Findings), func(x, y string) int {
		a, b := t.Findings[x], t.Findings[y]
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(a.Time, b.Time), cmp.Compare(a.Frame, b.Frame),
			cmp.Compare(x, y))
	})
	show := table{heading: []string{"severity", "rule", "count", "first frame", "example"},
		right: []bool{false, false, true, true, false}}
	for _, id := range ids {
		f := t.Findings[id]
		first := t.first(f.File, f.Frame)
		show.rows = append(show.rows, []string{f.Severity.String(), id, thousands(f.Count), first, f.Text})
	}
	return show.append(b)
}

// appendSkipped tells which bytes are in no message.
func appendSkipped(b []byte, skipped *decode.Skipped) []byte {
	show := table{heading: []string{"bytes in no message", "count"}, right: []bool{false, true}}
	for why, n := range skipped.All() {
		show.rows = append(show.rows, []string{why.String(), thousands(n)})
	}
	if len(show.rows) > 0 {
		b = append(b, '\n')
	}
	return show.append(b)
}

// tellsForgotten reports whether what is shown at the end has what there was no room for.
func (t *totals) tellsForgotten() bool { return t.shown && len(t.want.tables) == 0 }

// appendForgotten tells what there was no room for.
func (t *totals) appendForgotten(b []byte, list []bounded.Forgotten) []byte {
	show := table{heading: []string{fmt.Sprintf("forgotten for want of memory (--memory %d)", t.memory), "count"},
		right: []bool{false, true}}
	for _, f := range mostForgotten(list) {
		show.rows = append(show.rows, []string{f.Name, thousands(f.Count)})
	}
	return show.append(b)
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
func seconds(ns int64) string { return fmt.Sprintf("%.3f", float64(ns)/1e9) }
