package view

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// Node is a field of a message, or a group of fields.
type Node struct {
	Name     string  `json:"name"`
	Value    string  `json:"value,omitempty"`
	Meaning  string  `json:"meaning,omitempty"`
	Kind     string  `json:"kind"`
	Offset   int     `json:"offset"`
	Size     int     `json:"size"`
	Field    string  `json:"field,omitempty"`
	Filter   string  `json:"filter,omitempty"`
	Computed bool    `json:"computed,omitempty"` // has no bytes in the message
	Findings []int   `json:"findings,omitempty"` // indexes of the findings about the node
	Children []*Node `json:"children,omitempty"`
	LeftOut  int     `json:"left_out,omitempty"` // number of elements not listed
}

const (
	foldAfter = 64     // number of elements shown of a long list
	maxNodes  = 20_000 // nodes per answer
	maxText   = 4 << 10
	maxBytes  = 64
	maxValue  = 200 // maximum bytes of a value that a filter may contain
)

type treeBuilder struct {
	schema  *filter.Schema
	tree    *wire.Tree
	message *decode.Message
	path    string // the name that the message has in filters
	all     bool
	built   []*Node // in the same order as in the message
	dropped int     // number of nodes beyond maxNodes
}

// nodes builds the nodes [from, to), which belong to the group with the given path.
func (b *treeBuilder) nodes(from, to int32, path string) (list []*Node) {
	for i := from; i < to; i = b.tree.Nodes[i].Next {
		if len(b.built) >= maxNodes {
			b.dropped++
			continue
		}
		n := &b.tree.Nodes[i]
		below := path + "." + n.Name
		if path == "" {
			below = n.Name
		}
		list = append(list, b.node(i, n.Name, below))
	}
	return list
}

func (b *treeBuilder) node(at int32, name, path string) *Node {
	n := &b.tree.Nodes[at]
	out := &Node{Name: format.Unquoted(name), Kind: n.Kind.String(), Offset: int(n.Off), Size: int(n.Size),
		Computed: n.Computed}
	b.built = append(b.built, out)
	b.name(out, n, path)
	switch n.Kind {
	case wire.Group:
		out.Children = b.nodes(at+1, n.Next, path)
		out.LeftOut = int(min(n.Num, 1<<31))
	case wire.Sequence:
		b.elements(out, at, path)
	default:
		out.Value = valueText(n)
		out.Meaning = string(format.AppendMeaning(nil, n))
	}
	return out
}

func (b *treeBuilder) elements(out *Node, at int32, path string) {
	list := &b.tree.Nodes[at]
	left := list.Num
	count := 0
	for i := at + 1; i < list.Next; i = b.tree.Nodes[i].Next {
		if count++; count > foldAfter && !b.all || len(b.built) >= maxNodes {
			left++
			continue
		}
		n := &b.tree.Nodes[i]
		name := list.Name + "[" + strconv.Itoa(int(n.Element)-1) + "]"
		// If an element has only one value, which has no name, that value is shown as the element.
		if n.Next == i+2 && b.tree.Nodes[i+1].Name == "" && !b.tree.Nodes[i+1].Composite() {
			out.Children = append(out.Children, b.node(i+1, name, path))
			continue
		}
		out.Children = append(out.Children, b.node(i, name, path))
	}
	out.LeftOut = int(min(left, 1<<31))
}

// name sets the name that the node has in filters, and a filter that matches the node's value.
func (b *treeBuilder) name(out *Node, n *wire.Node, path string) {
	if b.path == "" || n.Element > 0 || n.Key || b.schema.Field(b.path+"."+path) == nil {
		return
	}
	out.Field = b.path + "." + path
	switch n.Kind {
	case wire.Group, wire.Sequence, wire.Vector:
		return
	case wire.String:
		if len(n.Bytes) <= maxValue {
			out.Filter = out.Field + " == " + filter.Quote(n.Bytes)
		}
		return
	case wire.Bytes:
		if len(n.Bytes) > 0 && len(n.Bytes) <= maxValue {
			out.Filter = out.Field + " == " + strings.ReplaceAll(string(format.AppendHex(nil, n.Bytes, 0)), " ", ":")
		}
		return
	}
	bare := wire.Node{Kind: n.Kind, Num: n.Num, Bytes: n.Bytes} // without symbolic names
	out.Filter = out.Field + " == " + string(format.AppendValue(nil, &bare, 0))
}

// valueText formats a value. Long values are cut.
func valueText(n *wire.Node) string {
	if n.Kind != wire.String || len(n.Bytes) <= maxText {
		return string(format.AppendValue(nil, n, maxBytes))
	}
	end := maxText
	for end > maxText-utf8.UTFMax && !utf8.RuneStart(n.Bytes[end]) {
		end--
	}
	return string(format.AppendQuoted(nil, n.Bytes[:end])) + " ... " + strconv.Itoa(len(n.Bytes)) + " bytes"
}

// about returns the index of the smallest node that contains the bytes. If there is no such node, it returns the
// smallest node that contains the first of the bytes, or -1.
func (b *treeBuilder) about(off, size int) int {
	best, whole := -1, false
	for i, n := range b.built {
		if n.Computed || n.Size == 0 || off < n.Offset || off >= n.Offset+n.Size {
			continue
		}
		all := off+size <= n.Offset+n.Size
		if best < 0 || all && !whole || all == whole && n.Size <= b.built[best].Size {
			best, whole = i, all
		}
	}
	return best
}
