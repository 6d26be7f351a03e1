package filter

import (
	"bytes"
	"encoding/hex"
	"math"
	"net/netip"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// A literal is a value in a filter. What it means depends on the field that it is compared with, so it has every
// meaning that its text allows.
type literal struct {
	token token

	isNumber   bool
	number     Value // an integer, or a Double if it has a fraction
	isTruth    bool
	truth      bool
	isBytes    bool
	bytes      []byte       // of a text in quotes, or of hexadecimal digits
	raw        bool         // compare as bytes, not as text
	prefix     netip.Prefix // a network; for a single address, all bits
	duration   time.Duration
	isDuration bool
	instant    int64
	isTime     bool
}

func newLiteral(t token) *literal {
	l := &literal{token: t}
	s := t.text
	if t.kind == quoted {
		l.isBytes, l.bytes = true, []byte(s)
		if r, size := utf8.DecodeRuneInString(s); t.char {
			l.isNumber, l.number = true, Value{Kind: wire.Uint, Num: uint64(r)}
			if r == utf8.RuneError && size == 1 {
				l.number.Num = uint64(s[0])
			}
		}
	} else {
		l.readNumber(strings.TrimPrefix(s, ":"))
		l.bytes, l.isBytes = readBytes(s)
		l.readDuration(s)
	}
	l.truth, l.isTruth = truthWords[strings.ToLower(s)]
	if l.isNumber && !l.isTruth {
		l.truth, l.isTruth = l.number.float() != 0, true
	}
	l.readAddress(s)
	if l.instant, l.isTime = ParseTime(s, time.Local); !l.isTime && l.isNumber && l.isDuration {
		l.instant, l.isTime = int64(l.duration), true // seconds since 1970
	}
	return l
}

// computedLiteral returns the result of arithmetic as a literal. first is the first token of the expression.
func (p *parser) computedLiteral(v Value, first token) *literal {
	last := p.taken()
	l := newLiteral(token{kind: word, text: string(v.Append(nil)), off: first.off, size: last.off + last.size - first.off})
	l.isBytes = false
	return l
}

var truthWords = map[string]bool{"true": true, "false": false, "set": true, "not set": false}

func (l *literal) readNumber(s string) {
	if strings.Contains(s, "_") {
		return
	}
	if n, err := strconv.ParseUint(s, 0, 64); err == nil {
		l.isNumber, l.number = true, Value{Kind: wire.Uint, Num: n}
	} else if n, err := strconv.ParseInt(s, 0, 64); err == nil {
		l.isNumber, l.number = true, Value{Kind: wire.Int, Num: uint64(n)}
	} else if f, err := strconv.ParseFloat(s, 64); err == nil {
		l.isNumber, l.number = true, doubleValue(f)
	}
}

// whole reports whether the literal is a number without a fraction.
func (l *literal) whole() bool {
	f := l.number.float()
	return l.isNumber && (l.number.Kind != Double || f == math.Trunc(f) && !math.IsInf(f, 0))
}

func (l *literal) isNaN() bool { return l.isNumber && math.IsNaN(l.number.float()) }

// readBytes reads pairs of hexadecimal digits, optionally separated by colons, hyphens or dots. A colon may also
// precede the digits or follow a single pair.
func readBytes(s string) ([]byte, bool) {
	if digits, ok := strings.CutPrefix(s, "0x"); ok && len(digits) > 2 {
		return nil, false // the byte order would be ambiguous
	}
	s = strings.TrimPrefix(strings.TrimPrefix(s, "0x"), ":")
	if len(s) == len("ff:") {
		s = strings.TrimSuffix(s, ":")
	}
	separator := ""
	if at := strings.IndexAny(s, ":-."); at >= 0 {
		separator = s[at : at+1]
	}
	parts := []string{s}
	if separator != "" {
		parts = strings.Split(s, separator)
	}
	for i, p := range parts {
		switch len(p) {
		case 0:
			return nil, false
		case 1:
			parts[i] = "0" + p
		}
	}
	b, err := hex.DecodeString(strings.Join(parts, ""))
	return b, err == nil
}

func (l *literal) readAddress(s string) {
	if p, err := netip.ParsePrefix(s); err == nil {
		l.prefix = p.Masked()
	} else if a, err := netip.ParseAddr(s); err == nil && a.Zone() == "" {
		l.prefix = netip.PrefixFrom(a, a.BitLen())
	}
}

// readDuration parses 100ms, 1.5s, 2m, or a number of seconds. The result is exact to the nanosecond.
func (l *literal) readDuration(s string) {
	f, err := strconv.ParseFloat(s, 64)
	switch {
	case err != nil || strings.ContainsAny(s, "xX_nN"):
	case !strings.ContainsAny(s, "eE"):
		s += "s"
	case math.Abs(f) < math.MaxInt64/1e9:
		l.duration, l.isDuration = time.Duration(math.Round(f*1e9)), true
	}
	if d, err := time.ParseDuration(s); err == nil {
		l.duration, l.isDuration = d, true
	}
}

func (l *literal) fits(f *Field, k wire.Kind) bool {
	switch k {
	case wire.Enum, wire.SignedEnum, wire.Bits:
		return l.isNumber && f.fitsNumber(l) || f.named && !l.isNumber || hasSymbol(f.Symbols, l.token.text)
	case wire.String:
		return l.token.kind == quoted || f.known != nil || f.open
	case wire.Boolean:
		return l.isTruth
	case wire.Bytes:
		return l.isBytes
	case MAC:
		return l.isBytes && (l.token.kind == word || l.token.char)
	case wire.Address:
		return l.prefix.IsValid() && f.fitsAddress(l.prefix.Addr()) || l.endpoint() && f.addressBits != 128
	case Duration:
		return l.isDuration
	case Time:
		return l.isTime
	case wire.Uint, wire.Int, wire.Float, Double:
		return l.isNumber && f.fitsNumber(l)
	}
	return false
}

// fitsNumber reports whether the literal's number is in the range of the field's values.
func (f *Field) fitsNumber(l *literal) bool {
	switch n := &l.number; {
	case n.Kind == wire.Uint && f.bits > 0 && f.bits < 64:
		return n.Num>>f.bits == 0
	case n.Kind == Double && (math.IsInf(n.float(), 0) || l.isNaN()):
		return f.computed || hasKind(f, wire.Float) || hasKind(f, Double)
	}
	return true
}

func (f *Field) fitsAddress(a netip.Addr) bool {
	return f.addressBits <= 0 || f.addressBits == a.BitLen()
}

// endpoint reports whether the literal may be an address with a port and a player number.
func (l *literal) endpoint() bool {
	return strings.Count(l.token.text, ":") == 2 && strings.Count(l.token.text, ".") == 3
}

// compare compares a value with the literal. ok is false if they cannot be compared.
func (l *literal) compare(v *Value) (c int, ok bool) {
	switch v.Kind {
	case wire.Enum, wire.SignedEnum:
		if !l.isNumber {
			return l.compareName(v)
		}
		return compareValues(v, &l.number)
	case wire.Bits:
		if bit := symbolValue(v.Symbols, l.token.text); bit != nil && !l.isNumber {
			return compareValues(v, &Value{Kind: wire.Uint, Num: uint64(*bit)})
		}
		return l.compareNumber(v)
	case wire.Uint, wire.Int, wire.Float, Double:
		return l.compareNumber(v)
	case wire.Boolean:
		return compareValues(v, &Value{Kind: wire.Boolean, Num: truthNumber(l.truth)})
	case wire.String:
		return bytes.Compare(v.Bytes, l.content()), true
	case wire.Bytes, MAC:
		return bytes.Compare(v.Bytes, l.bytes), l.isBytes
	case wire.Address:
		return l.compareAddress(v)
	case Duration:
		return compareValues(v, &Value{Kind: Duration, Num: uint64(l.duration)})
	case Time:
		return compareValues(v, &Value{Kind: Time, Num: uint64(l.instant)})
	}
	return 0, false
}

// searched returns the bytes that "contains" searches for.
func (l *literal) searched() []byte {
	if l.isBytes && (l.raw || l.token.kind == quoted) {
		return l.bytes
	}
	return textBytes(l.token.text)
}

// content returns the bytes that a text is compared with.
func (l *literal) content() []byte {
	if l.raw {
		return l.bytes
	}
	return textBytes(l.token.text)
}

func truthNumber(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (l *literal) compareNumber(v *Value) (int, bool) {
	switch {
	case !l.isNumber:
		return 0, false
	case l.isNaN(): // here a NaN equals itself
		return int(truthNumber(!math.IsNaN(v.float()))), true
	case v.Kind == wire.Float && l.number.Kind == Double:
		rounded := floatValue(float32(l.number.float()))
		return compareValues(v, &rounded)
	}
	return compareValues(v, &l.number)
}

// compareName compares the name of an enumeration's value with the literal. If the literal names one of the field's
// values, it compares numbers instead.
func (l *literal) compareName(v *Value) (int, bool) {
	if string(v.Bytes) == l.token.text || v.Symbols.Name(int64(v.Num)) == l.token.text {
		return 0, true // a number with several names
	}
	if n := symbolValue(v.Symbols, l.token.text); n != nil {
		return compareValues(v, &Value{Kind: wire.Int, Num: uint64(*n)})
	}
	return 1, true // a different name
}

// compareAddress compares an address with the literal. It returns 0 if the address is in the literal's network.
func (l *literal) compareAddress(v *Value) (int, bool) {
	if !l.prefix.IsValid() {
		var room [64]byte
		return bytes.Compare(format.AppendAddress(room[:0], v.Bytes), textBytes(l.token.text)), true
	}
	a := v.address()
	if l.prefix.Contains(a) {
		return 0, true
	}
	return a.Compare(l.prefix.Addr()), true
}
