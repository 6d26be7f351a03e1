// Package format writes values for people: numbers, addresses, opaque bytes, and untrusted texts, which it escapes.
// Code that writes trees, lines or JSON uses it.
//
// This package must not know layouts, colours, widths, or any protocol.
//
// Other programs must not rely on it, see docs/api.md.
package format

import (
	"encoding/binary"
	"errors"
	"math"
	"net/netip"
	"strconv"
	"unicode/utf8"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// AppendValue appends the value of a leaf as text for people. It escapes texts. It appends at most limit opaque bytes,
// or all if limit is 0.
func AppendValue(dst []byte, n *wire.Node, limit int) []byte {
	switch n.Kind {
	case wire.Uint, wire.Enum, wire.Bits:
		return strconv.AppendUint(dst, n.Num, 10)
	case wire.Int, wire.SignedEnum:
		return strconv.AppendInt(dst, int64(n.Num), 10)
	case wire.Float:
		return AppendFloat(dst, math.Float32frombits(uint32(n.Num)))
	case wire.Boolean:
		return strconv.AppendBool(dst, n.Num != 0)
	case wire.Vector:
		dst = append(dst, '(')
		for i, f := range n.Vec {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = AppendFloat(dst, f)
		}
		return append(dst, ')')
	case wire.String:
		return AppendQuoted(dst, n.Bytes)
	case wire.Bytes:
		return AppendHex(dst, n.Bytes, limit)
	case wire.Address:
		return AppendAddress(dst, n.Bytes)
	}
	return dst
}

// AppendMeaning appends the meaning of a leaf's value: the name of a symbol, or the names of bits.
func AppendMeaning(dst []byte, n *wire.Node) []byte {
	switch n.Kind {
	case wire.Enum, wire.SignedEnum:
		if len(n.Bytes) > 0 {
			return AppendEscaped(dst, n.Bytes)
		}
		return append(dst, n.Symbols.Name(int64(n.Num))...)
	case wire.Address:
		return AppendEscaped(dst, []byte(n.Symbols.Name(0)))
	case wire.Bits:
		start := len(dst)
		EachBit(n, func(name string) {
			if len(dst) > start {
				dst = append(dst, ' ')
			}
			dst = append(dst, name...)
		})
	}
	return dst
}

// EachBit calls f with the name of every named bit that is set.
func EachBit(n *wire.Node, f func(string)) {
	for i := range n.Symbols {
		if s := &n.Symbols[i]; n.Num&uint64(s.Value) != 0 {
			f(s.Name)
		}
	}
}

// AppendFloat appends the shortest decimal text that parses to the same float32.
func AppendFloat(dst []byte, f float32) []byte {
	const exponent = 1_000_000 // larger integers are written with an exponent

	if n := int64(f); float32(n) == f && n > -exponent && n < exponent && n != 0 { // faster; many values are integers
		return strconv.AppendInt(dst, n, 10)
	}
	switch {
	case math.Float32bits(f) == 0: // not -0
		return append(dst, '0')
	case math.IsNaN(float64(f)):
		return append(dst, "NaN"...)
	case math.IsInf(float64(f), 1):
		return append(dst, "Infinity"...)
	case math.IsInf(float64(f), -1):
		return append(dst, "-Infinity"...)
	}
	return strconv.AppendFloat(dst, float64(f), 'g', -1, 32)
}

// AppendEndpoint appends an address with a port and a number as "127.0.0.1:5156:0".
func AppendEndpoint(dst []byte, addr [4]byte, port, number uint16) []byte {
	dst = netip.AddrFrom4(addr).AppendTo(dst)
	dst = append(dst, ':')
	dst = strconv.AppendUint(dst, uint64(port), 10)
	dst = append(dst, ':')
	return strconv.AppendUint(dst, uint64(number), 10)
}

// endpointSize is the size of an endpoint in bytes, see wire.IPv4PortNumber.
const endpointSize = 8

// AppendAddress appends an address of four or sixteen bytes, or an endpoint of eight.
func AppendAddress(dst, b []byte) []byte {
	if len(b) == endpointSize {
		return AppendEndpoint(dst, [4]byte(b), binary.BigEndian.Uint16(b[4:]), binary.BigEndian.Uint16(b[6:]))
	}
	a, _ := netip.AddrFromSlice(b)
	return a.AppendTo(dst)
}

const hexDigits = "0123456789abcdef"

// AppendHex appends bytes in hexadecimal, at most limit of them; 0: no limit.
func AppendHex(dst, b []byte, limit int) []byte {
	shown := b
	if limit > 0 {
		shown = b[:min(limit, len(b))]
	}
	for i, x := range shown {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = append(dst, hexDigits[x>>4], hexDigits[x&15])
	}
	if len(shown) < len(b) {
		dst = append(dst, " ... "...)
		dst = strconv.AppendInt(dst, int64(len(b)), 10)
		dst = append(dst, " bytes"...)
	}
	return dst
}

// AppendQuoted appends a text in double quotes. It reads text that is not valid UTF-8 as Latin-1. Characters that are
// not printable (control characters, escape sequences, direction marks) become Go escapes, so a hostile name cannot
// control a terminal.
func AppendQuoted(dst, text []byte) []byte {
	dst = append(dst, '"')
	dst = AppendEscaped(dst, text)
	return append(dst, '"')
}

// AppendEscaped is AppendQuoted without the quotes.
func AppendEscaped(dst, text []byte) []byte { return appendText(dst, text, true) }

// AppendUnquoted is AppendEscaped for text outside quotes, where quotes need no escape.
func AppendUnquoted(dst, text []byte) []byte { return appendText(dst, text, false) }

// Unquoted returns a text from traffic in the form of AppendUnquoted.
func Unquoted(text string) string { return string(AppendUnquoted(nil, []byte(text))) }

func appendText(dst, text []byte, quotes bool) []byte {
	if Plain(text) {
		return append(dst, text...)
	}
	latin := !utf8.Valid(text)
	for len(text) > 0 {
		r, n := first(text, latin)
		if text = text[n:]; r == '"' && !quotes {
			dst = append(dst, '"')
		} else {
			dst = appendEscaped(dst, r)
		}
	}
	return dst
}

// first returns the first character of a text and its size. If latin is set, each byte is a character. (An iterator
// would allocate memory.)
func first(text []byte, latin bool) (r rune, n int) {
	if r = rune(text[0]); latin || r < utf8.RuneSelf {
		return r, 1
	}
	return utf8.DecodeRune(text)
}

// AppendPlain appends a text, such as a file name, as one line without quotes. Characters that are not printable become
// Go escapes.
func AppendPlain(dst []byte, text string) []byte {
	for _, r := range text {
		if strconv.IsPrint(r) {
			dst = utf8.AppendRune(dst, r)
			continue
		}
		quoted := strconv.QuoteRuneToASCII(r)
		dst = append(dst, quoted[1:len(quoted)-1]...)
	}
	return dst
}

// Plain reports whether a text is printable ASCII that needs no escapes between quotes, as nearly all texts are.
func Plain[T string | []byte](text T) bool {
	for i := range len(text) {
		if !plain[text[i]] {
			return false
		}
	}
	return true
}

// plain is true for the characters of plain texts. One look-up is faster than four comparisons.
var plain = func() (t [256]bool) {
	for c := ' '; c <= '~'; c++ {
		t[c] = c != '"' && c != '\\'
	}
	return t
}()

func appendEscaped(dst []byte, r rune) []byte {
	switch {
	case r == '"' || r == '\\':
		return append(dst, '\\', byte(r))
	case strconv.IsPrint(r):
		return utf8.AppendRune(dst, r)
	}
	quoted := strconv.AppendQuoteRuneToASCII(dst, r) // with quotes, as in 'x'
	start := len(dst)
	copy(quoted[start:], quoted[start+1:len(quoted)-1])
	return quoted[:len(quoted)-2]
}

// AppendSummary appends a one-line summary of a layer's message. It uses the layer's own summary, or else the body's.
// If the message could not be read, the summary says in which field the message ends. If the protocol does not define
// the message, the summary is the message's code.
func AppendSummary(dst []byte, l wire.Layer) []byte {
	if fault := l.Core().Fault(); fault != nil {
		if errors.Is(fault, wire.ErrPacked) {
			return append(append(dst, fault.Path()...), " cannot be unpacked"...)
		}
		return append(append(dst, "ends in "...), fault.Path()...)
	}
	s, ok := l.(wire.Summarizer)
	if !ok {
		s, ok = l.Core().Body.(wire.Summarizer)
	}
	if ok {
		return s.AppendSummary(dst)
	}
	if k, ok := l.(wire.Coder); ok && l.Core().Message != nil && l.Core().Message.Code == "" {
		dst = append(dst, k.UnknownCode()...)
	}
	return dst
}
