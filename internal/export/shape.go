package export

import (
	"fmt"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// A shape describes a field. If several messages have the same name, it combines their fields of the same name.
type shape struct {
	wire.Field
	fields []*shape // fields of a group, or of each element of a list
	single *shape   // element of a list of single values
}

// shapeOf combines the fields of all messages with a name. For example, a client and a server may both send a message
// with this name.
func shapeOf(p *wire.Protocol, message string) (*shape, error) {
	root := &shape{Field: wire.Field{Kind: wire.Group}}
	for _, m := range p.Messages.All() {
		if m.Name != message {
			continue
		}
		for _, f := range p.Describe(m) {
			if err := root.add(f); err != nil {
				return nil, fmt.Errorf("%s.%s: %w", p.Name, message, err)
			}
		}
	}
	err := root.add(wire.Field{Name: wire.Undecoded, Kind: wire.Bytes})
	return root, err
}

// add adds a field, inside the groups and lists in its path.
func (s *shape) add(f wire.Field) error {
	path, in := strings.Split(f.Name, "."), s
	for i, kind := range f.Around {
		around := wire.Field{Name: path[i], Kind: kind}
		if err := in.child(&in, around); err != nil {
			return err
		}
	}
	if len(f.Around) == len(path) { // elements of a list have no names
		f.Name = ""
		if in.single == nil {
			in.single = &shape{Field: f}
		}
		return in.single.join(f)
	}
	f.Name = path[len(path)-1]
	return in.child(&in, f)
}

func (s *shape) child(to **shape, f wire.Field) error {
	for _, have := range s.fields {
		if have.Name == f.Name {
			*to = have
			return have.join(f)
		}
	}
	*to = &shape{Field: f}
	s.fields = append(s.fields, *to)
	return nil
}

// join changes the field so that it can also store the values of another field with the same name.
func (s *shape) join(f wire.Field) error {
	mine, others := storageOf(&s.Field), storageOf(&f)
	both := s.Kind == wire.Group || s.Kind == wire.Sequence || f.Kind == wire.Group || f.Kind == wire.Sequence
	switch {
	case both && (s.Kind != f.Kind || s.Open != f.Open), !both && mine != others && !(mine.whole() && others.whole()):
		return fmt.Errorf("field %s has two kinds: %v and %v", f.Name, s.Kind, f.Kind)
	case mine.whole() && others > mine:
		s.Bits, s.Kind = f.Bits, f.Kind
	}
	s.Named = s.Named || f.Named
	return nil
}
