package message

import (
	"net/netip"
	"strconv"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/print"
)

// lineWriter writes a line a message. Where lines have to fit a terminal the findings stand below, else their rules are
// named in the line.
type lineWriter struct {
	Out     *term.Output
	clock   *session.Clock
	files   *FileNames
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
type columns struct{ frame, Time, stream, address, protocol, message int }

var (
	narrowest = columns{frame: 4, Time: 9, stream: 5, address: 15, protocol: 6, message: 11}
	widest    = columns{frame: 10, stream: 9, address: 21, protocol: 12, message: 19} // an address: 255.255.255.255:65535
)

// Grow widens a column for a text, within its limit, and gives its width.
func Grow(column *int, text, limit int) int {
	*column = max(*column, min(text, limit))
	return *column
}

// NewLineWriter makes one for packets of the files, or interfaces, of these names.
func NewLineWriter(out *term.Output, c *session.Clock, names []string, style print.Style) *lineWriter {
	w := &lineWriter{Out: out, clock: c, files: NewFileNames(names), style: style, columns: narrowest}
	if w.narrow = out.Width > 0 && out.Width < roomForBoth; w.narrow {
		w.columns, c.Short = NarrowestNarrow, true
	}
	return w
}

func (w *lineWriter) Text() (*term.Output, bool) { return w.Out, true }

func (w *lineWriter) Message(m *decode.Message) {
	fits := w.Out.Width > 0
	w.Line(m, !fits)
	w.Out.Buf = append(w.Out.Buf, '\n')
	if fits && len(m.Findings) > 0 {
		w.below(m)
	}
}

// Line writes the line without its end. Marks name the rules that the message breaks.
func (w *lineWriter) Line(m *decode.Message, marks bool) {
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

// place writes where something was seen: frame, time, conversation, both ends, protocol.
func (w *lineWriter) place(b []byte, p *wire.Place) []byte {
	start := len(b)
	if w.files.Several() {
		b = term.AppendPlain(b, p.File)
		b = append(b, ':')
	}
	b = strconv.AppendInt(b, int64(p.Frame), 10)
	b = term.AlignRight(b, start, Grow(&w.columns.frame, len(b)-start, widest.frame))
	b = append(b, "  "...)
	start = len(b)
	b = w.clock.Append(b, p.Time)
	b = term.AlignRight(b, start, w.columns.Time)
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
	width := Grow(&w.columns.protocol, len(p.Protocol.Name), widest.protocol)
	return w.word(b, w.style.Meaning, p.Protocol.Name, width)
}

// word writes a coloured word and pads it.
func (w *lineWriter) word(b []byte, colour, text string, width int) []byte {
	b = append(b, colour...)
	b = append(b, text...)
	if colour != "" {
		b = append(b, w.style.Reset...)
	}
	return term.AppendBlanks(b, width-len(text))
}

// stream writes the conversation as follow takes it, padded.
func (w *lineWriter) stream(b []byte, p *wire.Place) []byte {
	start := len(b)
	b = AppendConversation(b, p.ConversationID())
	width := len(b) - start
	return term.AppendBlanks(b, Grow(&w.columns.stream, width, widest.stream)-width)
}

// address writes an endpoint, padded.
func (w *lineWriter) address(b []byte, a netip.AddrPort) []byte {
	start := len(b)
	b = a.AppendTo(b)
	width := len(b) - start
	return term.AppendBlanks(b, Grow(&w.columns.address, width, widest.address)-width)
}
