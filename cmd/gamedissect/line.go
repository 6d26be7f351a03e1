package main

import (
	"net/netip"
	"strconv"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/print"
)

// lineWriter writes a line a message. Where lines have to fit a terminal the findings stand below, else their rules are
// named in the line.
type lineWriter struct {
	out     *output
	clock   *clock
	files   *fileNames
	style   print.Style
	columns columns

	narrow   bool           // see appendNarrow
	protocol *wire.Protocol // the first that was shown
	mixed    bool           // there was another one

	broken  []brokenRule // of the message at hand
	scratch []byte
}

// columns are the widths of a line's columns. They grow with what is shown, up to a limit, so
// that they soon hold still and a narrow terminal keeps room for what matters.
type columns struct{ frame, time, stream, address, protocol, message int }

var (
	narrowest = columns{frame: 4, time: 9, stream: 5, address: 15, protocol: 6, message: 11}
	widest    = columns{frame: 10, stream: 9, address: 21, protocol: 12, message: 19} // an address: 255.255.255.255:65535
)

// grow widens a column for a text, within its limit, and gives its width.
func grow(column *int, text, limit int) int {
	*column = max(*column, min(text, limit))
	return *column
}

// newLineWriter makes one for packets of the files, or interfaces, of these names.
func newLineWriter(out *output, c *clock, names []string, style print.Style) *lineWriter {
	w := &lineWriter{out: out, clock: c, files: newFileNames(names), style: style, columns: narrowest}
	if w.narrow = out.width > 0 && out.width < roomForBoth; w.narrow {
		w.columns, c.short = narrowestNarrow, true
	}
	return w
}

func (w *lineWriter) text() (*output, bool) { return w.out, true }

func (w *lineWriter) message(m *decode.Message) {
	fits := w.out.width > 0
	w.line(m, !fits)
	w.out.buf = append(w.out.buf, '\n')
	if fits && len(m.Findings) > 0 {
		w.below(m)
	}
}

// line writes the line without its end. Marks name the rules that the message breaks.
func (w *lineWriter) line(m *decode.Message, marks bool) {
	var b []byte
	limit := widest.message
	if w.narrow {
		b, limit = w.appendNarrow(w.out.buf, m), w.out.width/5
	} else {
		b = w.place(w.out.buf, &m.Place)
	}
	b = w.word(b, w.style.Name, m.Name, grow(&w.columns.message, len(m.Name), limit))
	b = append(b, "  "...)
	if marks {
		b = w.marks(b, m)
	}
	b = format.AppendSummary(b, m.Layer)
	w.out.buf = trimRight(b)
}

// place writes where something was seen: frame, time, conversation, both ends, protocol.
func (w *lineWriter) place(b []byte, p *wire.Place) []byte {
	start := len(b)
	if w.files.several() {
		b = appendPlain(b, p.File)
		b = append(b, ':')
	}
	b = strconv.AppendInt(b, int64(p.Frame), 10)
	b = alignRight(b, start, grow(&w.columns.frame, len(b)-start, widest.frame))
	b = append(b, "  "...)
	start = len(b)
	b = w.clock.append(b, p.Time)
	b = alignRight(b, start, w.columns.time)
	b = append(b, "  "...)
	if p.Protocol == nil {
		return b
	}
	b = w.stream(b, p)
	b = append(b, "  "...)
	b = w.address(b, p.Src)
	b = append(b, " > "...)
	b = w.address(b, p.Dst)
	b = append(b, "  "...)
	b = w.protocolName(b, p)
	return append(b, "  "...)
}

func (w *lineWriter) protocolName(b []byte, p *wire.Place) []byte {
	width := grow(&w.columns.protocol, len(p.Protocol.Name), widest.protocol)
	return w.word(b, w.style.Meaning, p.Protocol.Name, width)
}

// word writes a coloured word and pads it.
func (w *lineWriter) word(b []byte, colour, text string, width int) []byte {
	b = append(b, colour...)
	b = append(b, text...)
	if colour != "" {
		b = append(b, w.style.Reset...)
	}
	return appendBlanks(b, width-len(text))
}

// stream writes the conversation as follow takes it, padded.
func (w *lineWriter) stream(b []byte, p *wire.Place) []byte {
	start := len(b)
	b = appendConversation(b, p.ConversationID())
	width := len(b) - start
	return appendBlanks(b, grow(&w.columns.stream, width, widest.stream)-width)
}

// address writes an endpoint, padded.
func (w *lineWriter) address(b []byte, a netip.AddrPort) []byte {
	start := len(b)
	b = a.AppendTo(b)
	width := len(b) - start
	return appendBlanks(b, grow(&w.columns.address, width, widest.address)-width)
}

// alignRight moves what begins at start to the right end of a column.
func alignRight(b []byte, start, width int) []byte {
	n := len(b) - start
	if n < width {
		b = appendBlanks(b, width-n)
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
