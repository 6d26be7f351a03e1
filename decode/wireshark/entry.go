package wireshark

import (
	"bytes"
	"encoding/binary"
	"math"
	"net"
	"unicode/utf8"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/filter"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// An entry is its kind, the number of its protocol (0: none), the size of what follows, and what the kind has.
const (
	// entryMessage has the column's text, how many findings there are, where the message is, and items. Where it is:
	// the offset in the frame and the size, or elsewhere for the offset, the size and the bytes.
	entryMessage = 1

	// entryFinding has items that belong to no message, or to any of the protocol.
	entryFinding = 2

	// entryAnswer has items about the answer to a message of the frame.
	entryAnswer = 3
)

// elsewhere says that a message is not in the frame as it stands: it came in several packets.
const elsewhere = math.MaxUint32

// An item is its form, with marks; the number of its field, or of its rule; offset and size in the message; and its
// value. Behind one with markMeaning is what the value stands for.
const (
	itemEnd       = 0  // of the items below the last group or list that is open; without all that follows the form
	itemGroup     = 1  // items below
	itemElement   = 2  // of a list; the number of it, from 0; items below
	itemList      = 3  // how many elements; items below
	itemUnsigned  = 4  // four bytes
	itemSigned    = 5  // four bytes
	itemWide      = 6  // eight bytes, unsigned: low half, high half
	itemWideInt   = 7  // likewise, signed
	itemFloat     = 8  // four bytes
	itemDouble    = 9  // eight bytes
	itemVector    = 10 // three floats
	itemText      = 11 // size in four bytes and text
	itemBytes     = 12 // likewise
	itemRange     = 13 // the bytes of the message are the value
	itemTrue      = 14
	itemFalse     = 15
	itemPresence  = 16 // without a value
	itemBits      = 17 // four bytes; how many bits are set that have names, in a byte; the names
	itemFinding   = 18 // text
	itemOmission  = 19 // how many elements are not shown
	markHidden    = 32
	markGenerated = 64
	markMeaning   = 128
)

// begin begins an entry; end gives it its size.
func (w *Writer) begin(kind byte, p *wire.Protocol, message int) (start int) {
	b := append(w.pending, kind, byte(w.numbers[p]))
	b = binary.LittleEndian.AppendUint16(b, uint16(message))
	w.pending = append(b, 0, 0, 0, 0)
	return len(w.pending)
}

func (w *Writer) end(start int) {
	binary.LittleEndian.PutUint32(w.pending[start-4:], uint32(len(w.pending)-start))
}

// longestInfo is how many bytes of messages the column has, about.
const longestInfo = 400

// columns adds a message to what the columns show of the frame.
func (w *Writer) columns(m *decode.Message, summary []byte) {
	if w.column == 0 {
		w.column = w.numbers[m.Protocol]
	}
	if len(w.info) >= longestInfo {
		w.more++
		return
	}
	if len(w.info) > 0 {
		w.info = append(w.info, "; "...)
	}
	w.info = append(append(append(w.info, m.Name...), ' '), summary...)
}

// kind gives the number of a kind of messages; 0: of none.
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
	w.end(start)
}

// where writes where a message is.
func (w *Writer) where(m *decode.Message) {
	size := uint32(len(m.Data))
	at, ok := inside(w.now.Data, m.Data)
	if ok && m.Frame == w.now.Number {
		w.pending = binary.LittleEndian.AppendUint32(w.pending, uint32(at))
		w.pending = binary.LittleEndian.AppendUint32(w.pending, size)
		return
	}
	w.pending = binary.LittleEndian.AppendUint32(w.pending, elsewhere)
	w.pending = binary.LittleEndian.AppendUint32(w.pending, size)
	w.pending = append(w.pending, m.Data...)
}

// inside gives the place of a piece of a frame in it, if it is that and no copy: the capacities tell.
func inside(frame, piece []byte) (at int, ok bool) {
	if len(piece) == 0 {
		return 0, false
	}
	at = cap(frame) - cap(piece)
	return at, at >= 0 && at+len(piece) <= len(frame) && &frame[at] == &piece[0]
}

