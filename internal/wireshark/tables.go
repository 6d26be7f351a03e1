package wireshark

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// ports are the ports of servers. If it is unknown which side is the server, they are the ports of both sides.
type ports map[port]struct{}

type port struct {
	transport wire.Transport
	number    uint16
}

func (p ports) add(m *decode.Message) {
	if m.Direction != wire.FromServer {
		p[port{m.Transport, m.Dst.Port()}] = struct{}{}
	}
	if m.Direction != wire.ToServer {
		p[port{m.Transport, m.Src.Port()}] = struct{}{}
	}
}

// tables returns four tables: protocols, fields with the names of their values, rules, and ports. Each table begins
// with the number of its entries, in two bytes.
func (w *Writer) tables() []byte {
	b := binary.LittleEndian.AppendUint16(nil, uint16(len(w.protocols)+len(w.fields.kinds)))
	for _, p := range w.protocols {
		b = appendText(appendText(b, p.Name), p.Title)
	}
	for _, k := range w.fields.kinds {
		b = appendText(appendText(b, k.path), k.name)
	}
	b = binary.LittleEndian.AppendUint16(b, uint16(len(w.fields.list)-1))
	for _, f := range w.fields.list[1:] {
		b = f.append(b)
	}
	b = binary.LittleEndian.AppendUint16(b, uint16(len(w.rules)))
	for _, r := range w.rules {
		b = append(b, byte(r.Severity))
		b = appendText(appendText(b, r.ID), r.Title)
	}
	list := slices.SortedFunc(maps.Keys(w.ports), func(a, b port) int {
		return cmp.Or(cmp.Compare(a.transport, b.transport), cmp.Compare(a.number, b.number))
	})
	list = list[:min(len(list), 1<<16-1)]
	b = binary.LittleEndian.AppendUint16(b, uint16(len(list)))
	for _, p := range list {
		b = appendText(b, p.transport.String()+".port")
		b = binary.LittleEndian.AppendUint16(b, p.number)
	}
	return b
}

// append appends a field's entry in the table.
func (f *field) append(b []byte) []byte {
	kind := f.forms.kind()
	b = binary.LittleEndian.AppendUint16(b, uint16(f.protocol))
	b = appendText(appendText(b, f.name), f.label)
	b = appendText(appendText(b, kinds[kind]), f.about)
	b = binary.LittleEndian.AppendUint16(b, uint16(f.short))
	for _, part := range f.parts {
		b = binary.LittleEndian.AppendUint16(b, uint16(part))
	}
	symbols := f.symbols
	if f.named || kind < formUint8 || kind > formInt64 {
		symbols = nil // players' names differ between messages, and Wireshark has names only for integers
	}
	b = binary.LittleEndian.AppendUint16(b, uint16(len(symbols)))
	for _, s := range symbols {
		b = binary.LittleEndian.AppendUint32(b, uint32(s.Value))
		b = appendText(b, s.Name)
	}
	return b
}
