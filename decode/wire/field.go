package wire

import (
	"slices"
	"strings"
)

// A Field describes a field of a message type.
type Field struct {
	// Name is the path of the field, with the groups and lists that contain it: "servers.ip". Single values of a list
	// have the list's name.
	Name string

	Around   []Kind // kinds of the groups and lists that contain the field: Group or Sequence
	Kind     Kind
	Bits     int // size in bits of a number or an address
	Symbols  Symbols
	Computed bool
	Open     bool // a group whose field names come from the message
	Named    bool // an enumeration or endpoint whose values may also have names from other messages
}

// schema collects the fields that a Walk lists.
type schema struct {
	fields []Field
	prefix []string
	around []Kind // for each prefix, the kinds of the groups and lists around it
}

func (s *schema) push(name string, k Kind) {
	outer := ""
	if len(s.prefix) > 0 {
		outer = s.prefix[len(s.prefix)-1]
	}
	s.prefix = append(s.prefix, outer+name+".")
	s.around = append(s.around, k)
}

func (s *schema) pop() {
	s.prefix = s.prefix[:len(s.prefix)-1]
	s.around = s.around[:len(s.around)-1]
}

func (s *schema) add(f Field) {
	if len(s.prefix) > 0 {
		f.Name = strings.TrimSuffix(s.prefix[len(s.prefix)-1]+f.Name, ".")
	}
	for _, have := range s.fields {
		if have.Name == f.Name {
			return // the field was already listed under another condition
		}
	}
	f.Around = slices.Clone(s.around)
	s.fields = append(s.fields, f)
}
