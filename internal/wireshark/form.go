package wireshark

import (
	"math"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// A form is a type of Wireshark's fields. forms.kind depends on the order.
type form uint8

const (
	formNone form = iota // a group, a vector, or a field without a value
	formUint8
	formUint16
	formUint32
	formUint64
	formInt8
	formInt16
	formInt32
	formInt64
	formFloat
	formDouble
	formBoolean
	formText
	formBytes
	formIPv4
	formQuestion // frame number of the question
	formAnswer   // frame number of the answer
)

var kinds = [...]string{"NONE", "UINT8", "UINT16", "UINT32", "UINT64", "INT8", "INT16", "INT32", "INT64", "FLOAT",
	"DOUBLE", "BOOLEAN", "STRING", "BYTES", "IPv4", "request", "response"}

// formOf returns the form for a kind of values. bits is the size of numbers and addresses, or 0 if it is unknown.
func formOf(k wire.Kind, bits int) form {
	sized := func(smallest form) form {
		switch bits {
		case 8:
			return smallest
		case 16:
			return smallest + 1
		case 32:
			return smallest + 2
		}
		return smallest + 3
	}
	switch k {
	case wire.Uint, wire.Enum, wire.Bits:
		return sized(formUint8)
	case wire.Int, wire.SignedEnum:
		return sized(formInt8)
	case wire.Sequence: // number of elements
		return formUint32
	case wire.Float:
		return formFloat
	case wire.Boolean:
		return formBoolean
	case wire.String:
		return formText
	case wire.Bytes:
		return formBytes
	case wire.Address:
		if bits == 32 {
			return formIPv4
		}
		return formText
	}
	return formNone
}

// forms is the set of forms of a field's values. It may have several, because different fields of messages may share a
// name.
type forms uint32

func (s *forms) add(f form) { *s |= 1 << f }

// kind returns the form that fits all values: the widest for numbers, text for unrelated forms.
func (s forms) kind() form {
	s &^= 1 << formNone // only forms of values count
	if s == 0 {
		return formNone
	}
	var last form
	for f := range form(len(kinds)) {
		if s&(1<<f) != 0 {
			last = f
		}
	}
	const (
		unsigned = forms(1<<formUint8 | 1<<formUint16 | 1<<formUint32 | 1<<formUint64)
		numbers  = forms(1<<formText - 1)
	)
	switch {
	case s == 1<<last:
		return last
	case s&^numbers != 0:
		return formText
	case last >= formFloat:
		return formDouble
	case s&unsigned == s:
		return last
	case s&unsigned != 0:
		return formInt64
	}
	return last
}

// seconds converts a time for Wireshark's Lua. It returns seconds since 1970, or NaN for an unknown time.
func seconds(ns int64) float64 {
	if ns == math.MaxInt64 || ns == math.MinInt64 {
		return math.NaN()
	}
	return float64(ns/1e9) + float64(ns%1e9)/1e9
}
