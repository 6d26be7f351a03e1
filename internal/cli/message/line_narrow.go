package message

import (
	"net/netip"
	"strconv"
	"unicode/utf8"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// On a narrow terminal two addresses leave no room for the message. So a narrow line has the conversation, the client,
// and the direction: > if the client sent the message, < if the server sent it.
//
//	12   0.260 tcp,1 127.0.0.1:39950 < MsgAddPlayer  1  "ann" Observer
//
// At least half of the line is for the message.

const (
	roomForBoth = 160 // minimum width at which LineWriter.place takes at most half of a line
	minClient   = 9   // minimum columns for an address: 10.0.0.1 and a space
)

// NarrowTimeWidth is the initial width of the time column in narrow lines.
const NarrowTimeWidth = 6

var narrowestNarrow = columns{frame: 4, time: NarrowTimeWidth, stream: 5, address: 15, protocol: 6, message: 11}

// appendNarrow appends the columns before a message's name. The protocol column begins with the first message of a
// second protocol. Until then, only the totals and the findings name the protocol.
func (w *LineWriter) appendNarrow(b []byte, m *decode.Message) []byte {
	b = w.files.introduce(b, m.File, w.Out.Width)
	start := len(b)
	b = w.appendWhen(b, &m.Place)
	b = append(b, ' ')
	b = w.stream(b, &m.Place)
	switch m.Direction {
	case wire.ToServer:
		b = append(w.client(append(b, ' '), m.Src, start), "> "...)
	case wire.FromServer:
		b = append(w.client(append(b, ' '), m.Dst, start), "< "...)
	default:
		b = appendBoth(append(b, "  "...), &m.Place)
		if len(b)-start > w.Out.Width/2 { // too long: the message goes on the next line
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

// appendWhen appends the frame's number and the time, in columns that grow.
func (w *LineWriter) appendWhen(b []byte, p *wire.Place) []byte {
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
	return term.AlignRight(b, start, Grow(&w.columns.time, len(b)-start, w.Out.Width))
}

// client appends a padded address and a blank within the first half of the line that begins at start. If there is no
// room, it drops the port, which the conversation's number implies, and then cuts the address.
func (w *LineWriter) client(b []byte, a netip.AddrPort, start int) []byte {
	const after = len(" > ")
	limit := w.Out.Width/2 - after - (len(b) - start)
	if limit < minClient {
		return b // no address: the conversation's number identifies the client
	}
	from := len(b)
	if b = a.AppendTo(b); len(b)-from > limit {
		b = a.Addr().AppendTo(b[:from])
	}
	if len(b)-from > limit {
		b = append(b[:from+limit-1], term.CutMark...)
	}
	width := utf8.RuneCount(b[from:])
	return term.AppendBlanks(b, min(Grow(&w.columns.address, width, limit), limit)-width+1)
}

func appendBoth(b []byte, p *wire.Place) []byte {
	b = p.Src.AppendTo(b)
	b = append(b, " > "...)
	return p.Dst.AppendTo(b)
}
