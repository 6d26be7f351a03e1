package wire

import (
	"bytes"
	"math"
	"strconv"
)

// Until walks a text and the separator that ends it. The field covers both; its value is the text alone.
func Until(c *Cursor, name string, v *[]byte, separator string) {
	switch c.mode {
	case reading:
		p := c.Peek()
		n := bytes.Index(p, []byte(separator))
		if n < 0 {
			c.fail(FieldError{Field: name, Need: len(p) + len(separator), Have: len(p), Text: true})
			return
		}
		*v = c.take(name, n+len(separator))[:n]
		if c.tree != nil {
			c.leaf(name, String).Bytes = *v
		}
	case writing:
		c.write(*v)
		c.write([]byte(separator))
	case describing:
		c.schema.add(Field{Name: name, Kind: String})
	}
}

// UntilOneOf walks a text that ends with one of several separators. It sets stop to the index of the separator found.
// If there is no separator, the error says that the last one is missing. If two separators begin at the same offset,
// UntilOneOf finds the one listed first, so a separator must be listed before any separator that is its prefix.
func UntilOneOf(c *Cursor, name string, v *[]byte, stop *int, separators ...string) {
	if c.mode == reading {
		*stop = NextOf(c, separators...)
	}
	if *stop < 0 || *stop >= len(separators) {
		*stop = len(separators) - 1
	}
	Until(c, name, v, separators[*stop])
}

// NextOf returns the index of the separator that comes first in the remaining bytes, or -1. If two separators begin at
// the same offset, it returns the one listed first.
func NextOf(c *Cursor, separators ...string) int {
	_, which := nextOf(c.Peek(), separators)
	return which
}

// nextOf finds the first of several separators. If there is none, at is len(p) and which is -1.
func nextOf(p []byte, separators []string) (at, which int) {
	at, which = len(p), -1
	for i, s := range separators {
		if n := bytes.Index(p, []byte(s)); n >= 0 && (which < 0 || n < at) {
			at, which = n, i
		}
	}
	return at, which
}

// Behind walks a separator and the text after it. The text ends before the next separator, before one of the stops, or
// at the end of the message. The field covers the separator and the text; its value is the text alone.
func Behind(c *Cursor, name string, v *[]byte, separator string, stops ...string) {
	switch c.mode {
	case reading:
		p := c.Peek()
		if !bytes.HasPrefix(p, []byte(separator)) {
			c.fail(FieldError{Field: name, Need: len(p) + len(separator), Have: len(p), Text: true})
			return
		}
		text := p[len(separator):]
		end, _ := nextOf(text, stops)
		end, _ = nextOf(text[:end], []string{separator})
		*v = c.take(name, len(separator)+end)[len(separator):]
		if c.tree != nil {
			n := c.leaf(name, String)
			n.Bytes, n.Lead = *v, uint8(len(separator))
		}
	case writing:
		c.write([]byte(separator))
		c.write(*v)
	case describing:
		c.schema.add(Field{Name: name, Kind: String})
	}
}

// TextOf walks a text of n bytes without padding. When writing, it writes the text unchanged.
func TextOf(c *Cursor, name string, v *[]byte, n int) { c.slice(name, String, v, n) }

// Lines returns the number of lines before the next empty line, for a List of lines.
func Lines(c *Cursor, lineEnd string) Count {
	p, end := c.Peek(), []byte(lineEnd)
	if c.mode != reading || bytes.HasPrefix(p, end) {
		return 0
	}
	block, _, _ := bytes.Cut(p, []byte(lineEnd+lineEnd))
	return Count(bytes.Count(block, end) + 1)
}

// Decimal walks a number in decimal digits and the separator that ends it.
func Decimal(c *Cursor, name string, v *uint32, separator string) {
	number := int64(*v)
	c.decimal(&number, separator, Field{Name: name, Kind: Uint, Bits: 32}, 0, math.MaxUint32)
	*v = uint32(number)
}

// SignedDecimal is Decimal for a number that may be negative.
func SignedDecimal(c *Cursor, name string, v *int32, separator string) {
	number := int64(*v)
	c.decimal(&number, separator, Field{Name: name, Kind: Int, Bits: 32}, math.MinInt32, math.MaxInt32)
	*v = int32(number)
}

func (c *Cursor) decimal(v *int64, separator string, f Field, low, high int64) {
	switch c.mode {
	case reading:
		p := c.Peek()
		n := max(bytes.Index(p, []byte(separator)), 0)
		number, err := strconv.ParseInt(string(p[:n]), 10, 64)
		if err != nil || p[0] == '+' || p[0] == '-' && f.Kind == Uint || number < low || number > high {
			c.fail(FieldError{Field: f.Name, Need: len(p) + len(separator), Have: len(p), Text: true})
			return
		}
		if digits := bytes.TrimPrefix(p[:n], []byte("-")); digits[0] == '0' && n > 1 {
			c.inexact = true // leading zeros are lost when the number is written
		}
		c.take(f.Name, n+len(separator))
		*v = number
		if c.tree != nil {
			c.leaf(f.Name, f.Kind).Num = uint64(number)
		}
	case writing:
		c.write(strconv.AppendInt(nil, *v, 10))
		c.write([]byte(separator))
	case describing:
		c.schema.add(f)
	}
}
