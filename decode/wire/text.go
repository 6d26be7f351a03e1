package wire

import (
	"bytes"
	"math"
)

// Texts are byte slices, because that is what old programs send: they say nothing of an
// encoding. Read ones alias the message. In trees and JSON they are UTF-8 where the bytes
// are valid UTF-8, else Latin-1.

// Text walks a field of n bytes that holds a text ending at its first NUL, or filling the
// field. The slice keeps all n bytes, so that what follows the NUL is not lost; Trim gives
// the text alone. A shorter slice is written with NULs up to n.
func Text(c *Cursor, name string, v *[]byte, n int) {
	switch c.mode {
	case reading:
		b := c.take(name, n)
		if b == nil {
			return
		}
		*v = b
		if c.tree != nil {
			c.leaf(name, String).Bytes = Trim(b)
		}
	case writing:
		if len(*v) > n {
			c.fail(FieldError{Field: name, Need: n, Have: len(*v), Err: ErrTooLarge})
		}
		c.write(*v)
		for range n - len(*v) {
			c.write(nul)
		}
	case describing:
		c.schema.add(Field{Name: name, Kind: String})
	}
}

// TextUpTo walks a text at the end of a message: at most n bytes, fewer when the message ends
// before. It is written as it is.
func TextUpTo(c *Cursor, name string, v *[]byte, n int) {
	if c.mode == reading {
		n = min(n, c.Left())
		if n <= 0 {
			return
		}
	} else {
		n = len(*v)
	}
	Text(c, name, v, n)
}

var nul = []byte{0}

// Trim gives the bytes before the first NUL.
func Trim(b []byte) []byte {
	text, _, _ := bytes.Cut(b, nul)
	return text
}

// Padded reports whether nothing but NULs follows the first NUL.
func Padded(b []byte) bool {
	rest := b[len(Trim(b)):]
	for _, x := range rest {
		if x != 0 {
			return false
		}
	}
	return true
}

// Text8 walks a text behind its length in one byte (a pascal string).
func Text8(c *Cursor, name string, v *[]byte) { c.prefixed(name, v, 1, math.MaxUint8) }

// Text16 walks a text behind its length in two bytes.
func Text16(c *Cursor, name string, v *[]byte) { c.prefixed(name, v, 2, math.MaxUint16) }

// Text32 walks a text behind its length in four bytes.
func Text32(c *Cursor, name string, v *[]byte) { c.prefixed(name, v, 4, math.MaxInt32) }

// prefixed walks a text of most bytes at the most behind its length in prefix bytes.
func (c *Cursor) prefixed(name string, v *[]byte, prefix, most int) {
	if c.mode == writing {
		if len(*v) > most {
			c.fail(FieldError{Field: name, Need: most, Have: len(*v), Err: ErrTooLarge})
		}
		c.store(prefix, uint64(len(*v)))
	}
	size := 0
	if p := c.Peek(); len(p) >= prefix {
		size = int(min(c.load(p[:prefix]), math.MaxInt32-4))
	}
	c.counted(name, v, prefix, size)
}

// TextLEB walks a text behind its length in groups of seven bits, the lowest first, as .NET's
// BinaryWriter writes it. Up to 127 bytes it is the same as Text8.
func TextLEB(c *Cursor, name string, v *[]byte) {
	if c.mode == writing {
		n := uint64(len(*v))
		for ; n >= 0x80; n >>= 7 {
			c.store(1, n|0x80)
		}
		c.store(1, n)
	}
	size, prefix := leb(c.Peek())
	if prefix > 1 && size>>(7*(prefix-1)) == 0 {
		c.inexact = true // a longer form than needed: it will be written back shorter
	}
	c.counted(name, v, prefix, size)
}

// leb reads a length in groups of seven bits: at most five, as .NET reads them. It returns
// the bytes that the length takes as well. One that the data ends in takes a byte more than
// there are; one of more groups belongs to a text that is a byte too long.
func leb(p []byte) (size, prefix int) {
	const most = 5
	n := uint64(0)
	for i, x := range p[:min(len(p), most)] {
		n |= uint64(x&0x7f) << (7 * i)
		if x < 0x80 {
			return int(min(n, math.MaxInt32-most)), i + 1 // an int of 32 bits holds the sum
		}
	}
	if len(p) < most {
		return 0, len(p) + 1
	}
	return len(p) - most + 1, most
}

// counted walks the text behind a length that has been looked at already.
func (c *Cursor) counted(name string, v *[]byte, prefix, size int) {
	switch c.mode {
	case reading:
		have := c.Left()
		if !c.failed && have >= prefix && size > have-prefix {
			c.fail(FieldError{Field: name, Need: prefix + size, Have: have, Text: true, Lead: prefix})
			return
		}
		b := c.take(name, prefix+size)
		if b == nil {
			return
		}
		*v = b[prefix:]
		if c.tree != nil {
			n := c.leaf(name, String)
			n.Bytes, n.Lead = *v, uint8(prefix)
		}
	case writing:
		c.write(*v)
	case describing:
		c.schema.add(Field{Name: name, Kind: String})
	}
}

// TextZ walks a text that ends with a NUL.
func TextZ(c *Cursor, name string, v *[]byte) {
	switch c.mode {
	case reading:
		p := c.Peek()
		n := bytes.IndexByte(p, 0)
		if n < 0 {
			c.fail(FieldError{Field: name, Need: len(p) + 1, Have: len(p), Text: true})
			return
		}
		*v = c.take(name, n+1)[:n]
		if c.tree != nil {
			c.leaf(name, String).Bytes = *v
		}
	case writing:
		c.write(*v)
		c.write(nul)
	case describing:
		c.schema.add(Field{Name: name, Kind: String})
	}
}

func (c *Cursor) write(b []byte) {
	if !c.failed {
		c.data = append(c.data, b...)
	}
}

// Tag walks a few bytes that stand for a word, such as the letters a message begins with. The
// number of them is that of v.
func Tag(c *Cursor, name string, v []byte) { c.letters(name, v, false) }

// Word walks a word in a few bytes, with NULs behind it up to as many as v has.
func Word(c *Cursor, name string, v []byte) { c.letters(name, v, true) }

func (c *Cursor) letters(name string, v []byte, trim bool) {
	if b := c.quick(len(v)); b != nil {
		copy(v, b)
		return
	}
	switch c.mode {
	case reading:
		if b := c.take(name, len(v)); b != nil {
			copy(v, b)
			if trim {
				b = Trim(b)
			}
			if c.tree != nil {
				c.leaf(name, String).Bytes = b
			}
		}
	case writing:
		c.write(v)
	case describing:
		c.schema.add(Field{Name: name, Kind: String})
	}
}
