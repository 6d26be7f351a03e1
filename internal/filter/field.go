package filter

import (
	"slices"
	"strings"
	"sync"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// A Schema has the names that filters may use. It records which names it has resolved, so only one goroutine may use it
// at a time. Fresh returns a Schema for another goroutine.
type Schema struct {
	*catalogue
	asked map[string]bool // resolved names
}

// A catalogue is the part of a Schema that several Schemas share. It describes a protocol when one of the protocol's
// fields is first looked up.
type catalogue struct {
	protocols []*wire.Protocol
	packets   bool // includes the fields that need the bytes of packets

	mu      sync.Mutex
	pending map[string]*wire.Protocol // protocols that have not yet been described, by name
	fields  map[string]*Field
	names   []string // sorted; nil until Names is called
}

// A Field is a name in filters. Several messages may have the same Field.
type Field struct {
	Name    string
	Kinds   []wire.Kind // kinds of its values in all messages that have the field
	Symbols wire.Symbols

	named       bool     // an enumeration whose values get their names from other messages
	known       []string // all texts that the field can be; nil: any text
	locations   map[*wire.MessageType][]location
	fromSubject source // values of a field outside messages
	open        bool   // values of any kind are possible
	bits        int    // maximum size of its numbers in bits; 0: no limit
	addressBits int    // bits of its addresses; 0 or anyFamily: both families
	computed    bool   // result of arithmetic
	fromPacket  bool   // values are in the packet that carries a message
	carrier     carrier
}

type location struct {
	path []string
	part part
}

type part uint8

const (
	all   part = iota
	partX      // component of a vector
	partY
	partZ
	partName // name of an enumeration's value
	partBits // names of the set bits
	partRaw  // bytes in the message; Num is their position, until Field.Values replaces it with the bytes
)

// addPresence adds a field that has no value and is only present or absent.
func (s *catalogue) addPresence(name string, is func(*Subject) bool) {
	s.fields[name] = &Field{Name: name, Kinds: []wire.Kind{wire.Group}, fromSubject: func(x *Subject, v []Value) []Value {
		if is(x) {
			v = append(v, Value{Kind: wire.Group})
		}
		return v
	}}
}

func (f *Field) fieldBelow(name string, path []string) *Field {
	below := &Field{Name: name, open: true, locations: make(map[*wire.MessageType][]location),
		Kinds: []wire.Kind{wire.Int, wire.String, wire.Boolean, wire.Group}}
	for m, places := range f.locations {
		for _, p := range places {
			below.locations[m] = append(below.locations[m], location{path: slices.Concat(p.path, path)})
		}
	}
	return below
}

// Type returns the kinds of the field's values in the words of error texts: "number", "text or bytes".
func (f *Field) Type() string {
	var kinds []string
	for _, k := range f.Kinds {
		if n := familyOf(k).String(); !slices.Contains(kinds, n) {
			kinds = append(kinds, n)
		}
	}
	return strings.Join(kinds, " or ")
}

// Values appends the field's values in a subject. They alias the message's data.
func (f *Field) Values(x *Subject, v []Value) []Value {
	if f.fromSubject != nil {
		return f.fromSubject(x, v)
	}
	if x.Message == nil {
		return v
	}
	places := f.locations[x.Message.Layer.Core().Message]
	if len(places) == 0 {
		return v
	}
	t, from := x.Message.Tree(), len(v)
	for i := range places {
		v = collect(t, 0, int32(len(t.Nodes)), places[i].path, places[i].part, v)
	}
	if len(v) > from && places[0].part == partRaw {
		return cutRaw(v, from, x.Message.Data)
	}
	return v
}

// collect appends the values at a path in the nodes t.Nodes[from:to]. The path does not name the elements of lists.
func collect(t *wire.Tree, from, to int32, path []string, p part, v []Value) []Value {
	for i := from; i < to; i = t.Nodes[i].Next {
		n := &t.Nodes[i]
		switch {
		case n.Element > 0:
			v = collect(t, i+1, n.Next, path, p, v)
		case n.Name != path[0]:
		case len(path) > 1:
			v = collect(t, i+1, n.Next, path[1:], p, v)
		case n.Kind == wire.Sequence && hasPlainValues(t, i):
			v = collect(t, i+1, n.Next, namelessPath, p, v)
		case n.Kind == wire.Sequence:
			v = append(v, Value{Kind: wire.Sequence, Num: countElements(t, i)})
		default:
			v = appendParts(v, n, p)
		}
	}
	return v
}

var namelessPath = []string{""}

// hasPlainValues reports whether each element of a list is a single value without a name.
func hasPlainValues(t *wire.Tree, list int32) bool {
	return list+2 < t.Nodes[list].Next && t.Nodes[list+2].Name == "" && !t.Nodes[list+2].Composite()
}

func countElements(t *wire.Tree, list int32) (n uint64) {
	for i := list + 1; i < t.Nodes[list].Next; i = t.Nodes[i].Next {
		n++
	}
	return n
}

func appendParts(v []Value, n *wire.Node, p part) []Value {
	value := Value{Kind: n.Kind, Num: n.Num, Vec: n.Vec, Symbols: n.Symbols, Bytes: n.Bytes}
	switch {
	case p == all:
		return append(v, value)
	case p == partRaw && !n.Computed:
		off, size := n.Off+int32(n.Lead), n.Size-int32(n.Lead)
		return append(v, Value{Kind: wire.Bytes, Num: uint64(off)<<32 | uint64(size)})
	case p <= partZ && n.Kind == wire.Vector:
		return append(v, floatValue(n.Vec[p-partX]))
	case p == partName:
		name := n.Bytes
		if len(name) == 0 || n.Kind == wire.Address {
			name = nameBytes(n.Symbols, int64(n.Num))
		}
		if len(name) > 0 {
			v = append(v, Value{Kind: wire.String, Bytes: name})
		}
	case p == partBits:
		for i := range n.Symbols {
			if s := &n.Symbols[i]; n.Num&uint64(s.Value) != 0 {
				v = append(v, Value{Kind: wire.String, Bytes: textBytes(s.Name)})
			}
		}
	}
	return v
}

// Known returns all texts that the field can be. nil means any text.
func (f *Field) Known() []string { return f.known }

// Numeric reports whether the field can have numbers as values, see Value.Number.
func (f *Field) Numeric() bool {
	return slices.ContainsFunc(f.Kinds, func(k wire.Kind) bool {
		_, ok := (&Value{Kind: k}).Number()
		return ok
	})
}

// A source appends the values of a field in a subject.
type source func(*Subject, []Value) []Value

// addNumber adds a field that is a number outside messages. Some subjects have no such number.
func (s *catalogue) addNumber(name string, k wire.Kind, get func(*Subject) (n int64, ok bool)) {
	s.addSubjectField(name, k, func(x *Subject, v []Value) []Value {
		if n, ok := get(x); ok {
			v = append(v, Value{Kind: k, Num: uint64(n)})
		}
		return v
	})
}

func (s *catalogue) addSubjectField(name string, k wire.Kind, values source) *Field {
	f := &Field{Name: name, Kinds: []wire.Kind{k}, fromSubject: values}
	s.fields[name] = f
	return f
}

// textOf returns the source of a text. "" means that there is no value.
func textOf(get func(*Subject) string) source {
	return func(x *Subject, v []Value) []Value {
		if t := get(x); t != "" {
			v = append(v, Value{Kind: wire.String, Bytes: textBytes(t)})
		}
		return v
	}
}

func hasKind(f *Field, k wire.Kind) bool { return slices.Contains(f.Kinds, k) }

func hasSymbol(s wire.Symbols, name string) bool { return symbolValue(s, name) != nil }

func symbolValue(s wire.Symbols, name string) *int64 {
	for i := range s {
		if s[i].Name == name {
			return &s[i].Value
		}
	}
	return nil
}

func symbolNames(s wire.Symbols) []string {
	var names []string
	for i := range s {
		names = append(names, s[i].Name)
	}
	return names
}
