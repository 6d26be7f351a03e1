package wire

import (
	"bytes"
	"math"
	"strconv"
)

// Protocols of text have fields that end where a separator stands.

// Until walks a text and the separator that ends it. The leaf covers both, the value is the
// text alone.
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

// UntilOrEnd walks a text and the separator that ends it, which may be missing behind the last text of a message.
// ended says whether it is there.
func UntilOrEnd(c *Cursor, name string, v *[]byte, ended *bool, separator string) {
	if c.mode == reading {
		*ended = c.Truncated() || bytes.Contains(c.Peek(), []byte(separator))
	}
	if *ended || c.mode == describing {
		Until(c, name, v, separator)
		return
	}
	TextOf(c, name, v, len(c.Peek()))
}

// UntilOneOf walks a text up to the first of several separators, and that one. Which it is goes to stop, by
// its number; where none follows, the last of them is missing. Of two at the same place the one named first
// counts, so a longer one stands in front of what it begins with.
func UntilOneOf(c *Cursor, name string, v *[]byte, stop *int, separators ...string) {
	if c.mode == reading {
		*stop = NextOf(c, separators...)
	}
	if *stop < 0 || *stop >= len(separators) {
		*stop = len(separators) - 1
	}
	Until(c, name, v, separators[*stop])
}

// NextOf tells which of several separators comes next in the bytes not read yet, by its number, or -1 if none
// does. Of two at the same place it is the one named first.
func NextOf(c *Cursor, separators ...string) int {
	_, which := nextOf(c.Peek(), separators)
	return which
}

// nextOf finds the first of several separators. If there is none, that is at the end.
func nextOf(p []byte, separators []string) (at, which int) {
	at, which = len(p), -1
	for i, s := range separators {
		if n := bytes.Index(p, []byte(s)); n >= 0 && (which < 0 || n < at) {
			at, which = n, i
		}
	}
	return at, which
}

// Behind walks a separator and the text behind it, which ends in front of the next of the same or of one of
// several stops, or with the message. The leaf covers the separator and the text, the value is the text alone.
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

// TextOf walks a text of n bytes that is as long as something else says, and has no NULs behind it. It is
// written as it is.
func TextOf(c *Cursor, name string, v *[]byte, n int) {
	switch c.mode {
	case reading:
		if b := c.take(name, n); b != nil {
			*v = b
			if c.tree != nil {
				c.leaf(name, String).Bytes = b
			}
		}
	case writing:
		c.write(*v)
	case describing:
		c.schema.add(Field{Name: name, Kind: String})
	}
}

// Lines counts the lines in front of the next empty one, for a List of lines.
func Lines(c *Cursor, lineEnd string) Count {
	p, end := c.Peek(), []byte(lineEnd)
	if c.mode != reading || bytes.HasPrefix(p, end) {
		return 0
	}
	block, _, _ := bytes.Cut(p, []byte(lineEnd+lineEnd))
	return Count(bytes.Count(block, end) + 1)
}

// Decimal walks a number written in decimal digits and the separator that ends it.
func Decimal(c *Cursor, name string, v *uint32, separator string) {
	number := int64(*v)
	c.decimal(name, &number, separator, Field{Name: name, Kind: Uint, Bits: 32}, math.MaxUint32)
	*v = uint32(number)
}

// SignedDecimal walks a number written in decimal digits, with a minus in front of one below 0, and the
// separator that ends it.
func SignedDecimal(c *Cursor, name string, v *int32, separator string) {
	number := int64(*v)
	c.decimal(name, &number, separator, Field{Name: name, Kind: Int, Bits: 32}, math.MaxInt32)
	*v = int32(number)
}

// decimal walks a number that is most at the most. Signed ones reach as far below 0, and one further.
func (c *Cursor) decimal(name string, v *int64, separator string, f Field, most int64) {
	switch c.mode {
	case reading:
		p := c.Peek()
		n := max(bytes.Index(p, []byte(separator)), 0)
		number, err := strconv.ParseInt(string(p[:n]), 10, 64)
		least := int64(0)
		if f.Kind == Int {
			least = -most - 1
		}
		if err != nil || p[0] == '+' || p[0] == '-' && f.Kind == Uint || number < least || number > most {
			c.fail(FieldError{Field: name, Need: len(p) + len(separator), Have: len(p), Text: true})
			return
		}
		if digits := bytes.TrimPrefix(p[:n], []byte("-")); digits[0] == '0' && n > 1 {
			c.inexact = true // it will be written without the zeros in front
		}
		c.take(name, n+len(separator))
		*v = number
		if c.tree != nil {
			c.leaf(name, f.Kind).Num = uint64(number)
		}
	case writing:
		c.write(strconv.AppendInt(nil, *v, 10))
		c.write([]byte(separator))
	case describing:
		c.schema.add(f)
	}
}
