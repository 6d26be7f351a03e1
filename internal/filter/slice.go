package filter

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// A span is one range of a slice, such as 3-5 in [0, 3-5]. A negative start counts from the end. A length of -1 means
// everything up to the end.
type span struct{ from, length int }

// cut returns the span's bounds in a value of n units: the first index, and the index after the last.
func (s span) cut(n int) (from, to int, ok bool) {
	from, to = s.from, n
	if from < 0 {
		from += n
	}
	if s.length >= 0 {
		to = from + s.length
	}
	return from, to, from >= 0 && from < to && to <= n // as in Wireshark, a slice must not exceed the value
}

// parseSlice parses the rest of [at], [from:length], [from-to], [:length], [from:] or [at, from:], after the bracket.
func (p *parser) parseSlice(o operand, first token) operand {
	if t := p.peek(); p.tokens[min(p.at+1, len(p.tokens)-1)].text == "]" {
		if f := p.schema.component(o.field(), t.text); f != nil {
			p.at += 2
			return &fieldOperand{f}
		}
	}
	spans := p.parseSpans()
	if _, ok := o.(*literal); ok {
		panic(p.noField(first))
	}
	slice := func(v *Value, room []byte) (Value, []byte, bool) { return sliced(v, spans, room) }
	if hasKind(o.field(), wire.String) {
		return &derived{operand: o, result: Field{Kinds: []wire.Kind{wire.String, wire.Bytes}}, convert: slice}
	}
	return p.derive(o, first, "a slice", wire.Bytes, slice, byteStrings, addresses)
}

// parseSpans parses a list of spans up to the closing bracket.
func (p *parser) parseSpans() []span {
	var spans []span
	for more := true; more; more = p.takes(",") {
		t := p.take()
		s, ok := readSpan(t.text)
		if t.kind != word || !ok {
			panic(p.errorAt(t, "a slice is [at], [from:length], [from-to], [:length] or [from:]"))
		}
		spans = append(spans, s)
	}
	p.require("]", "a closing bracket is missing")
	return spans
}

// sliced returns the parts of a value that the spans select. Spans count characters in texts, and bytes in other
// values.
func sliced(v *Value, spans []span, room []byte) (Value, []byte, bool) {
	kind := v.Kind
	if kind != wire.String {
		kind = wire.Bytes
	}
	start := len(room)
	for _, s := range spans {
		b, ok := s.of(v)
		if len(spans) == 1 {
			return Value{Kind: kind, Bytes: b}, room, ok
		}
		room = append(room, b...)
	}
	return Value{Kind: kind, Bytes: room[start:]}, room, len(room) > start
}

func (s span) of(v *Value) ([]byte, bool) {
	if v.Kind != wire.String || ascii(v.Bytes) || !utf8.Valid(v.Bytes) {
		from, to, ok := s.cut(len(v.Bytes))
		if !ok {
			return nil, false
		}
		return v.Bytes[from:to], true
	}
	from, to, ok := s.cut(utf8.RuneCount(v.Bytes))
	if !ok {
		return nil, false
	}
	begin := runeOffset(v.Bytes, from)
	return v.Bytes[begin : begin+runeOffset(v.Bytes[begin:], to-from)], true
}

func ascii(b []byte) bool {
	return !slices.ContainsFunc(b, func(x byte) bool { return x >= utf8.RuneSelf })
}

// runeOffset returns the offset of the n-th character.
func runeOffset(b []byte, n int) (at int) {
	for range n {
		_, size := utf8.DecodeRune(b[at:])
		at += size
	}
	return at
}

// readSpan parses one span between the brackets.
func readSpan(s string) (span, bool) {
	ok := s != "" && s != ":"
	number := func(s string, empty int) int {
		if s == "" {
			return empty
		}
		n, err := strconv.ParseInt(s, 10, 31)
		ok = ok && err == nil
		return int(n)
	}
	if a, b, found := strings.Cut(s, ":"); found {
		x := span{number(a, 0), number(b, -1)}
		return x, ok && (b == "" || x.length > 0)
	}
	if at := strings.LastIndexByte(s, '-'); at > 0 && s[at-1] != '-' {
		from, to := number(s[:at], 0), number(s[at+1:], -1)
		return span{from, to - from + 1}, ok && to >= from && (from >= 0) == (to >= 0)
	}
	return span{number(s, 0), 1}, ok
}
