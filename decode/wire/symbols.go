package wire

import "strconv"

// A Symbol is a name for a value or a bit.
type Symbol struct {
	Value int64
	Name  string
}

// Symbols contains the names of an enumeration's values in ascending order, or the names of single bits.
type Symbols []Symbol

// Names returns the Symbols for the values 0, 1, 2 ...
func Names(names ...string) Symbols {
	s := make(Symbols, len(names))
	for i, n := range names {
		s[i] = Symbol{int64(i), n}
	}
	return s
}

// BitNames returns the Symbols for the bits of a number, the lowest first.
func BitNames(names ...string) Symbols {
	s := make(Symbols, len(names))
	for i, n := range names {
		s[i] = Symbol{1 << i, n}
	}
	return s
}

// Name returns the name of a value, or "".
func (s Symbols) Name(v int64) string {
	if v >= 0 && v < int64(len(s)) && s[v].Value == v {
		return s[v].Name
	}
	for i := range s {
		if s[i].Value == v {
			return s[i].Name
		}
	}
	return ""
}

// Has reports whether the value has a name.
func (s Symbols) Has(v int64) bool { return s.Name(v) != "" }

// Format returns the name of a value, or its number if it has no name. String methods of enumerations use it.
func (s Symbols) Format(v int64) string {
	if n := s.Name(v); n != "" {
		return n
	}
	return strconv.FormatInt(v, 10)
}
