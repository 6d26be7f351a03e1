package main

import (
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// jsonTree writes the fields of a tree, which may be large: what it wrote is passed on as it goes.
type jsonTree struct {
	*wire.Tree
	pass func([]byte) []byte // as output has it
}

// object writes the nodes from one index up to another as an object. Of pairs it writes the values, which go by their
// keys.
func (t *jsonTree) object(b []byte, from, to int32) []byte {
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
		b = jsonName(t.pass(b), n.Name, "")
		switch n.Kind {
		case wire.Group:
			b = jsonNotShown(t.object(b, i+1, n.Next), n)
		case wire.Sequence:
			b = jsonNotShown(t.list(b, i), n)
		default:
			b = t.value(b, n)
			b = t.beside(b, n)
		}
	}
	return append(b, '}')
}

func (t *jsonTree) list(b []byte, at int32) []byte {
	list := &t.Nodes[at]
	b = append(b, '[')
	for i := at + 1; i < list.Next; i = t.Nodes[i].Next {
		n := &t.Nodes[i]
		if i > at+1 {
			b = append(b, ',')
		}
		if i+1 < n.Next && t.Nodes[i+1].Name == "" {
			b = t.value(b, &t.Nodes[i+1])
			continue
		}
		b = t.object(b, i+1, n.Next)
	}
	return append(b, ']')
}

// jsonNotShown writes how many elements of a list, or pairs of a group, are not in the tree, if any.
func jsonNotShown(b []byte, n *wire.Node) []byte {
	if n.Num == 0 {
		return b
	}
	return strconv.AppendUint(jsonName(append(b, ','), n.Name, "_not_shown"), n.Num, 10)
}

func (t *jsonTree) value(b []byte, n *wire.Node) []byte {
	switch n.Kind {
	case wire.String:
		return t.text(b, n.Bytes)
	case wire.Bytes:
		return t.hex(b, n.Bytes)
	case wire.Address:
		b = append(b, '"')
		b = format.AppendAddress(b, n.Bytes)
		return append(b, '"')
	case wire.Float:
		return jsonFloat(b, math.Float32frombits(uint32(n.Num)))
	case wire.Vector:
		b = append(b, '[')
		for i, f := range n.Vec {
			if i > 0 {
				b = append(b, ',')
			}
			b = jsonFloat(b, f)
		}
		return append(b, ']')
	}
	return format.AppendValue(b, n, 0)
}

// jsonPiece is how many bytes of a text are written at a time.
const jsonPiece = 16 << 10

func (t *jsonTree) text(b, text []byte) []byte {
	b = append(b, '"')
	latin := !utf8.Valid(text)
	for len(text) > jsonPiece {
		n := jsonPiece
		for !latin && !utf8.RuneStart(text[n]) {
			n--
		}
		b = t.pass(jsonEscaped(b, text[:n], latin))
		text = text[n:]
	}
	return append(jsonEscaped(b, text, latin), '"')
}

// hex writes bytes as text in hexadecimal digits.
func (t *jsonTree) hex(b, data []byte) []byte {
	b = append(b, '"')
	for piece := range slices.Chunk(data, jsonPiece) {
		b = t.pass(hex.AppendEncode(b, piece))
	}
	return append(b, '"')
}

// beside writes what stands beside a value: the name of a symbol, the names of bits, the bytes of a text that is no
// UTF-8.
func (t *jsonTree) beside(b []byte, n *wire.Node) []byte {
	switch n.Kind {
	case wire.Enum, wire.SignedEnum, wire.Address:
		name := n.Bytes
		if len(name) == 0 || n.Kind == wire.Address {
			name = []byte(n.Symbols.Name(int64(n.Num)))
		}
		if len(name) > 0 {
			b = append(b, ',')
			b = jsonName(b, n.Name, "_name")
			b = jsonString(b, name)
		}
	case wire.Bits:
		b = append(b, ',')
		b = jsonName(b, n.Name, "_bits")
		b = append(b, '[')
		start := len(b)
		format.EachBit(n, func(name string) {
			if len(b) > start {
				b = append(b, ',')
			}
			b = jsonString(b, []byte(name))
		})
		b = append(b, ']')
	case wire.String:
		if !format.Plain(n.Bytes) && !utf8.Valid(n.Bytes) {
			b = append(b, ',')
			b = jsonName(b, n.Name, "_hex")
			b = t.hex(b, n.Bytes)
		}
	}
	return b
}
