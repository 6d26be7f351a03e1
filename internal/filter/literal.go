package filter

import (
	"bytes"
	"encoding/hex"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// A literal is a value in a filter. Its meaning depends on the field it is compared with, so it is parsed
// in every way that its text allows.
type literal struct {
	token token

	isNumber   bool
	number     Value // an integer or, if it has a fraction, float
	isTruth    bool
	truth      bool
	isBytes    bool
	bytes      []byte       // of a quoted text its bytes
	raw        bool         // compare bytes, not the text
	prefix     netip.Prefix // of a single address all its bits
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
	} else {
		l.readNumber(s)
		l.bytes, l.isBytes = readBytes(s)
		l.truth, l.isTruth = truthWords[strings.ToLower(s)]
		l.readDuration(s)
	}
	l.readAddress(s)
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05", "2006-01-02 15:04",
		"2006-01-02"} {
		if at, err := time.Parse(layout, s); err == nil {
			l.instant, l.isTime = at.UnixNano(), true
		}
	}
	return l
}

var truthWords = map[string]bool{"true": true, "false": false, "1": true, "0": false}

func (l *literal) readNumber(s string) {
	if strings.ContainsAny(s, "_nN") { // 1_000, inf and NaN are no numbers here
		return
	}
	if n, err := strconv.ParseUint(s, 0, 64); err == nil {
		l.isNumber, l.number = true, Value{Kind: wire.Uint, Num: n}
	} else if n, err := strconv.ParseInt(s, 0, 64); err == nil {
		l.isNumber, l.number = true, Value{Kind: wire.Int, Num: uint64(n)}
	} else if f, err := strconv.ParseFloat(s, 64); err == nil {
		l.isNumber, l.number = true, floatValue(float32(f))
	}
}

// readBytes reads pairs of hexadecimal digits, with or without one of : - . between them.
func readBytes(s string) ([]byte, bool) {
	s = strings.TrimPrefix(s, "0x")
	for _, separator := range []string{":", "-", "."} {
		if parts := strings.Split(s, separator); len(parts) > 1 {
			for i, p := range parts {
				if len(p) == 1 {
					parts[i] = "0" + p
				}
			}
			s = strings.Join(parts, "")
			break
		}
	}
	if len(s) == 1 {
		s = "0" + s
	}
	b, err := hex.DecodeString(s)
	return b, err == nil && len(b) > 0
}

func (l *literal) readAddress(s string) {
	if p, err := netip.ParsePrefix(s); err == nil {
		l.prefix = p.Masked()
	} else if a, err := netip.ParseAddr(s); err == nil && a.Zone() == "" {
		l.prefix = netip.PrefixFrom(a, a.BitLen())
	}
}

// readDuration reads 100ms, 1.5s, 2m, or a number of seconds, exact to the nanosecond.
func (l *literal) readDuration(s string) {
	if _, err := strconv.ParseFloat(s, 64); err == nil && !strings.ContainsAny(s, "eExX_nN") {
		s += "s"
	}
	if d, err := time.ParseDuration(s); err == nil {
		l.duration, l.isDuration = d, true
	}
}

func (l *literal) fits(f *Field, k wire.Kind) bool {
	switch k {
	case wire.Enum, wire.SignedEnum, wire.Bits:
		return l.isNumber || f.named && l.token.kind == quoted || hasSymbol(f.Symbols, l.token.text)
	case wire.String:
		return l.token.kind == quoted || f.known != nil || f.open
	case wire.Boolean:
		return l.isTruth
	case wire.Bytes:
		return l.isBytes
	case wire.Address:
		return l.prefix.IsValid() || l.endpoint()
	case Duration:
		return l.isDuration
	case Time:
		return l.isTime
	case wire.Uint, wire.Int, wire.Float:
		return l.isNumber
	}
	return false
}

// endpoint reports whether the literal may be an address with a port and a number.
func (l *literal) endpoint() bool { return strings.Count(l.token.text, ":") == 2 }

// compare compares a value with the literal. ok is false where that makes no sense.
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
	case wire.Uint, wire.Int, wire.Float:
		return l.compareNumber(v)
	case wire.Boolean:
		return compareValues(v, &Value{Kind: wire.Boolean, Num: truthNumber(l.truth)})
	case wire.String:
		if l.raw {
			return bytes.Compare(v.Bytes, l.bytes), true
		}
		return bytes.Compare(v.Bytes, textBytes(l.token.text)), true
	case wire.Bytes:
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

func truthNumber(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (l *literal) compareNumber(v *Value) (int, bool) {
	if !l.isNumber {
		return 0, false
	}
	return compareValues(v, &l.number)
}

// compareName compares the name of an enumeration's value with the literal. If the literal names a value, it
// compares their numbers.
func (l *literal) compareName(v *Value) (int, bool) {
	if string(v.Bytes) == l.token.text || v.Symbols.Name(int64(v.Num)) == l.token.text {
		return 0, true // several numbers may have one name
	}
	if n := symbolValue(v.Symbols, l.token.text); n != nil {
		return compareValues(v, &Value{Kind: wire.Int, Num: uint64(*n)})
	}
	return 1, true // called something else
}

// compareAddress returns 0 for an address in the literal's network.
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
