package filter

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// A Schema knows the names that filters may use. It remembers which of them filters have resolved, so it is for one
// goroutine at a time; one that Fresh returns is for another.
type Schema struct {
	*catalogue
	asked map[string]bool // names that were resolved
}

// A catalogue is what Schemas share. It describes the fields of a protocol when the first of them is looked up.
type catalogue struct {
	protocols []*wire.Protocol

	mu          sync.Mutex
	fields      map[string]*Field
	undescribed map[string]*wire.Protocol // by name
	sorted      []string                  // all names; nil until they are listed
}

// A Field is a name in filters. Several messages may have it.
type Field struct {
	Name    string
	Kinds   []wire.Kind // of its values, in the messages that have it
	Symbols wire.Symbols

	named       bool     // an enumeration that is called what the traffic says
	known       []string // the only texts it can be; nil: any
	locations   map[*wire.MessageType][]location
	fromSubject func(*Subject, []Value) []Value // for what no message holds
	open        bool                            // values of any kind
}

// A location says where a message has a field.
type location struct {
	path []string
	part part
}

// A part is what of a field's value is meant.
type part uint8

const (
	all   part = iota
	partX      // of a vector
	partY
	partZ
	partName // of an enumeration
	partBits // of bits: the names of those that are set
)

// NewSchema makes the schema of protocols and of what carries them.
func NewSchema(protocols []*wire.Protocol) *Schema {
	c := &catalogue{
		protocols: protocols, fields: make(map[string]*Field), undescribed: make(map[string]*wire.Protocol),
	}
	for _, p := range protocols {
		c.undescribed[p.Name] = p
		c.addPresence(p.Name, func(x *Subject) bool { return x.Place.Protocol == p })
		for _, m := range p.Messages.All() {
			c.addPresence(MessagePath(p, m), func(x *Subject) bool { // by its name: several types may share one
				return x.Message != nil && x.Place.Protocol == p && x.Message.Name == m.Name
			})
		}
	}
	c.addCarriers()
	c.addFindings()
	return &Schema{c, make(map[string]bool)}
}

// Fresh returns a Schema of the same names, of which none has been resolved.
func (s *Schema) Fresh() *Schema { return &Schema{s.catalogue, make(map[string]bool)} }

// lookup finds a name; nil is none.
func (c *catalogue) lookup(name string) *Field {
	c.mu.Lock()
	defer c.mu.Unlock()
	protocol, _, below := strings.Cut(name, ".")
	if p := c.undescribed[protocol]; p != nil && below {
		c.describe(p)
	}
	return c.fields[name]
}

// describe adds the fields of a protocol.
func (c *catalogue) describe(p *wire.Protocol) {
	for _, m := range p.Messages.All() {
		for _, f := range p.Describe(m) {
			c.addField(p, m, f)
		}
		c.addField(p, m, wire.Field{Name: wire.Undecoded, Kind: wire.Bytes})
	}
	delete(c.undescribed, p.Name)
}

// MessagePath is a message's name in filters: "bzflag24.add_player".
func MessagePath(p *wire.Protocol, m *wire.MessageType) string {
	return p.Name + "." + snake(strings.TrimPrefix(m.Name, "Msg"))
}

// snake turns MasterListReply into master_list_reply. Runs of capitals are one word.
func snake(s string) string {
	var b strings.Builder
	runes := []rune(s)
	for i, r := range runes {
		if i > 0 && unicode.IsUpper(r) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// addPresence adds a name that is only true or not.
func (c *catalogue) addPresence(name string, is func(*Subject) bool) {
	c.fields[name] = &Field{Name: name, Kinds: []wire.Kind{wire.Group}, fromSubject: func(x *Subject, v []Value) []Value {
		if is(x) {
			v = append(v, Value{Kind: wire.Group})
		}
		return v
	}}
}

// addField adds a field of a message, by its full name and by that without the message's, and those of the
// groups around it.
func (c *catalogue) addField(p *wire.Protocol, m *wire.MessageType, f wire.Field) {
	path := strings.Split(f.Name, ".")
	for i := 1; i < len(path); i++ {
		c.addNames(p, m, strings.Join(path[:i], "."), wire.Field{Kind: wire.Group}, location{path: path[:i]})
	}
	c.addNames(p, m, f.Name, f, location{path: path})
	switch f.Kind {
	case wire.Vector:
		for i, axis := range []string{".x", ".y", ".z"} {
			c.addNames(p, m, f.Name+axis, wire.Field{Kind: wire.Float}, location{path, partX + part(i)})
		}
	case wire.Enum, wire.SignedEnum, wire.Address:
		if f.Kind == wire.Address && !f.Named {
			return
		}
		c.addNames(p, m, f.Name+"_name", wire.Field{Kind: wire.String}, location{path, partName})
	case wire.Bits:
		c.addNames(p, m, f.Name+"_bits", wire.Field{Kind: wire.String}, location{path, partBits})
	}
}

// addNames adds a field by both names: with the message's and, unless a message is called like that, without.
func (c *catalogue) addNames(p *wire.Protocol, m *wire.MessageType, name string, f wire.Field, at location) {
	c.mergeField(MessagePath(p, m)+"."+name, m, f, at)
	short := p.Name + "." + name
	if have := c.fields[short]; have != nil && have.fromSubject != nil {
		return
	}
	c.mergeField(short, m, f, at)
}

// mergeField adds where a message has a field to what is known of the name.
func (c *catalogue) mergeField(name string, m *wire.MessageType, f wire.Field, at location) {
	have := c.fields[name]
	if have == nil {
		have = &Field{Name: name, locations: make(map[*wire.MessageType][]location)}
		c.fields[name] = have
	}
	if !slices.Contains(have.Kinds, f.Kind) {
		have.Kinds = append(have.Kinds, f.Kind)
	}
	for _, symbol := range f.Symbols {
		if !slices.Contains(have.Symbols, symbol) {
			have.Symbols = append(have.Symbols, symbol)
		}
	}
	have.named = have.named || f.Named && f.Kind != wire.Address
	have.open = have.open || f.Open
	known := func(l location) bool { return slices.Equal(l.path, at.path) && l.part == at.part }
	if !slices.ContainsFunc(have.locations[m], known) {
		have.locations[m] = append(have.locations[m], at)
	}
}

// Protocols lists those whose fields can be named.
func (s *Schema) Protocols() []*wire.Protocol { return s.protocols }

// Names lists all names, sorted.
func (c *catalogue) Names() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sorted == nil {
		for _, p := range c.undescribed {
			c.describe(p)
		}
		c.sorted = slices.Sorted(maps.Keys(c.fields))
	}
	return c.sorted
}

// Field finds a name. Below a group whose fields each message names itself every name is good.
func (s *Schema) Field(name string) *Field {
	if f := s.lookup(name); f != nil {
		return f
	}
	for at := strings.LastIndexByte(name, '.'); at > 0; at = strings.LastIndexByte(name[:at], '.') {
		if f := s.lookup(name[:at]); f != nil && f.open {
			return f.fieldBelow(name, strings.Split(name[at+1:], "."))
		}
	}
	return nil
}

// inside makes the field of a path below an open group.
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

// Type names the kinds of the field's values for people: "number", "text or bytes".
func (f *Field) Type() string {
	var kinds []string
	for _, k := range f.Kinds {
		if n := familyOf(k).String(); !slices.Contains(kinds, n) {
			kinds = append(kinds, n)
		}
	}
	return strings.Join(kinds, " or ")
}

// Values appends the values that the field has in a subject. They belong to the message.
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
	t := x.Message.Tree()
	for i := range places {
		v = collect(t, 0, int32(len(t.Nodes)), places[i].path, places[i].part, v)
	}
	return v
}

