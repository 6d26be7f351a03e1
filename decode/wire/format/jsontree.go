package format

import (
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// JSON writes the fields of a tree as JSON.
type JSON struct {
	*wire.Tree

	// If not nil, Pass is called from time to time with the bytes written so far. It returns the slice to append to, so
	// a large tree need not stay in memory. If Pass is nil, all bytes stay in one slice.
	Pass func([]byte) []byte
}

// AppendFields appends all fields as an object.
func (t *JSON) AppendFields(b []byte) []byte { return t.object(b, 0, int32(len(t.Nodes))) }

// AppendComposite appends the group or list with this index.
func (t *JSON) AppendComposite(b []byte, at int32) []byte {
	if n := &t.Nodes[at]; n.Kind == wire.Group {
		return t.object(b, at+1, n.Next)
	}
	return t.list(b, at)
}

func (t *JSON) pass(b []byte) []byte {
	if t.Pass == nil {
		return b
	}
	return t.Pass(b)
}

// object writes t.Nodes[from:to] as an object. It omits the keys of wire.Pairs, because they become the names of the
// values.
func (t *JSON) object(b []byte, from, to int32) []byte {
	b = append(b, '{')
	first := true
	for i := from; i < to; i = t.Nodes[i].Next {
		n := &t.Nodes[i]
		if n.Key {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = appendJSONName(t.pass(b), n.Name, "")
		switch n.Kind {
		case wire.Group:
			b = appendNotShown(t.object(b, i+1, n.Next), n)
		case wire.Sequence:
			b = appendNotShown(t.list(b, i), n)
		default:
			b = t.AppendValue(b, n)
			b = t.annotations(b, n)
		}
	}
	return append(b, '}')
}

func (t *JSON) list(b []byte, at int32) []byte {
	list := &t.Nodes[at]
	b = append(b, '[')
	for i := at + 1; i < list.Next; i = t.Nodes[i].Next {
		n := &t.Nodes[i]
		if i > at+1 {
			b = append(b, ',')
		}
		if i+1 < n.Next && t.Nodes[i+1].Name == "" {
			b = t.AppendValue(b, &t.Nodes[i+1])
			continue
		}
		b = t.object(b, i+1, n.Next)
	}
	return append(b, ']')
}

// appendNotShown writes the number of elements, or of pairs, that the tree omits, if there are any.
func appendNotShown(b []byte, n *wire.Node) []byte {
	if n.Num == 0 {
		return b
	}
	return strconv.AppendUint(appendJSONName(append(b, ','), n.Name, "_not_shown"), n.Num, 10)
}

// AppendValue appends the value of a leaf.
func (t *JSON) AppendValue(b []byte, n *wire.Node) []byte {
	switch n.Kind {
	case wire.String:
		return t.text(b, n.Bytes)
	case wire.Bytes:
		return t.hex(b, n.Bytes)
	case wire.Address:
		b = append(b, '"')
		b = AppendAddress(b, n.Bytes)
		return append(b, '"')
	case wire.Float:
		return appendJSONFloat(b, math.Float32frombits(uint32(n.Num)))
	case wire.Vector:
		b = append(b, '[')
		for i, f := range n.Vec {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSONFloat(b, f)
		}
		return append(b, ']')
	}
	return AppendValue(b, n, 0)
}

// jsonPiece is the number of text bytes that are written at a time.
const jsonPiece = 16 << 10

func (t *JSON) text(b, text []byte) []byte {
	if len(text) <= jsonPiece {
		return AppendJSONText(b, text)
	}
	b = append(b, '"')
	latin := !utf8.Valid(text)
	for len(text) > jsonPiece {
		n := jsonPiece
		for !latin && !utf8.RuneStart(text[n]) {
			n--
		}
		b = t.pass(appendJSONEscaped(b, text[:n], latin))
		text = text[n:]
	}
	return append(appendJSONEscaped(b, text, latin), '"')
}

// hex writes bytes as a string of hexadecimal digits.
func (t *JSON) hex(b, data []byte) []byte {
	b = append(b, '"')
	for piece := range slices.Chunk(data, jsonPiece) {
		b = t.pass(hex.AppendEncode(b, piece))
	}
	return append(b, '"')
}

// annotations writes additional members for a value: the name of a symbol, the names of bits, or the bytes of a text
// that is not UTF-8.
func (t *JSON) annotations(b []byte, n *wire.Node) []byte {
	switch n.Kind {
	case wire.Enum, wire.SignedEnum, wire.Address:
		if len(n.Bytes) > 0 && n.Kind != wire.Address {
			b = AppendJSONText(appendJSONName(append(b, ','), n.Name, "_name"), n.Bytes)
		} else if name := n.Symbols.Name(int64(n.Num)); name != "" {
			b = AppendJSONText(appendJSONName(append(b, ','), n.Name, "_name"), name)
		}
	case wire.Bits:
		b = append(b, ',')
		b = appendJSONName(b, n.Name, "_bits")
		b = append(b, '[')
		start := len(b)
		EachBit(n, func(name string) {
			if len(b) > start {
				b = append(b, ',')
			}
			b = AppendJSONText(b, name)
		})
		b = append(b, ']')
	case wire.String:
		if !Plain(n.Bytes) && !utf8.Valid(n.Bytes) {
			b = append(b, ',')
			b = appendJSONName(b, n.Name, "_hex")
			b = t.hex(b, n.Bytes)
		}
	}
	return b
}
