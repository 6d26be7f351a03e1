package filter

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// NewSchema returns a schema with the fields of the protocols and of the packets that carry their messages.
func NewSchema(protocols []*wire.Protocol) *Schema {
	s := NewMessageSchema(protocols)
	s.addPacketFields()
	return s
}

// NewMessageSchema returns a schema without the fields that need the bytes of packets.
func NewMessageSchema(protocols []*wire.Protocol) *Schema {
	s := &catalogue{protocols: protocols, fields: make(map[string]*Field), pending: make(map[string]*wire.Protocol)}
	for _, p := range protocols {
		s.pending[p.Name] = p
	}
	s.addCarriers()
	s.addFindings()
	return &Schema{s, make(map[string]bool)}
}

// Fresh returns a Schema with the same names. It has not resolved any of them.
func (s *Schema) Fresh() *Schema { return &Schema{s.catalogue, make(map[string]bool)} }

// lookUp returns the field with exactly this name, or nil. It first describes the protocol that the name belongs to.
func (s *catalogue) lookUp(name string) *Field {
	s.mu.Lock()
	defer s.mu.Unlock()
	first, _, _ := strings.Cut(name, ".")
	s.describe(first)
	return s.fields[name]
}

// describe adds the fields of a protocol, unless they exist already.
func (s *catalogue) describe(protocol string) {
	p := s.pending[protocol]
	if p == nil {
		return
	}
	delete(s.pending, protocol)
	isOf := func(x *Subject) bool { return x.Place.Protocol == p }
	s.addPresence(p.Name, isOf)
	s.fields[p.Name].carrier = carrier{message: true, span: messageBytes(isOf)}
	for _, m := range p.Messages.All() {
		path := MessagePath(p, m)
		is := func(x *Subject) bool { // compares names, because several types can have the same name
			return x.Message != nil && x.Place.Protocol == p && x.Message.Name == m.Name
		}
		s.addPresence(path, is)
		s.fields[path].carrier = carrier{message: true, span: messageBytes(is)}
	}
	for _, m := range p.Messages.All() {
		for _, f := range p.Describe(m) {
			s.addField(p, m, f)
		}
		s.addField(p, m, wire.Field{Name: wire.Undecoded, Kind: wire.Bytes})
	}
}

// messageBytes returns a source for the bytes of those messages for which is returns true.
func messageBytes(is func(*Subject) bool) source {
	return func(x *Subject, v []Value) []Value {
		if x.Message != nil && is(x) {
			v = append(v, Value{Kind: wire.Bytes, Bytes: x.Message.Data})
		}
		return v
	}
}

// MessagePath returns a message's name in filters: "bzflag24.add_player".
func MessagePath(p *wire.Protocol, m *wire.MessageType) string {
	return p.Name + "." + Snake(strings.TrimPrefix(m.Name, "Msg"))
}

// Snake converts MasterListReply to master_list_reply. A run of capitals is one word.
func Snake(s string) string {
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

// addField adds a field of a message, and the groups that contain the field. Each gets two names: one with the
// message's name and one without.
func (s *catalogue) addField(p *wire.Protocol, m *wire.MessageType, f wire.Field) {
	path := strings.Split(f.Name, ".")
	for i := 1; i < len(path); i++ {
		s.addNames(p, m, strings.Join(path[:i], "."), wire.Field{Kind: wire.Group}, location{path: path[:i]})
	}
	s.addNames(p, m, f.Name, f, location{path: path})
	switch f.Kind {
	case wire.Vector:
		for i, axis := range axes {
			s.addNames(p, m, f.Name+axis, wire.Field{Kind: wire.Float}, location{path, partX + part(i)})
		}
	case wire.Enum, wire.SignedEnum, wire.Address:
		if f.Kind == wire.Address && !f.Named {
			return
		}
		s.addNames(p, m, f.Name+"_name", wire.Field{Kind: wire.String}, location{path, partName})
	case wire.Bits:
		s.addNames(p, m, f.Name+"_bits", wire.Field{Kind: wire.String}, location{path, partBits})
	}
}

// component returns component [0], [1] or [2] of a vector, or nil.
func (s *Schema) component(vector *Field, at string) *Field {
	n := strings.Index("012", at)
	if len(at) != 1 || n < 0 || !slices.Contains(vector.Kinds, wire.Vector) {
		return nil
	}
	return s.Field(vector.Name + axes[n])
}

var axes = [...]string{".x", ".y", ".z"}

// addNames adds a field under two names: one with the message's name, and one without it unless a message already has
// that name.
func (s *catalogue) addNames(p *wire.Protocol, m *wire.MessageType, name string, f wire.Field, at location) {
	s.mergeField(MessagePath(p, m)+"."+name, m, f, at)
	short := p.Name + "." + name
	if have := s.fields[short]; have != nil && have.fromSubject != nil {
		return
	}
	s.mergeField(short, m, f, at)
}

func (s *catalogue) mergeField(name string, m *wire.MessageType, f wire.Field, at location) {
	have := s.fields[name]
	if have == nil {
		have = &Field{Name: name, locations: make(map[*wire.MessageType][]location)}
		s.fields[name] = have
	}
	if !slices.Contains(have.Kinds, f.Kind) {
		have.Kinds = append(have.Kinds, f.Kind)
	}
	for _, symbol := range f.Symbols {
		if !slices.Contains(have.Symbols, symbol) {
			have.Symbols = append(have.Symbols, symbol)
		}
	}
	switch f.Kind {
	case wire.Address:
		have.mergeFamily(f.Bits)
	case wire.Uint, wire.Enum, wire.Bits:
		have.bits = max(have.bits, f.Bits)
	default:
		have.bits = 64
	}
	have.named = have.named || f.Named && f.Kind != wire.Address
	have.open = have.open || f.Open
	known := func(l location) bool { return slices.Equal(l.path, at.path) && l.part == at.part }
	if !slices.ContainsFunc(have.locations[m], known) {
		have.locations[m] = append(have.locations[m], at)
	}
}

// mergeFamily records whether a field's addresses are IPv4 or IPv6. An IPv4 address may be followed by a port and a
// player number.
func (f *Field) mergeFamily(bits int) {
	if bits < 128 {
		bits = 32
	}
	switch f.addressBits {
	case 0, bits:
		f.addressBits = bits
	default:
		f.addressBits = anyFamily
	}
}

// anyFamily is the addressBits of a field that has both IPv4 and IPv6 addresses.
const anyFamily = -1

// Protocols returns the protocols that a filter can name.
func (s *Schema) Protocols() []*wire.Protocol { return s.protocols }

// Names returns all names, sorted.
func (s *catalogue) Names() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.names == nil {
		for _, p := range s.protocols {
			s.describe(p.Name)
		}
		s.names = slices.Sorted(maps.Keys(s.fields))
	}
	return s.names
}

// Field returns the field with the given name, or nil. If a group has different fields in different messages, any name
// below the group is a field.
func (s *Schema) Field(name string) *Field {
	if f := s.lookUp(name); f != nil {
		return f
	}
	for at := strings.LastIndexByte(name, '.'); at > 0; at = strings.LastIndexByte(name[:at], '.') {
		if f := s.lookUp(name[:at]); f != nil && f.open {
			return f.fieldBelow(name, strings.Split(name[at+1:], "."))
		}
	}
	return nil
}
