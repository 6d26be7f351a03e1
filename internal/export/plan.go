package export

import (
	"fmt"
	"slices"

	"github.com/parquet-go/parquet-go"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// A field maps a field of a message to its columns.
type field struct {
	name        string
	kind        wire.Kind
	open        bool
	there       uint8 // definition level if this group or list is present
	repeats     uint8 // for a list: repetition level of its elements
	first, last int   // its columns are plan.columns[first:last]

	value    *column
	extra    *column // name of a number, names of its bits, or bytes of a text that is not UTF-8
	notShown *column // number of elements that the tree omits
	axes     [3]*column
	fields   []*field
	single   *field

	seen uint64 // group in which it was last seen, see shredder.groups
}

type plan struct {
	columns []*column
	nodes   []parquet.Field // of the table
	fields  []*field        // of the message; nil: not a table of messages
}

func (p *plan) add(s storage, names ...string) {
	for _, name := range names {
		_, node := p.leaf(s, 1, 0)
		p.nodes = append(p.nodes, named{node, name})
	}
}

func (p *plan) addFields(s *shape) error {
	var nodes []parquet.Field
	var err error
	if p.fields, nodes, err = p.group(s.fields, 0, 0); err != nil {
		return err
	}
	p.nodes = append(p.nodes, named{structure{fields: nodes}, "fields"})
	return nil
}

var findingColumns = []struct {
	name string
	storage
}{{"rule", text}, {"severity", text}, {"text", text}, {"offset", integer}, {"size", integer}}

func (p *plan) addFindings() {
	var nodes []parquet.Field
	for _, c := range findingColumns {
		_, node := p.leaf(c.storage, 3, 1)
		nodes = append(nodes, named{node, c.name})
	}
	p.nodes = append(p.nodes, named{parquet.Optional(parquet.List(structure{fields: nodes})), "findings"})
}

func (p *plan) addTexts(name string) {
	_, node := p.leaf(text, 3, 1)
	p.nodes = append(p.nodes, named{parquet.Optional(parquet.List(node)), name})
}

func (p *plan) leaf(s storage, there, repeats uint8) (*column, parquet.Node) {
	c := &column{storage: s, there: there, repeats: repeats}
	p.columns = append(p.columns, c)
	return c, parquet.Optional(nodeOf(s))
}

// A level is the state while the columns of sibling fields are made.
type level struct {
	*plan
	there, repeats uint8
	nodes          []parquet.Field
}

// group makes the columns of sibling fields. The parameters there and repeats are the levels of the groups and lists
// around the fields.
func (p *plan) group(shapes []*shape, there, repeats uint8) ([]*field, []parquet.Field, error) {
	l := &level{plan: p, there: there, repeats: repeats}
	var fields []*field
	for _, s := range shapes {
		f, err := l.field(s)
		if err != nil {
			return nil, nil, err
		}
		fields = append(fields, f)
	}
	for i, n := range l.nodes {
		if slices.ContainsFunc(l.nodes[:i], func(o parquet.Field) bool { return o.Name() == n.Name() }) {
			return nil, nil, fmt.Errorf("two columns are called %s", n.Name())
		}
	}
	return fields, l.nodes, nil
}

func (l *level) put(name string, s storage) *column {
	c, node := l.leaf(s, l.there+1, l.repeats)
	l.nodes = append(l.nodes, named{node, name})
	return c
}

func (l *level) field(s *shape) (f *field, err error) {
	f = &field{name: s.Name, kind: s.Kind, open: s.Open, there: l.there + 1, first: len(l.columns)}
	switch {
	case s.Open:
		f.value, f.notShown = l.put(s.Name, document), l.put(s.Name+"_not_shown", unsigned)
	case s.Kind == wire.Group:
		err = l.inner(f, s, parquet.Optional, f.there, l.repeats)
	case s.Kind == wire.Sequence:
		f.repeats = l.repeats + 1
		list := func(element parquet.Node) parquet.Node { return parquet.Optional(parquet.List(element)) }
		if s.single == nil {
			err = l.inner(f, s, list, f.there+1, f.repeats)
		} else {
			var node parquet.Node
			f.single, node = l.element(s.single, f.there+2, f.repeats)
			l.nodes = append(l.nodes, named{list(node), s.Name})
		}
		f.notShown = l.put(s.Name+"_not_shown", unsigned)
	case s.Kind == wire.Vector:
		node := parquet.Optional(structure{fields: l.axes(f, l.there+2, l.repeats)})
		l.nodes = append(l.nodes, named{node, s.Name})
	default:
		l.value(f, s)
	}
	f.last = len(l.columns)
	return f, err
}

func (l *level) axes(f *field, there, repeats uint8) (nodes []parquet.Field) {
	for i, axis := range [...]string{"x", "y", "z"} {
		c, node := l.leaf(float, there, repeats)
		f.axes[i], nodes = c, append(nodes, named{node, axis})
	}
	return nodes
}

// element makes the columns for the elements of a list whose elements are single values.
func (l *level) element(s *shape, there, repeats uint8) (f *field, node parquet.Node) {
	f = &field{kind: s.Kind}
	if s.Kind == wire.Vector {
		return f, parquet.Optional(structure{fields: l.axes(f, there+1, repeats)})
	}
	f.value, node = l.leaf(storageOf(&s.Field), there, repeats)
	return f, node
}

// inner makes the columns for the fields of a group, or for the fields of a list's elements.
func (l *level) inner(f *field, s *shape, wrap func(parquet.Node) parquet.Node, there, repeats uint8) error {
	fields, nodes, err := l.group(s.fields, there, repeats)
	if err == nil && len(fields) == 0 {
		err = fmt.Errorf("%s has no fields", s.Name)
	}
	f.fields = fields
	l.nodes = append(l.nodes, named{wrap(structure{fields: nodes}), s.Name})
	return err
}

// value makes the column for a single value, and an extra column if the value needs one.
func (l *level) value(f *field, s *shape) {
	f.value = l.put(s.Name, storageOf(&s.Field))
	switch s.Kind {
	case wire.Enum, wire.SignedEnum:
		f.extra = l.put(s.Name+"_name", text)
	case wire.Address:
		if s.Named {
			f.extra = l.put(s.Name+"_name", text)
		}
	case wire.Bits:
		c, node := l.leaf(text, l.there+3, l.repeats+1)
		f.extra = c
		l.nodes = append(l.nodes, named{parquet.Optional(parquet.List(node)), s.Name + "_bits"})
	case wire.String:
		f.extra = l.put(s.Name+"_hex", text)
	}
}
