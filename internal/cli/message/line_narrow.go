package message

import (
	"net/netip"
	"strconv"
	"unicode/utf8"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// On a terminal as wide as most are, two addresses leave no room for what was said. There a line has the conversation,
// > or <, which are to the server and from it, and the client:
//
//	12   0.260 tcp,1 < 127.0.0.1:39950  MsgAddPlayer  1  "ann" Observer
//
// and half of it or more for what was said.

const (
	roomForBoth = 160 // columns with which all of lineWriter.place takes half of a line at the most
	leastClient = 9   // columns that are worth an address: 10.0.0.1 and a blank
)

// Narrow columns begin narrower.
var NarrowestNarrow = columns{frame: 4, Time: 6, stream: 5, address: 15, protocol: 6, message: 11}

// appendNarrow writes what stands in front of a message's name. While all messages are of one protocol it is not
// named: the totals and every finding say which. From the first message of another one on there is a column for it, so
// that the columns move once, and only where it is worth something.
func (w *lineWriter) appendNarrow(b []byte, m *decode.Message) []byte {
	b = w.files.introduce(b, m.File, w.Out.Width)
	start := len(b)
	b = w.appendWhen(b, &m.Place)
	b = append(b, ' ')
	b = w.stream(b, &m.Place)
	switch m.Direction {
	case wire.ToServer:
		b = append(b, " > "...)
		b = w.client(b, m.Src, start)
	case wire.FromServer:
		b = append(b, " < "...)
		b = w.client(b, m.Dst, start)
	default:
		b = appendBoth(append(b, "  "...), &m.Place)
		if len(b)-start > w.Out.Width/2 { // these two are not cut
			b = term.AppendBlanks(append(b, '\n'), belowLine-2)
		}
		b = append(b, "  "...)
	}
	if w.protocol == nil {
		w.protocol = m.Protocol
	}
	if w.mixed = w.mixed || m.Protocol != w.protocol; w.mixed {
		b = w.protocolName(b, &m.Place)
		b = append(b, "  "...)
	}
	return b
}

// appendWhen writes the number of a frame and its time, in columns that grow.
func (w *lineWriter) appendWhen(b []byte, p *wire.Place) []byte {
	start := len(b)
	if w.files.Several() {
		b = w.files.appendLabel(b, p.File)
		b = append(b, ':')
	}
	b = strconv.AppendInt(b, int64(p.Frame), 10)
	b = term.AlignRight(b, start, Grow(&w.columns.frame, len(b)-start, w.Out.Width))
	b = append(b, ' ')
	start = len(b)
	b = w.clock.Append(b, p.Time)
	return term.AlignRight(b, start, Grow(&w.columns.Time, len(b)-start, w.Out.Width))
}

// client writes an address, padded, in what is left of the first half of the line that begins at start: as much of it
// as there is room for. The port is left out first: the conversation's number says the same.
func (w *lineWriter) client(b []byte, a netip.AddrPort, start int) []byte {
	const gap = 2
	limit := w.Out.Width/2 - gap - (len(b) - start)
	if limit < leastClient {
		return b // the conversation alone says who it is
	}
	from := len(b)
	if b = a.AppendTo(b); len(b)-from > limit {
		b = a.Addr().AppendTo(b[:from])
	}
	if len(b)-from > limit {
		b = append(b[:from+limit-1], term.CutMark...)
	}
	width := utf8.RuneCount(b[from:])
	return term.AppendBlanks(b, min(Grow(&w.columns.address, width, limit), limit)-width+gap)
}

// appendBoth writes both ends.
func appendBoth(b []byte, p *wire.Place) []byte {
	b = p.Src.AppendTo(b)
	b = append(b, " > "...)
	return p.Dst.AppendTo(b)
}
