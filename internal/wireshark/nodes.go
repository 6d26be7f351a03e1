package wireshark

import (
	"encoding/binary"
	"math"
	"net"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// nodes writes tree.Nodes[from:to]. The parameter above stands for the field or protocol that contains them, see
// fields.of.
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
		form, number := byte(itemGroup), 0
		switch {
		case n.Element > 0:
			form = itemElement
		case n.Kind == wire.Sequence:
			form, number = itemList, w.fields.ifForm(field, formUint32)
		default:
			number = w.fields.ifForm(field, formNone)
		}
		w.item(form|mark, number, off, size)
		w.pending = append(w.pending, 0, 0, 0, 0)
		start := len(w.pending)
		switch form {
		case itemElement:
			w.pending = binary.LittleEndian.AppendUint32(w.pending, uint32(n.Element-1))
		case itemList:
			w.pending = binary.LittleEndian.AppendUint32(w.pending, w.elements(i))
		}
		w.pending = appendText(w.pending, n.Name)
		w.nodes(i+1, n.Next, field)
		if n.Num > 0 {
			w.item(itemOmission, 0, off, 0)
			w.pending = binary.LittleEndian.AppendUint32(w.pending, uint32(min(n.Num, math.MaxUint32)))
		}
		w.pending = append(w.pending, itemEnd)
		w.sized(start)
	}
}

// elements returns the number of elements of the list at an index.
func (w *Writer) elements(at int32) (n uint32) {
	list := &w.tree.Nodes[at]
	for i := at + 1; i < list.Next; i = w.tree.Nodes[i].Next {
		n++
	}
	return n + uint32(list.Num)
}

func (w *Writer) leaf(n *wire.Node, field int) {
	mark, off, size := byte(0), int(n.Off), int(n.Size)
	if n.Computed {
		mark = markGenerated
	}
	name := meaning(n)
	if len(name) > 0 {
		mark |= markMeaning
	}
	inside := !n.Computed && !n.Inside && size > 0 && off+size <= len(w.data)
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

// meaning returns the name of a number or an address, if it has a name.
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

// number writes an integer in the smallest size that fits.
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
