package export

import (
	"encoding/hex"
	"math"
	"unicode/utf8"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// A shredder writes the values of a tree to columns. Each column gets a value or null.
type shredder struct {
	tree    *wire.Tree
	plan    *plan
	room    []byte // memory for texts
	groups  uint64 // number of groups written so far
	unknown int64  // number of fields without a column
}

func (s *shredder) message(p *plan, t *wire.Tree) {
	s.plan, s.tree = p, t
	s.group(p.fields, 0, int32(len(t.Nodes)), 0, 0)
}

// group writes tree.Nodes[from:to] to the columns of fields. The parameters there and repeat are the levels of the
// groups and lists around them.
func (s *shredder) group(fields []*field, from, to int32, there, repeat uint8) {
	s.groups++
	this, next := s.groups, 0
	for i := from; i < to; i = s.tree.Nodes[i].Next {
		n := &s.tree.Nodes[i]
		if n.Key {
			continue
		}
		at := find(fields, n.Name, next)
		if at < 0 || fields[at].seen == this || !fields[at].takes(n) {
			s.unknown++
			continue
		}
		f := fields[at]
		f.seen, next = this, at+1
		s.field(f, i, repeat)
	}
	for _, f := range fields {
		if f.seen != this {
			s.null(f.first, f.last, there, repeat)
		}
	}
}

// find returns the index of the field with a name, or -1. The search begins at an index that is likely right.
func find(fields []*field, name string, likely int) int {
	for i := likely; i < len(fields); i++ {
		if fields[i].name == name {
			return i
		}
	}
	for i := range min(likely, len(fields)) {
		if fields[i].name == name {
			return i
		}
	}
	return -1
}

func (f *field) takes(n *wire.Node) bool {
	if f.open {
		return n.Composite()
	}
	return n.Kind == f.kind || f.value != nil && !n.Composite() && n.Kind != wire.Vector &&
		storageOf(&wire.Field{Kind: n.Kind}).whole() && f.value.whole()
}

func (s *shredder) null(first, last int, there, repeat uint8) {
	for _, c := range s.plan.columns[first:last] {
		c.null(there, repeat)
	}
}

func (s *shredder) field(f *field, at int32, repeat uint8) {
	n := &s.tree.Nodes[at]
	switch {
	case f.open:
		s.room = (&format.JSON{Tree: s.tree}).AppendComposite(s.room[:0], at)
		f.value.putBytes(repeat, s.room)
	case n.Kind == wire.Group:
		s.group(f.fields, at+1, n.Next, f.there, repeat)
	case n.Kind == wire.Sequence:
		s.list(f, at, repeat)
	default:
		s.value(f, n, repeat)
		s.extra(f, n, repeat)
	}
	if f.notShown != nil {
		if n.Num == 0 {
			f.notShown.null(f.there-1, repeat)
			return
		}
		f.notShown.number(repeat, n.Num)
	}
}

func (s *shredder) list(f *field, at int32, repeat uint8) {
	end, last := s.tree.Nodes[at].Next, f.last-1 // the last column is notShown
	if at+1 == end {
		s.null(f.first, last, f.there, repeat)
		return
	}
	for i := at + 1; i < end; i = s.tree.Nodes[i].Next {
		next := s.tree.Nodes[i].Next
		switch {
		case f.single == nil:
			s.group(f.fields, i+1, next, f.there+1, repeat)
		case i+1 < next:
			s.value(f.single, &s.tree.Nodes[i+1], repeat)
		default: // reading the value failed
			s.null(f.first, last, f.there+1, repeat)
		}
		repeat = f.repeats
	}
}

func (s *shredder) value(f *field, n *wire.Node, repeat uint8) {
	c := f.value
	switch n.Kind {
	case wire.Vector:
		for i, axis := range f.axes {
			axis.number(repeat, uint64(math.Float32bits(n.Vec[i])))
		}
	case wire.String:
		s.text(c, n.Bytes, repeat)
	case wire.Bytes:
		c.putBytes(repeat, n.Bytes)
	case wire.Address:
		s.room = format.AppendAddress(s.room[:0], n.Bytes)
		c.putBytes(repeat, s.room)
	default:
		c.number(repeat, n.Num)
	}
}

// text writes a text, which must not alias room. It interprets text that is not UTF-8 as Latin-1.
func (s *shredder) text(c *column, b []byte, repeat uint8) {
	if utf8.Valid(b) {
		c.putBytes(repeat, b)
		return
	}
	s.room = s.room[:0]
	for _, x := range b {
		s.room = utf8.AppendRune(s.room, rune(x))
	}
	c.putBytes(repeat, s.room)
}

// extra writes the extra column of a value.
func (s *shredder) extra(f *field, n *wire.Node, repeat uint8) {
	c := f.extra
	if c == nil {
		return
	}
	absent := f.there - 1
	switch n.Kind {
	case wire.Enum, wire.SignedEnum:
		if len(n.Bytes) > 0 {
			s.text(c, n.Bytes, repeat)
		} else {
			s.name(c, n.Symbols.Name(int64(n.Num)), absent, repeat)
		}
	case wire.Address:
		s.name(c, n.Symbols.Name(0), absent, repeat)
	case wire.Bits:
		before := repeat
		format.EachBit(n, func(name string) {
			c.putText(repeat, name)
			repeat = c.repeats
		})
		if repeat == before { // an empty list
			c.null(f.there, repeat)
		}
	case wire.String:
		if utf8.Valid(n.Bytes) {
			c.null(absent, repeat)
			return
		}
		s.room = hex.AppendEncode(s.room[:0], n.Bytes)
		c.putBytes(repeat, s.room)
	}
}

func (s *shredder) name(c *column, name string, absent, repeat uint8) {
	switch {
	case name == "":
		c.null(absent, repeat)
	case utf8.ValidString(name):
		c.putText(repeat, name)
	default: // name from a player or a file
		s.text(c, []byte(name), repeat)
	}
}
