package message

import (
	"net/netip"
	"strconv"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/decode/wire/print"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// LineWriter writes a line for each message. On a terminal it writes the findings below the line. Elsewhere it adds the
// names of the broken rules to the line.
type LineWriter struct {
	Out     *term.Output
	clock   *session.Clock
	files   *FileNames
	style   print.Style
	columns columns

	narrow   bool           // see appendNarrow
	protocol *wire.Protocol // protocol of the first message
	mixed    bool           // a later message had another protocol

	broken  []brokenRule // rules that the current message breaks
	scratch []byte
}

// columns are the widths of a line's columns. They grow with their texts up to a limit. So they soon stop changing, and
// leave room for the message.
type columns struct{ frame, time, stream, address, protocol, message int }

var (
	narrowest = columns{frame: 4, time: 9, stream: 5, address: 15, protocol: 6, message: 11}
	widest    = columns{frame: 10, stream: 9, address: 21, protocol: 12, message: 19} // 255.255.255.255:65535
)

// Grow widens a column to the width of a text, up to a limit, and returns the column's width.
func Grow(column *int, text, limit int) int {
	*column = max(*column, min(text, limit))
	return *column
}

// NewLineWriter returns a LineWriter for packets of the named files or interfaces.
func NewLineWriter(out *term.Output, c *session.Clock, names []string, style print.Style) *LineWriter {
	w := &LineWriter{Out: out, clock: c, files: NewFileNames(names), style: style, columns: narrowest}
	if w.narrow = out.Width > 0 && out.Width < roomForBoth; w.narrow {
		w.columns, c.Short = narrowestNarrow, true
	}
	return w
}

// Message writes the line of a message, and on a terminal the findings below it.
func (w *LineWriter) Message(m *decode.Message) {
	fits := w.Out.Width > 0
	w.Line(m, !fits)
	w.Out.Buf = append(w.Out.Buf, '\n')
	if fits && len(m.Findings) > 0 {
		w.below(m)
	}
}

// Line writes the line of a message without a newline. If marks is set, the line contains the names of the broken
// rules.
func (w *LineWriter) Line(m *decode.Message, marks bool) {
	var b []byte
	limit := widest.message
	if w.narrow {
		b, limit = w.appendNarrow(w.Out.Buf, m), w.Out.Width/5
	} else {
		b = w.place(w.Out.Buf, &m.Place)
	}
	b = w.word(b, w.style.Name, m.Name, Grow(&w.columns.message, len(m.Name), limit))
	b = append(b, "  "...)
	if marks {
		b = w.marks(b, m)
	}
	b = format.AppendSummary(b, m.Layer)
	w.Out.Buf = term.TrimRight(b)
}

// place appends frame, time, conversation, both endpoints and protocol.
func (w *LineWriter) place(b []byte, p *wire.Place) []byte {
	start := len(b)
	if w.files.Several() {
		b = format.AppendPlain(b, p.File)
		b = append(b, ':')
	}
	b = strconv.AppendInt(b, int64(p.Frame), 10)
	b = term.AlignRight(b, start, Grow(&w.columns.frame, len(b)-start, widest.frame))
	b = append(b, "  "...)
	start = len(b)
	b = w.clock.Append(b, p.Time)
	b = term.AlignRight(b, start, w.columns.time)
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

func (w *LineWriter) protocolName(b []byte, p *wire.Place) []byte {
	width := Grow(&w.columns.protocol, len(p.Protocol.Name), widest.protocol)
	return w.word(b, w.style.Meaning, p.Protocol.Name, width)
}

func (w *LineWriter) word(b []byte, colour, text string, width int) []byte {
	b = append(b, colour...)
	b = append(b, text...)
	if colour != "" {
		b = append(b, w.style.Reset...)
	}
	return term.AppendBlanks(b, width-len(text))
}

// stream appends the padded number of the conversation, such as tcp,3.
func (w *LineWriter) stream(b []byte, p *wire.Place) []byte {
	start := len(b)
	b = appendConversation(b, p.ConversationID())
	width := len(b) - start
	return term.AppendBlanks(b, Grow(&w.columns.stream, width, widest.stream)-width)
}

// address appends a padded endpoint.
func (w *LineWriter) address(b []byte, a netip.AddrPort) []byte {
	start := len(b)
	b = a.AppendTo(b)
	width := len(b) - start
	return term.AppendBlanks(b, Grow(&w.columns.address, width, widest.address)-width)
}
