package filter

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"math"
	"net/netip"
	"strconv"
	"time"
	"unicode/utf8"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// Kinds of values outside messages, in addition to the kinds of package wire.
const (
	Duration wire.Kind = 100 + iota // Num: nanoseconds, signed
	Time                            // Num: nanoseconds since 1970, UTC
	Double                          // Num: IEEE 754 bits of a float64
	MAC                             // Bytes: an Ethernet address
)

// A Value is the value of a field in a message. Bytes aliases the message's data.
type Value struct {
	Kind    wire.Kind
	Num     uint64 // as in wire.Node; nanoseconds for durations and times
	Vec     [3]float32
	Symbols wire.Symbols
	Bytes   []byte // of texts, bytes and addresses; for an enumeration, a name that other messages give to the value
}

// Append appends the value in the form that it has in JSON, but without quotes: a number for an enumeration,
// hexadecimal digits for bytes, a text with its unprintable characters escaped.
func (v *Value) Append(b []byte) []byte {
	switch v.Kind {
	case wire.Group:
		return append(b, '1') // present
	case wire.Sequence:
		if v.Num == 0 {
			return b // an empty list
		}
		return append(b, '1')
	case wire.String:
		return format.AppendEscaped(b, v.Bytes)
	case wire.Bytes:
		return hex.AppendEncode(b, v.Bytes)
	case MAC:
		return appendMAC(b, v.Bytes)
	case Double:
		return appendDouble(b, v.float())
	case Duration:
		return appendSeconds(b, int64(v.Num))
	case Time:
		return time.Unix(0, int64(v.Num)).UTC().AppendFormat(b, "2006-01-02T15:04:05.000000000Z")
	}
	return format.AppendValue(b, &wire.Node{Kind: v.Kind, Num: v.Num, Vec: v.Vec, Bytes: v.Bytes}, 0)
}

// String returns the value in the form that it has in a filter: a text in quotes, an enumeration by name.
func (v *Value) String() string {
	switch v.Kind {
	case wire.String:
		return string(format.AppendQuoted(nil, v.Bytes))
	case wire.Enum, wire.SignedEnum:
		if name := v.name(); len(name) > 0 {
			return string(format.AppendQuoted(nil, name))
		}
	case Duration:
		return time.Duration(v.Num).String()
	}
	return string(v.Append(nil))
}

// Short is like String, but shortens a long text and adds the text's full length.
func (v *Value) Short() string {
	const limit = 120 // bytes
	if len(v.Bytes) <= limit {
		return v.String()
	}
	end := limit
	for end > limit-utf8.UTFMax && !utf8.RuneStart(v.Bytes[end]) {
		end--
	}
	begin := *v
	begin.Bytes = v.Bytes[:end]
	return begin.String() + " ... " + strconv.Itoa(len(v.Bytes)) + " bytes"
}

// Quote returns bytes as a text in quotes for a filter.
func Quote(b []byte) string {
	q := []byte{'"'}
	for _, x := range b {
		switch {
		case x == '"' || x == '\\':
			q = append(q, '\\', x)
		case x < ' ' || x > '~':
			q = hex.AppendEncode(append(q, '\\', 'x'), []byte{x})
		default:
			q = append(q, x)
		}
	}
	return string(append(q, '"'))
}

// Clone returns a copy of the value that does not alias the message.
func (v *Value) Clone() Value {
	c := *v
	c.Bytes = bytes.Clone(v.Bytes)
	return c
}

// Equal reports whether the values are equal according to the operator ==.
func (v *Value) Equal(o *Value) bool {
	switch {
	case familyOf(v.Kind) != familyOf(o.Kind):
		return false
	case familyOf(v.Kind) == texts || familyOf(v.Kind) == byteStrings || familyOf(v.Kind) == addresses:
		return bytes.Equal(v.Bytes, o.Bytes)
	case familyOf(v.Kind) == truths:
		return (v.Num != 0) == (o.Num != 0)
	}
	c, ok := compareValues(v, o)
	return ok && c == 0
}

// name returns the name of an enumeration's value as in a message tree.
func (v *Value) name() []byte {
	if len(v.Bytes) > 0 {
		return v.Bytes
	}
	return []byte(v.Symbols.Name(int64(v.Num)))
}