// collect appends the values at a path among the nodes from one index up to another. Paths do not name the
// elements of lists.
func collect(t *wire.Tree, from, to int32, path []string, p part, v []Value) []Value {
	for i := from; i < to; i = t.Nodes[i].Next {
		n := &t.Nodes[i]
		switch {
		case n.Element > 0:
			v = collect(t, i+1, n.Next, path, p, v)
		case n.Name != path[0]:
		case len(path) > 1:
			v = collect(t, i+1, n.Next, path[1:], p, v)
		case n.Kind == wire.Sequence && holdsPlainValues(t, i):
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

// holdsPlainValues reports whether the elements of a list are single values without names.
func holdsPlainValues(t *wire.Tree, list int32) bool {
	return list+2 < t.Nodes[list].Next && t.Nodes[list+2].Name == "" && !t.Nodes[list+2].Composite()
}

// countElements is the number of a list's elements.
func countElements(t *wire.Tree, list int32) (n uint64) {
	for i := list + 1; i < t.Nodes[list].Next; i = t.Nodes[i].Next {
		n++
	}
	return n
}

func appendParts(v []Value, n *wire.Node, p part) []Value {
	value := Value{Kind: n.Kind, Num: n.Num, Symbols: n.Symbols, Bytes: n.Bytes}
	switch {
	case p == all:
		return append(v, value)
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

// Protocol finds a protocol. The error is an *UnknownError.
func (s *Schema) Protocol(name string) (*wire.Protocol, error) {
	var known []string
	for _, p := range s.protocols {
		if p.Name == name {
			return p, nil
		}
		known = append(known, p.Name)
	}
	return nil, &UnknownError{What: "protocol", Name: name, Nearest: Nearest(name, known), Known: known}
}

// Message finds a message of a protocol by its name, with or without "Msg". Several types may share the
// name; it gives the first. The error is an *UnknownError.
func (s *Schema) Message(protocol, name string) (*wire.Protocol, *wire.MessageType, error) {
	p, err := s.Protocol(protocol)
	if err != nil {
		return nil, nil, err
	}
	var known []string
	for _, m := range p.Messages.All() {
		if m.Name == name || strings.TrimPrefix(m.Name, "Msg") == name {
			return p, m, nil
		}
		known = append(known, m.Name)
	}
	return p, nil, &UnknownError{What: "message of " + protocol, Name: name, Nearest: Nearest(name, known)}
}

// UnknownError is the error of a name that does not exist.
type UnknownError struct {
	What    string
	Name    string
	Nearest []string
	Known   []string // all there are
	Of      string   // the longest part of the name that there is: Known stand behind it
}

func (e *UnknownError) Error() string {
	text := fmt.Sprintf("there is no %s %q", e.What, e.Name)
	if len(e.Nearest) > 0 {
		return text + DidYouMean(e.Nearest)
	}
	return text + e.has()
}

// has lists what there is instead, the first of many.
func (e *UnknownError) has() string {
	const most = 12
	list := strings.Join(e.Known[:min(len(e.Known), most)], ", ")
	if len(e.Known) > most {
		list += ", ..."
	}
	switch {
	case list == "":
		return ""
	case e.Of != "":
		return " (" + e.Of + " has " + list + ")"
	case e.What == "field":
		return " (names begin with " + list + ")"
	}
	return " (there are " + list + ")"
}

// Asked reports whether a filter was compiled that has a name, or whether it was resolved otherwise.
func (s *Schema) Asked(name string) bool { return s.asked[name] }

// Known lists the only texts that the field can be; nil is any.
func (f *Field) Known() []string { return f.known }