// general writes what all messages have.
func (w *Writer) general(m *decode.Message, x *filter.Subject) {
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
	if frame, _ := x.Question(); frame > 0 {
		w.unsigned(itemUnsigned|markGenerated, generalQuestion, uint32(frame))
	}
}

// answered has the frame of a question lead to that of its answer.
func (w *Writer) answered(m *decode.Message, x *filter.Subject) {
	frame, at := x.Question()
	if frame == 0 || frame == m.Frame {
		return
	}
	w.open(frame, at)
	start := w.begin(entryAnswer, m.Protocol, 0)
	w.unsigned(itemUnsigned|markGenerated, generalAnswer, uint32(m.Frame))
	w.end(start)
}

func (w *Writer) trafficFinding(f *wire.TrafficFinding) {
	start := w.begin(entryFinding, f.Protocol, 0)
	w.found(f.Rule, f.Text, 0, 0)
	w.end(start)
}

// found writes a finding.
func (w *Writer) found(r *wire.Rule, text string, off, size int) {
	w.item(itemFinding, w.ruleAt[r], off, size)
	w.value([]byte(text))
	w.item(itemPresence|markHidden, generalFinding, off, size)
	w.text(itemText|markHidden, generalRule, []byte(r.ID))
	w.text(itemText|markHidden, generalSeverity, []byte(r.Severity.String()))
	w.text(itemText|markHidden, generalText, []byte(text))
}

// item begins an item.
func (w *Writer) item(form byte, field, off, size int) {
	b := append(w.pending, form)
	b = binary.LittleEndian.AppendUint16(b, uint16(field))
	b = binary.LittleEndian.AppendUint32(b, uint32(off))
	w.pending = binary.LittleEndian.AppendUint32(b, uint32(size))
}

// value writes a text of an item, as JSON has it: in UTF-8, and bytes that are none are read as Latin-1. Lua hands on
// texts that end at the first NUL, so others stand for that.
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

// text writes a text that stands in no bytes.
func (w *Writer) text(form byte, field int, text []byte) {
	w.item(form, field, 0, 0)
	w.value(text)
}

// unsigned writes a number that stands in no bytes.
func (w *Writer) unsigned(form byte, field int, n uint32) {
	w.item(form, field, 0, 0)
	w.pending = binary.LittleEndian.AppendUint32(w.pending, n)
}

// double writes a hidden number that stands in no bytes.
func (w *Writer) double(field int, x float64) {
	w.item(itemDouble|markHidden, field, 0, 0)
	w.pending = appendDouble(w.pending, x)
}

// nodes writes the nodes from one index up to another, which stand in what has a field.
func (w *Writer) nodes(from, to int32, above int) {
	for i := from; i < to; i = w.tree.Nodes[i].Next {
		n := &w.tree.Nodes[i]
		field, off, size := above, int(n.Off), int(n.Size)
		if n.Element == 0 && n.Name != "" {
			field = w.fields.of(above, n)
		}
		if !n.Composite() {
			w.leaf(n, max(field, 0))
			continue
		}
		mark := byte(0)
		if n.Computed {
			mark = markGenerated
		}
		switch {
		case n.Element > 0:
			w.item(itemElement|mark, 0, off, size)
			w.pending = binary.LittleEndian.AppendUint32(w.pending, uint32(n.Element-1))
		case n.Kind == wire.Sequence:
			w.item(itemList|mark, w.fields.ifForm(field, formUint32), off, size)
			w.pending = binary.LittleEndian.AppendUint32(w.pending, w.elements(i))
		default:
			w.item(itemGroup|mark, w.fields.ifForm(field, formNone), off, size)
		}
		w.pending = appendText(w.pending, n.Name)
		w.nodes(i+1, n.Next, field)
		if n.Num > 0 {
			w.item(itemOmission, 0, off, 0)
			w.pending = binary.LittleEndian.AppendUint32(w.pending, uint32(min(n.Num, math.MaxUint32)))
		}
		w.pending = append(w.pending, itemEnd)
	}
}