// Number returns the value as a number. Durations become seconds. ok is false for other values.
func (v *Value) Number() (n float64, ok bool) {
	switch familyOf(v.Kind) {
	case numbers:
		return v.float(), true
	case durations:
		return float64(int64(v.Num)) / 1e9, true
	}
	return 0, false
}

// A family is a set of kinds. Values of the same family can be compared.
type family uint8

const (
	presence family = iota // a group: present or absent
	numbers
	truths
	texts
	byteStrings
	addresses
	durations
	times
)

var familyNames = [...]string{"group", "number", "boolean", "text", "bytes", "address", "duration", "time"}

func (k family) String() string { return familyNames[k] }

func familyOf(k wire.Kind) family {
	switch k {
	case wire.Uint, wire.Int, wire.Float, wire.Enum, wire.SignedEnum, wire.Bits, Double:
		return numbers
	case wire.Boolean:
		return truths
	case wire.String:
		return texts
	case wire.Bytes, MAC:
		return byteStrings
	case wire.Address:
		return addresses
	case Duration:
		return durations
	case Time:
		return times
	}
	return presence
}

// compareValues compares two values of the same family. ok is false if either value is NaN.
func compareValues(v, o *Value) (c int, ok bool) {
	switch familyOf(v.Kind) {
	case texts, byteStrings, addresses:
		return bytes.Compare(v.Bytes, o.Bytes), true
	case truths:
		return cmp.Compare(min(v.Num, 1), min(o.Num, 1)), true
	case durations, times:
		return cmp.Compare(int64(v.Num), int64(o.Num)), true
	}
	if v.fractional() || o.fractional() {
		x, y := v.float(), o.float()
		return cmp.Compare(x, y), !math.IsNaN(x) && !math.IsNaN(y)
	}
	switch below, other := v.negative(), o.negative(); {
	case below && !other:
		return -1, true
	case other && !below:
		return 1, true
	}
	return cmp.Compare(v.Num, o.Num), true // also valid for signed numbers
}

func (v *Value) negative() bool {
	return (v.Kind == wire.Int || v.Kind == wire.SignedEnum) && int64(v.Num) < 0
}

// fractional reports whether the value has a kind that allows fractions.
func (v *Value) fractional() bool { return v.Kind == wire.Float || v.Kind == Double }

func (v *Value) float() float64 {
	switch {
	case v.Kind == Double:
		return math.Float64frombits(v.Num)
	case v.Kind == wire.Float:
		return float64(math.Float32frombits(uint32(v.Num)))
	case v.negative():
		return float64(int64(v.Num))
	}
	return float64(v.Num)
}

// address returns an endpoint's address without the port.
func (v *Value) address() netip.Addr {
	b := v.Bytes
	if len(b) == endpointSize {
		b = b[:4]
	}
	a, _ := netip.AddrFromSlice(b)
	return a
}

const endpointSize = 8 // an address with a port and a player number, see wire.IPv4PortNumber

// appendSeconds writes nanoseconds as seconds with nine decimals.
func appendSeconds(b []byte, ns int64) []byte {
	if ns < 0 {
		b = append(b, '-')
	}
	n := uint64(max(ns, -ns)) // the lowest int64 stays negative, but is correct as a uint64
	b = strconv.AppendUint(b, n/1e9, 10)
	point := len(b)
	b = strconv.AppendUint(b, 1e9+n%1e9, 10) // ten digits; the point replaces the first
	b[point] = '.'
	return b
}

// textBytes returns the bytes of a text without copying. The caller must not change them.
func textBytes(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

func nameBytes(s wire.Symbols, v int64) []byte { return textBytes(s.Name(v)) }

// appendDouble appends a number. Only a very large or very small number has an exponent.
func appendDouble(b []byte, f float64) []byte {
	if a := math.Abs(f); a < 1e15 && a > 1e-9 || a == 0 {
		return strconv.AppendFloat(b, f, 'f', -1, 64)
	}
	return strconv.AppendFloat(b, f, 'g', -1, 64)
}

func doubleValue(f float64) Value { return Value{Kind: Double, Num: math.Float64bits(f)} }

// appendMAC appends an Ethernet address in Wireshark's notation.
func appendMAC(b, mac []byte) []byte {
	for i := range mac {
		if i > 0 {
			b = append(b, ':')
		}
		b = hex.AppendEncode(b, mac[i:i+1])
	}
	return b
}

func floatValue(f float32) Value { return Value{Kind: wire.Float, Num: uint64(math.Float32bits(f))} }
