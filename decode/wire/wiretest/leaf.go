package wiretest

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// A leaf is a node with a value, not a group or list, and its path.
type leaf struct {
	*wire.Node
	path  string // "servers[2].ip"
	field string // "servers.ip", as in Protocol.Describe

	around []wire.Kind // as in wire.Field
}

func leaves(t *wire.Tree) []leaf {
	var list []leaf
	collect(t, 0, len(t.Nodes), leaf{}, &list)
	return list
}

// collect appends the leaves of t.Nodes[from:to], which are children of outer.
func collect(t *wire.Tree, from, to int, outer leaf, list *[]leaf) {
	for i := from; i < to; i = int(t.Nodes[i].Next) {
		n := &t.Nodes[i]
		l := leaf{n, outer.path, outer.field, outer.around}
		switch {
		case n.Element > 0:
			l.path += fmt.Sprintf("[%d]", n.Element-1)
		case n.Name != "" && outer.path != "":
			l.path += "." + n.Name
			l.field += "." + n.Name
		case n.Name != "":
			l.path, l.field = n.Name, n.Name
		}
		if n.Composite() {
			if n.Element == 0 {
				l.around = append(slices.Clip(outer.around), n.Kind)
			}
			collect(t, i+1, int(n.Next), l, list)
		} else {
			*list = append(*list, l)
		}
	}
}

// end returns the offset of the first byte after the leaf.
func (l *leaf) end() int { return int(l.Off + l.Size) }

func (l *leaf) same(o *leaf) bool {
	return l.path == o.path && l.Kind == o.Kind && l.Off == o.Off && l.Size == o.Size && l.Num == o.Num &&
		bytes.Equal(format.AppendValue(nil, l.Node, 0), format.AppendValue(nil, o.Node, 0))
}

func (l *leaf) String() string {
	if l == nil {
		return "nothing"
	}
	return fmt.Sprintf("%s at %d-%d", l.path, l.Off, l.end())
}
