package filter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// A Scope adds names to those of the schema. A nil Scope adds none.
type Scope struct {
	Prefix   string    // what users may leave out at the beginning of names, such as "iceball.announce."
	Bindings []Binding // saved values; $name refers to the value in Subject.Bindings
}

// A Binding names a value that is saved while a capture is read.
type Binding struct {
	Name  string
	Field *Field // field whose value is saved
}

// Resolve returns the field that a name means in a scope. The error is an *UnknownError.
func (s *Schema) Resolve(name string, scope *Scope) (*Field, error) {
	if f := s.find(name, scope); f != nil {
		return f, nil
	}
	return nil, s.unknown(name, scope)
}

// find is like Resolve, but returns nil for an unknown name. It does not look for similar names, because that is slow.
func (s *Schema) find(name string, scope *Scope) *Field {
	if scope != nil && scope.Prefix != "" {
		if f := s.Field(scope.Prefix + name); f != nil {
			return f
		}
	}
	if f := s.Field(name); f != nil {
		s.asked[f.Name] = true
		if f.fromPacket {
			s.asked[packetsAsked] = true
		}
		return f
	}
	if of, at, ok := strings.Cut(strings.TrimSuffix(name, "]"), "["); ok && name[len(name)-1] == ']' {
		if f := s.find(of, scope); f != nil {
			return s.component(f, at)
		}
	}
	return nil
}

// unknown returns the error for an unknown name. It prefers proposals below the scope's prefix.
func (s *Schema) unknown(name string, scope *Scope) *UnknownError {
	e := &UnknownError{What: "field", Name: name, Measured: s.measuredIn(name)}
	if scope != nil && scope.Prefix != "" {
		for _, n := range Nearest(scope.Prefix+name, s.Names()) {
			if short, ok := strings.CutPrefix(n, scope.Prefix); ok {
				e.Nearest = append(e.Nearest, short)
			}
		}
	}
	if len(e.Nearest) == 0 {
		e.Nearest = Nearest(name, s.Names())
	}
	for in, _ := cutName(name); in != ""; in, _ = cutName(in) {
		if s.lookUp(in) != nil {
			e.Of = in
			break
		}
	}
	e.Known = s.below(e.Of)
	return e
}

// below returns the names of a message's fields: the first part of each name after the message's name and a dot. For
// the name "", it returns the parts before the first dot.
func (s *Schema) below(name string) []string {
	var list []string
	for _, n := range s.Names() {
		rest, ok := n, true
		if name != "" {
			rest, ok = strings.CutPrefix(n, name+".")
		}
		first, _, more := strings.Cut(rest, ".")
		if ok && (more || name != "") && !slices.Contains(list, first) {
			list = append(list, first)
		}
	}
	return list
}

// Protocol returns the protocol with the given name. The error is an *UnknownError.
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

// Message returns a protocol and its message with the given name, which may leave out "Msg". If several types have the
// name, Message returns the first. The error is an *UnknownError.
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

// UnknownError is the error for a name that does not exist.
type UnknownError struct {
	What    string
	Name    string
	Nearest []string
	Known   []string // all existing names
	Of      string   // longest known prefix of the name; Known are the names below it

	Measured string // table with a column of this name; "" if there is none
}

// measuredIn returns the table of the protocol that has a column with this name, or "". For example, bzflag24.lag is a
// column.
func (s *Schema) measuredIn(name string) string {
	protocol, column, _ := strings.Cut(name, ".")
	for _, p := range s.protocols {
		if p.Name != protocol {
			continue
		}
		for i := range p.Tables {
			t := &p.Tables[i]
			what := strings.TrimPrefix(column, t.Name+".")
			if slices.ContainsFunc(t.Columns, func(c string) bool { return strings.ReplaceAll(c, " ", "_") == what }) {
				return t.Name
			}
		}
	}
	return ""
}

// why explains that the name is not a field but a column of -z io.
func (e *UnknownError) why() string {
	return fmt.Sprintf("%s is measured over several messages and is not a field of a message: "+
		"-z %s has it, and -z 'io,10,avg(%s)' over time",
		e.Name, e.Measured, e.Name)
}

func (e *UnknownError) Error() string {
	text := fmt.Sprintf("there is no %s %q", e.What, e.Name)
	if e.Measured != "" {
		return e.why()
	}
	if len(e.Nearest) > 0 {
		return text + DidYouMean(e.Nearest)
	}
	return text + e.has()
}

// has returns a text with the first few known names.
func (e *UnknownError) has() string {
	const maxNames = 12
	list := strings.Join(e.Known[:min(len(e.Known), maxNames)], ", ")
	if len(e.Known) > maxNames {
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

// AskedOf reports whether a compiled filter, or a call of Resolve, used the protocol or one of its fields.
func (s *Schema) AskedOf(protocol string) bool {
	for name := range s.asked {
		if name == protocol || strings.HasPrefix(name, protocol+".") {
			return true
		}
	}
	return false
}

// Asked reports whether a compiled filter, or a call of Resolve, used a name.
func (s *Schema) Asked(name string) bool { return s.asked[name] }
