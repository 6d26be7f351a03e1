package wireshark

import (
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
)

type field struct {
	name     string // such as "bzflag24.killed.reason"
	label    string // such as "reason"
	about    string
	protocol int // index in the table of protocols, from 1; 0: a field of all protocols
	symbols  wire.Symbols
	forms    forms
	made     bool // the name comes from a message
	named    bool // the names of its values come from other messages

	short int    // number of the same field under a name without the message's name; 0: none
	parts [3]int // x, y and z of a vector, or the meaning of a number
}

// fields are all fields, numbered from 1.
type fields struct {
	list      []*field
	byName    map[string]int
	protocols []string       // names of Wireshark's protocols, which are our protocols and message types
	kinds     []kind         // message types
	kindOf    map[string]int // number of the message type or protocol, by path
	below     map[nodeName]int
	made      int // number of fields whose names come from messages
}

type kind struct{ path, name string }

// A nodeName is the name of a node, and the field or protocol that contains the node, see fields.of.
type nodeName struct {
	above int
	name  string
}

// maxMade limits the fields whose names come from messages, because hostile traffic can invent any number of names.
const maxMade = 1 << 12

func newFields(protocols []*wire.Protocol) *fields {
	l := &fields{list: []*field{nil}, byName: make(map[string]int), below: make(map[nodeName]int),
		kindOf: make(map[string]int)}
	for _, g := range general[generalMessage:] {
		l.list[l.add(g.name, 0, g.form)].about = g.about
	}
	for _, p := range protocols {
		l.protocols = append(l.protocols, p.Name)
	}
	for _, p := range protocols {
		for _, m := range p.Messages.All() {
			path := filter.MessagePath(p, m)
			if _, ok := l.kindOf[path]; !ok { // client and server may have a message with the same name
				l.kinds = append(l.kinds, kind{path, p.Title + " " + m.Name})
				l.protocols = append(l.protocols, path)
				l.kindOf[path] = len(l.protocols)
			}
		}
	}
	for i, p := range protocols {
		for _, m := range p.Messages.All() {
			for _, f := range p.Describe(m) {
				l.describe(p, i+1, m, &f)
			}
			l.describe(p, i+1, m, &wire.Field{Name: wire.Undecoded, Kind: wire.Bytes})
		}
	}
	return l
}

// add adds a form to the field with a name and returns the field's number. It creates the field if necessary.
func (l *fields) add(name string, protocol int, f form) int {
	n, ok := l.byName[name]
	if !ok {
		n = len(l.list)
		l.byName[name] = n
		l.list = append(l.list, &field{name: name, label: name[strings.LastIndexByte(name, '.')+1:], protocol: protocol})
	}
	l.list[n].forms.add(f)
	return n
}

// describe adds a field of a message and the groups around it. Each gets a name with the message's name and a name
// without it.
func (l *fields) describe(p *wire.Protocol, protocol int, m *wire.MessageType, f *wire.Field) {
	path := strings.Split(f.Name, ".")
	for i := range path {
		name, kind := strings.Join(path[:i+1], "."), f
		if i+1 < len(path) {
			kind = &wire.Field{Kind: f.Around[i]}
		}
		message := filter.MessagePath(p, m)
		n := l.describeOne(message+"."+name, l.kindOf[message], kind)
		l.list[n].about = m.Name + "." + name
		short := p.Name + "." + name
		if _, taken := l.kindOf[short]; taken {
			continue
		}
		l.list[n].short = l.describeOne(short, protocol, kind)
	}
}

// describeOne adds a field under one of its names, and the field's parts.
func (l *fields) describeOne(name string, protocol int, f *wire.Field) int {
	n := l.add(name, protocol, formOf(f.Kind, f.Bits))
	to := l.list[n]
	to.named = to.named || f.Named
	for _, s := range f.Symbols {
		if !slices.ContainsFunc(to.symbols, func(have wire.Symbol) bool { return have.Value == s.Value }) {
			to.symbols = append(to.symbols, s)
		}
	}
	switch f.Kind {
	case wire.Vector:
		for i, axis := range []string{".x", ".y", ".z"} {
			to.parts[i] = l.add(name+axis, protocol, formFloat)
		}
	case wire.Enum, wire.SignedEnum:
		to.parts[0] = l.add(name+"_name", protocol, formText)
	case wire.Address:
		if f.Named {
			to.parts[0] = l.add(name+"_name", protocol, formText)
		}
	case wire.Bits:
		to.parts[0] = l.add(name+"_bits", protocol, formText)
	}
	return n
}
