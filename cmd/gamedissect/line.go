package main

import (
	"net/netip"
	"slices"
	"strconv"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/print"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// brokenRule is a rule and how often a message breaks it.
type brokenRule struct {
	*wire.Rule
	times int
}

// lineWriter writes a line a message.
type lineWriter struct {
	out     *output
	clock   *clock
	files   bool // several are read: name them
	style   print.Style
	columns columns
	broken  []brokenRule // of the message at hand
}

// columns are the widths of a line's columns. They grow with what is shown, up to a limit, so
// that they soon hold still and a narrow terminal keeps room for what matters.
type columns struct{ address, protocol, message int }

var (
	narrowest = columns{address: 15, protocol: 6, message: 11}
	widest    = columns{address: 21, protocol: 12, message: 19} // an address: 255.255.255.255:65535
)

const (
	frameWidth = 4
	timeWidth  = 9
)

// grow widens a column for a text, within its limit, and gives its width.
func grow(column *int, text, limit int) int {
	*column = max(*column, min(text, limit))
	return *column
}

func newLineWriter(out *output, c *clock, files bool, style print.Style) *lineWriter {
	return &lineWriter{out: out, clock: c, files: files, style: style, columns: narrowest}
}

func (w *lineWriter) text() (*output, bool) { return w.out, true }

func (w *lineWriter) message(m *decode.Message) {
	w.line(m, true)
	w.out.buf = append(w.out.buf, '\n')
}

// line writes the line without its end. Marks name the rules that the message breaks; they stand
// in front of what a narrow terminal may cut off.
func (w *lineWriter) line(m *decode.Message, marks bool) {
	b := w.place(w.out.buf, &m.Place)
	b = w.word(b, w.style.Name, m.Name, grow(&w.columns.message, len(m.Name), widest.message))
	b = append(b, "  "...)
	if marks {
		b = w.marks(b, m)
	}
	b = format.AppendSummary(b, m.Layer)
	w.out.buf = trimRight(b)
}

// marks writes the rules that a message breaks, each once and how often.
func (w *lineWriter) marks(b []byte, m *decode.Message) []byte {
	w.broken = w.broken[:0]
	for i := range m.Findings {
		rule := m.Findings[i].Rule
		at := slices.IndexFunc(w.broken, func(r brokenRule) bool { return r.Rule == rule })
		if at < 0 {
			at = len(w.broken)
			w.broken = append(w.broken, brokenRule{Rule: rule})
		}
		w.broken[at].times++
	}
	for _, r := range w.broken {
		b = append(b, w.style.ForSeverity(r.Severity)...)
		b = append(b, "! "...)
		b = append(b, r.ID...)
		if r.times > 1 {
			b = strconv.AppendInt(append(b, " x"...), int64(r.times), 10)
		}
		if w.style.Reset != "" {
			b = append(b, w.style.Reset...)
		}
		b = append(b, "  "...)
	}
	return b
}

// place writes where something was seen: frame, time, both ends, protocol.
func (w *lineWriter) place(b []byte, p *wire.Place) []byte {
	start := len(b)
	if w.files {
		b = appendPlain(b, p.File)
		b = append(b, ':')
	}
	b = strconv.AppendInt(b, int64(p.Frame), 10)
	b = alignRight(b, start, frameWidth)
	b = append(b, "  "...)
	start = len(b)
	b = w.clock.append(b, p.Time)
	b = alignRight(b, start, timeWidth)
	b = append(b, "  "...)
	if p.Protocol == nil {
		return b
	}
	b = w.address(b, p.Src)
	b = append(b, " > "...)
	b = w.address(b, p.Dst)
	b = append(b, "  "...)
	b = w.word(b, w.style.Meaning, p.Protocol.Name, grow(&w.columns.protocol, len(p.Protocol.Name), widest.protocol))
	return append(b, "  "...)
}

// finding writes a finding that belongs to no message.
func (w *lineWriter) finding(f *wire.TrafficFinding) {
	b := w.place(w.out.buf, &f.Place)
	b = w.word(b, w.style.ForSeverity(f.Rule.Severity), "! "+f.Rule.ID, 0)
	b = append(b, ' ')
	b = append(b, f.Rule.Severity.String()...)
	b = append(b, ": "...)
	b = append(b, f.Text...)
	w.out.buf = append(b, '\n')
}

// word writes a coloured word and pads it.
func (w *lineWriter) word(b []byte, colour, text string, width int) []byte {
	b = append(b, colour...)
	b = append(b, text...)
	if colour != "" {
		b = append(b, w.style.Reset...)
	}
	for range width - len(text) {
		b = append(b, ' ')
	}
	return b
}

// address writes an endpoint, padded.
func (w *lineWriter) address(b []byte, a netip.AddrPort) []byte {
	start := len(b)
	b = a.AppendTo(b)
	width := grow(&w.columns.address, len(b)-start, widest.address)
	for len(b)-start < width {
		b = append(b, ' ')
	}
	return b
}

// alignRight moves what begins at start to the right end of a column.
func alignRight(b []byte, start, width int) []byte {
	n := len(b) - start
	for range width - n {
		b = append(b, ' ')
	}
	if n < width {
		copy(b[start+width-n:], b[start:start+n])
		for i := range width - n {
			b[start+i] = ' '
		}
	}
	return b
}

func trimRight(b []byte) []byte {
	for len(b) > 0 && b[len(b)-1] == ' ' {
		b = b[:len(b)-1]
	}
	return b
}
