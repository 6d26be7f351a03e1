package wireshark

import (
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// This method returns the number of a node's field. The parameter above is the number of the field that contains the
// node. If it is negative, it stands for a protocol instead. If the node has no field, the result is 0.
func (l *fields) of(above int, n *wire.Node) int {
	key := nodeName{above, n.Name}
	field, ok := l.below[key]
	if !ok {
		field = l.named(above, n)
		l.below[key] = field
	}
	if f := l.list[field]; f != nil && f.made {
		f.forms.add(formOfNode(n))
	}
	return field
}

// named finds a field by name. If messages choose the names of their fields, it creates the field.
func (l *fields) named(above int, n *wire.Node) int {
	var path string
	protocol := -above
	if above < 0 {
		path = l.protocols[-above-1]
	} else if above > 0 {
		path, protocol = l.list[above].name, l.list[above].protocol
	}
	path += "." + legal(n.Name)
	if field, ok := l.byName[path]; ok {
		return field
	}
	if above == 0 || l.made >= maxMade {
		return 0
	}
	l.made++
	field := l.add(path, protocol, formOfNode(n))
	l.list[field].made, l.list[field].label = true, n.Name
	return field
}

// ifForm returns a field if its values have the form, otherwise 0.
func (l *fields) ifForm(field int, f form) int {
	if field > 0 && l.list[field].forms.kind() == f {
		return field
	}
	return 0
}

func formOfNode(n *wire.Node) form {
	switch n.Kind {
	case wire.Uint, wire.Int, wire.Enum, wire.SignedEnum, wire.Bits:
		return formOf(n.Kind, 64)
	case wire.Address:
		return formOf(n.Kind, 8*len(n.Bytes))
	}
	return formOf(n.Kind, 0)
}

// legal replaces characters that Wireshark does not accept in names.
func legal(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z', 'a' <= r && r <= 'z', '0' <= r && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, name)
	if name == "" {
		return "_"
	}
	return name
}
