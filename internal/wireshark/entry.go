package wireshark

import (
	"bytes"
	"encoding/binary"
	"math"
	"unicode/utf8"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// An entry consists of its kind, the number of its protocol (0: none), the number of its message type, the size of the
// rest, and data that depend on the kind.
const (
	// entryMessage has the number of findings, the text of the message, its location, and items. The location is the
	// offset in the frame and the size. If the message is not in the frame, it is outsideFrame, the size and the bytes.
	entryMessage = 1

	// entryFinding has items of findings that belong to no message.
	entryFinding = 2

	// entryAnswer has items about the answer to a message of the frame.
	entryAnswer = 3
)

// outsideFrame means that the message is not a part of the frame, because several packets carried it.
const outsideFrame = math.MaxUint32

// An item consists of its form, with marks; the number of its field or rule; its offset and size in the message; and
// its value, which depends on the form. If the form has markMeaning, the meaning of the value follows.
const (
	itemEnd       = 0  // end of the open group or list; nothing else follows
	itemGroup     = 1  // size up to the end; name; items in the group
	itemElement   = 2  // element of a list: size up to the end; index, from 0; name; items
	itemList      = 3  // size up to the end; number of elements; name; items
	itemUnsigned  = 4  // four bytes
	itemSigned    = 5  // four bytes
	itemWide      = 6  // eight bytes, unsigned: low half, high half
	itemWideInt   = 7  // eight bytes, signed: low half, high half
	itemFloat     = 8  // four bytes
	itemDouble    = 9  // eight bytes
	itemVector    = 10 // three floats
	itemText      = 11 // size in four bytes, then text
	itemBytes     = 12 // size in four bytes, then bytes
	itemRange     = 13 // the bytes of the message are the value
	itemTrue      = 14
	itemFalse     = 15
	itemPresence  = 16 // no value
	itemBits      = 17 // four bytes; number of set bits with a name, in a byte; their names
	itemFinding   = 18 // text
	itemOmission  = 19 // number of elements not shown
	itemGeneral   = 20 // hidden items for fields of all messages, in size bytes; the message's own items follow
	markHidden    = 32
	markGenerated = 64
	markMeaning   = 128
)

// begin writes the head of an entry. message is the number of the entry's message type. sized must write the size when
// the entry is complete.
func (w *Writer) begin(kind byte, p *wire.Protocol, message int) (start int) {
	b := append(w.pending, kind, byte(w.numbers[p]))
	b = binary.LittleEndian.AppendUint16(b, uint16(message))
	w.pending = append(b, 0, 0, 0, 0)
	return len(w.pending)
}

// maxInfo limits a column's text. If the text is larger, no further message is added to it.
const maxInfo = 400

func (w *Writer) columns(m *decode.Message, summary []byte) {
	if w.column == 0 {
		w.column = w.numbers[m.Protocol]
	}
	if len(w.info) >= maxInfo {
		w.more++
		return
	}
	if len(w.info) > 0 {
		w.info = append(w.info, "; "...)
	}
	w.info = append(append(append(w.info, m.Name...), ' '), summary...)
}

func (w *Writer) kind(p *wire.Protocol, m *wire.MessageType) int {
	n, ok := w.kinds[m]
	if !ok && m != nil {
		n = w.fields.kindOf[filter.MessagePath(p, m)]
		w.kinds[m] = n
	}
	return n
}

func (w *Writer) message(m *decode.Message, x *filter.Subject) {
	kind := w.kind(m.Protocol, m.Layer.Core().Message)
	start := w.begin(entryMessage, m.Protocol, kind)
	w.summary = bytes.TrimRight(format.AppendSummary(w.summary[:0], m.Layer), " ")
	w.columns(m, w.summary)
	w.pending = append(w.pending, byte(min(len(m.Findings), math.MaxUint8)))
	w.pending = appendText(w.pending, m.Name+"  "+string(w.summary))
	w.where(m)
	for i := range m.Findings {
		f := &m.Findings[i]
		w.found(f.Rule, f.Text, f.Off, f.Size)
	}
	w.general(m, x)
	w.data = m.Data
	w.tree = m.Tree()
	if kind == 0 {
		kind = w.numbers[m.Protocol]
	}
	w.nodes(0, int32(len(w.tree.Nodes)), -kind)
	w.sized(start)
}

func (w *Writer) where(m *decode.Message) {
	size := uint32(len(m.Data))
	at, ok := inside(w.now.Data, m.Data)
	if ok && m.Frame == w.now.Number {
		w.pending = binary.LittleEndian.AppendUint32(w.pending, uint32(at))
		w.pending = binary.LittleEndian.AppendUint32(w.pending, size)
		return
	}
	w.pending = binary.LittleEndian.AppendUint32(w.pending, outsideFrame)
	w.pending = binary.LittleEndian.AppendUint32(w.pending, size)
	w.pending = append(w.pending, m.Data...)
}

// inside returns the offset of piece in frame if piece is a subslice of frame and not a copy.
func inside(frame, piece []byte) (at int, ok bool) {
	if len(piece) == 0 {
		return 0, false
	}
	at = cap(frame) - cap(piece)
	return at, at >= 0 && at+len(piece) <= len(frame) && &frame[at] == &piece[0]
}

func (w *Writer) general(m *decode.Message, x *filter.Subject) {
	if frame, _ := x.Question(); frame > 0 {
		w.unsigned(itemUnsigned|markGenerated, generalQuestion, uint32(frame))
	}
	w.item(itemGeneral, 0, 0, 0)
	start := len(w.pending)
	defer w.sized(start)
	w.text(itemText|markHidden, generalMessage, []byte(m.Name))
	w.text(itemText|markHidden, generalProtocol, []byte(m.Protocol.Name))
	w.text(itemText|markHidden, generalDirection, []byte(m.Direction.String()))
	if m.Code != "" {
		w.text(itemText|markHidden, generalCode, []byte(m.Code))
	}
	w.unsigned(itemUnsigned|markHidden, generalLength, uint32(m.Length))
	w.text(itemText|markHidden, generalTransport, []byte(m.Transport.String()))
	if m.Conversation != decode.NoConversation {
		w.unsigned(itemUnsigned|markHidden, generalStream, uint32(m.Conversation))
	}
	w.text(itemText|markHidden, generalInfo, w.summary)
	if m.Copy {
		w.item(itemPresence|markHidden, generalCopy, 0, 0)
	}
	delta, response, haveDelta, haveResponse := x.Times()
	if haveDelta {
		w.double(generalDelta, delta.Seconds())
	}
	if haveResponse {
		w.double(generalResponseTime, response.Seconds())
	}
}

// sized counts the bytes from start to the end, and writes the number to the four bytes before start.
func (w *Writer) sized(start int) {
	binary.LittleEndian.PutUint32(w.pending[start-4:], uint32(len(w.pending)-start))
}

// answered adds an entry to the frame of a question. The entry has a link to the frame of the answer m.
func (w *Writer) answered(m *decode.Message, x *filter.Subject) {
	frame, at := x.Question()
	if frame == 0 || frame == m.Frame {
		return
	}
	w.open(frame, at)
	start := w.begin(entryAnswer, m.Protocol, 0)
	w.unsigned(itemUnsigned|markGenerated, generalAnswer, uint32(m.Frame))
	w.sized(start)
}

func (w *Writer) trafficFinding(f *wire.TrafficFinding) {
	start := w.begin(entryFinding, f.Protocol, 0)
	w.found(f.Rule, f.Text, 0, 0)
	w.sized(start)
}

func (w *Writer) found(r *wire.Rule, text string, off, size int) {
	w.item(itemFinding, w.ruleAt[r], off, size)
	w.value([]byte(text))
	w.item(itemPresence|markHidden, generalFinding, off, size)
	w.text(itemText|markHidden, generalRule, []byte(r.ID))
	w.text(itemText|markHidden, generalSeverity, []byte(r.Severity.String()))
	w.text(itemText|markHidden, generalText, []byte(text))
}

func (w *Writer) item(form byte, field, off, size int) {
	b := append(w.pending, form)
	b = binary.LittleEndian.AppendUint16(b, uint16(field))
	b = binary.LittleEndian.AppendUint32(b, uint32(off))
	w.pending = binary.LittleEndian.AppendUint32(b, uint32(size))
}

// value writes an item's text in UTF-8. As in JSON, text that is not UTF-8 is interpreted as Latin-1. A symbol replaces
// NUL characters, because Wireshark's Lua cuts texts at the first NUL.
func (w *Writer) value(text []byte) {
	at := len(w.pending)
	b := append(w.pending, 0, 0, 0, 0)
	latin := !utf8.Valid(text)
	for len(text) > 0 {
		r, n := rune(text[0]), 1
		if !latin {
			r, n = utf8.DecodeRune(text)
		}
		text = text[n:]
		if r == 0 {
			r = '␀'
		}
		b = utf8.AppendRune(b, r)
	}
	binary.LittleEndian.PutUint32(b[at:], uint32(len(b)-at-4))
	w.pending = b
}

// text writes a text that has no bytes in the message.
func (w *Writer) text(form byte, field int, text []byte) {
	w.item(form, field, 0, 0)
	w.value(text)
}

// unsigned writes a number that has no bytes in the message.
func (w *Writer) unsigned(form byte, field int, n uint32) {
	w.item(form, field, 0, 0)
	w.pending = binary.LittleEndian.AppendUint32(w.pending, n)
}

// double writes a hidden number that has no bytes in the message.
func (w *Writer) double(field int, x float64) {
	w.item(itemDouble|markHidden, field, 0, 0)
	w.pending = appendDouble(w.pending, x)
}