// elements is how many elements the list at an index has.
func (w *Writer) elements(at int32) (n uint32) {
	list := &w.tree.Nodes[at]
	for i := at + 1; i < list.Next; i = w.tree.Nodes[i].Next {
		n++
	}
	return n + uint32(list.Num)
}

// leaf writes a field that has a value.
func (w *Writer) leaf(n *wire.Node, field int) {
	mark, off, size := byte(0), int(n.Off), int(n.Size)
	if n.Computed {
		mark = markGenerated
	}
	name := meaning(n)
	if len(name) > 0 {
		mark |= markMeaning
	}
	inside := !n.Computed && size > 0 && off+size <= len(w.data)
	switch n.Kind {
	case wire.Uint, wire.Enum, wire.Int, wire.SignedEnum:
		w.number(n, mark, field)
	case wire.Bits:
		w.bits(n, mark, field)
	case wire.Float:
		w.item(itemFloat|mark, field, off, size)
		w.pending = binary.LittleEndian.AppendUint32(w.pending, uint32(n.Num))
	case wire.Vector:
		w.item(itemVector|mark, field, off, size)
		for _, x := range n.Vec {
			w.pending = binary.LittleEndian.AppendUint32(w.pending, math.Float32bits(x))
		}
	case wire.Boolean:
		w.item(itemTrue+byte(boolean(n.Num == 0))|mark, field, off, size)
	case wire.Bytes:
		if inside && len(n.Bytes) == size {
			w.item(itemRange|mark, field, off, size)
		} else {
			w.item(itemBytes|mark, field, off, size)
			w.pending = binary.LittleEndian.AppendUint32(w.pending, uint32(len(n.Bytes)))
			w.pending = append(w.pending, n.Bytes...)
		}
	case wire.Address:
		if inside && len(n.Bytes) == net.IPv4len {
			w.item(itemRange|mark, field, off, size)
		} else {
			w.item(itemText|mark, field, off, size)
			w.value(format.AppendAddress(nil, n.Bytes))
		}
	default:
		w.item(itemText|mark, field, off, size)
		w.value(n.Bytes)
	}
	if mark&markMeaning != 0 {
		w.value(name)
	}
}

// meaning is what a number or an address stands for, if it does.
func meaning(n *wire.Node) []byte {
	switch n.Kind {
	case wire.Address:
		return []byte(n.Symbols.Name(0))
	case wire.Enum, wire.SignedEnum:
		if len(n.Bytes) > 0 {
			return n.Bytes
		}
		return []byte(n.Symbols.Name(int64(n.Num)))
	}
	return nil
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

// number writes a whole number in as few bytes as it needs.
func (w *Writer) number(n *wire.Node, mark byte, field int) {
	signed := n.Kind == wire.Int || n.Kind == wire.SignedEnum
	wide, form := n.Num > math.MaxUint32, byte(itemUnsigned)
	if signed {
		wide, form = int64(n.Num) != int64(int32(n.Num)), itemSigned
	}
	if !wide {
		w.item(form|mark, field, int(n.Off), int(n.Size))
		w.pending = binary.LittleEndian.AppendUint32(w.pending, uint32(n.Num))
		return
	}
	w.item((form+itemWide-itemUnsigned)|mark, field, int(n.Off), int(n.Size))
	w.pending = binary.LittleEndian.AppendUint64(w.pending, n.Num)
}

// bits writes a number whose bits have names.
func (w *Writer) bits(n *wire.Node, mark byte, field int) {
	w.item(itemBits|mark, field, int(n.Off), int(n.Size))
	w.pending = binary.LittleEndian.AppendUint32(w.pending, uint32(n.Num))
	at := len(w.pending)
	w.pending = append(w.pending, 0)
	format.EachBit(n, func(name string) {
		w.pending[at]++
		w.value([]byte(name))
	})
}
