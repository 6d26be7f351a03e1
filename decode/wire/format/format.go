package format

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"net/netip"
	"strconv"
	"unicode/utf8"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// AppendValue appends a leaf's value as people read it. No byte of a message reaches the
// output unescaped. At most limit opaque bytes are shown; 0 is no limit.
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

// AppendMeaning appends what a leaf's value stands for: a symbol, the names of bits.
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

// EachBit calls the function with the name of every bit that is set, unnamed ones left out.
func EachBit(n *wire.Node, f func(string)) {
	for i := range n.Symbols {
		if s := &n.Symbols[i]; n.Num&uint64(s.Value) != 0 {
			f(s.Name)
		}
	}
}

// AppendFloat appends the shortest text that reads back as the same float32.
func AppendFloat(dst []byte, f float32) []byte {
	switch {
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

// endpointSize is the length of an endpoint, see wire.IPv4PortNumber.
const endpointSize = 8

// AppendAddress appends an address of four or sixteen bytes, or the eight of an endpoint.
func AppendAddress(dst, b []byte) []byte {
	if len(b) == endpointSize {
		return AppendEndpoint(dst, [4]byte(b), binary.BigEndian.Uint16(b[4:]), binary.BigEndian.Uint16(b[6:]))
	}
	a, _ := netip.AddrFromSlice(b)
	return a.AppendTo(dst)
}

// AppendHex appends bytes in hexadecimal. At most limit of them are shown; 0 is no limit.
func AppendHex(dst, b []byte, limit int) []byte {
	shown := b
	if limit > 0 {
		shown = b[:min(limit, len(b))]
	}
	for i, x := range shown {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = hex.AppendEncode(dst, []byte{x})
	}
	if len(shown) < len(b) {
		dst = append(dst, " ... "...)
		dst = strconv.AppendInt(dst, int64(len(b)), 10)
		dst = append(dst, " bytes"...)
	}
	return dst
}

// AppendQuoted appends a text in double quotes. Bytes that are no UTF-8 are read as Latin-1.
// What is not plainly printable (control characters, escape sequences, marks that turn the
// direction of writing) becomes a Go escape, so a hostile name cannot touch a terminal.
func AppendQuoted(dst, text []byte) []byte {
	dst = append(dst, '"')
	dst = AppendEscaped(dst, text)
	return append(dst, '"')
}

// AppendEscaped appends a text as AppendQuoted does, but for the quotes around it.
func AppendEscaped(dst, text []byte) []byte {
	if Plain(text) {
		return append(dst, text...)
	}
	latin := !utf8.Valid(text)
	for len(text) > 0 {
		r, n := first(text, latin)
		dst, text = appendEscaped(dst, r), text[n:]
	}
	return dst
}

// AppendUnquoted appends a text that stands between no quotes, so that those in it stay as they are. Otherwise it is
// written as AppendQuoted does.
func AppendUnquoted(dst, text []byte) []byte {
	if Plain(text) {
		return append(dst, text...)
	}
	latin := !utf8.Valid(text)
	for len(text) > 0 {
		r, n := first(text, latin)
		if text = text[n:]; r == '"' {
			dst = append(dst, '"')
		} else {
			dst = appendEscaped(dst, r)
		}
	}
	return dst
}

// first gives the first character of a text and its size. In Latin-1, as which texts are read that are no UTF-8, each
// byte is one. An iterator would be allocated.
func first(text []byte, latin bool) (r rune, n int) {
	if r = rune(text[0]); latin || r < utf8.RuneSelf {
		return r, 1
	}
	return utf8.DecodeRune(text)
}

// AppendPlain appends a text of one line that stands between no quotes, such as the name of a file. What is not plainly
// printable becomes a Go escape.
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

// Plain reports whether a text is of printable ASCII and needs no escapes between quotes, as nearly all do.
func Plain(text []byte) bool {
	for _, x := range text {
		if x < ' ' || x > '~' || x == '"' || x == '\\' {
			return false
		}
	}
	return true
}

func appendEscaped(dst []byte, r rune) []byte {
	switch {
	case r == '"' || r == '\\':
		return append(dst, '\\', byte(r))
	case strconv.IsPrint(r):
		return utf8.AppendRune(dst, r)
	}
	quoted := strconv.AppendQuoteRuneToASCII(dst, r) // 'x': take the quotes off
	start := len(dst)
	copy(quoted[start:], quoted[start+1:len(quoted)-1])
	return quoted[:len(quoted)-2]
}

// AppendSummary appends what tells the message of a layer in a line: what the layer itself says, else its
// body. For a message that could not be read to its end it is where it ends.
func AppendSummary(dst []byte, l wire.Layer) []byte {
	if fault := l.Core().Fault(); fault != nil {
		return append(append(dst, "ends in "...), fault.Path()...)
	}
	s, ok := l.(wire.Summarizer)
	if !ok {
		s, ok = l.Core().Body.(wire.Summarizer)
	}
	if ok {
		dst = s.AppendSummary(dst)
	}
	return dst
}
