package wire

import (
	"bytes"
	"math"
)

// Texts are byte slices, because old programs do not declare an encoding. Texts that were read alias the message. Trees
// and JSON decode them as UTF-8 if the bytes are valid UTF-8, and otherwise as Latin-1.

// Text walks a field of n bytes that contains a text. The text ends at the first NUL or fills the field. The slice
// keeps all n bytes, so bytes after the NUL are not lost; Trim returns only the text. When writing, Text pads a shorter
// slice with NULs to n bytes.
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

// TextUpTo walks a text at the end of a message: n bytes, or fewer if the message ends earlier. When writing, it adds
// no padding.
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

// Trim returns the bytes before the first NUL.
func Trim(b []byte) []byte {
	text, _, _ := bytes.Cut(b, nul)
	return text
}

// Padded reports whether only NULs follow the first NUL.
func Padded(b []byte) bool { return len(bytes.Trim(b[len(Trim(b)):], "\x00")) == 0 }

// Text8 walks a text after a one-byte length (a Pascal string).
func Text8(c *Cursor, name string, v *[]byte) { c.prefixed(name, v, 1, math.MaxUint8) }

// Text16 walks a text after a two-byte length.
func Text16(c *Cursor, name string, v *[]byte) { c.prefixed(name, v, 2, math.MaxUint16) }

// Text32 walks a text after a four-byte length.
func Text32(c *Cursor, name string, v *[]byte) { c.prefixed(name, v, 4, math.MaxInt32) }

// prefixed walks a text of at most limit bytes after a length of prefix bytes.
func (c *Cursor) prefixed(name string, v *[]byte, prefix, limit int) {
	if c.mode == writing {
		if len(*v) > limit {
			c.fail(FieldError{Field: name, Need: limit, Have: len(*v), Err: ErrTooLarge})
		}
		c.store(prefix, uint64(len(*v)))
	}
	size := 0
	if p := c.Peek(); len(p) >= prefix {
		size = int(min(c.load(p[:prefix]), math.MaxInt32-4))
	}
	c.counted(name, v, prefix, size)
}

// TextLEB walks a text after a length in groups of seven bits, the lowest first, as .NET's BinaryWriter writes it. For
// texts of at most 127 bytes, it is the same as Text8.
func TextLEB(c *Cursor, name string, v *[]byte) {
	if c.mode == writing {
		c.storeGroups(uint64(len(*v)))
	}
	size, prefix := leb(c.Peek())
	if prefix > 1 && size>>(groupBits*(prefix-1)) == 0 {
		c.inexact = true // the length has more groups than needed, and is written with fewer
	}
	c.counted(name, v, prefix, size)
}

// leb reads a length in groups of seven bits, at most five groups, as .NET does. It returns the length and the number
// of bytes in which it is encoded. If the data ends within the length, prefix is one more than the size of the data. If
// there are more than five groups, the returned length exceeds the data by one byte.
func leb(p []byte) (size, prefix int) {
	const maxGroups = 5
	n, prefix := groups(p[:min(len(p), maxGroups)], 64)
	if prefix > maxGroups {
		return len(p) - maxGroups + 1, maxGroups
	}
	return int(min(n, math.MaxInt32-maxGroups)), prefix // an int of 32 bits can hold the sum
}

// counted walks a text after its length was read or written.
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
func TextZ(c *Cursor, name string, v *[]byte) { Until(c, name, v, "\x00") }

// Tag walks len(v) bytes that form a word, such as the letters at the beginning of a message.
func Tag(c *Cursor, name string, v []byte) {
	if b := c.quick(len(v)); b != nil {
		copy(v, b)
		return
	}
	c.fixed(name, String, 0, v)
}

// Word is Tag for a word padded with NULs to len(v) bytes.
func Word(c *Cursor, name string, v []byte) {
	Tag(c, name, v)
	if c.tree != nil && !c.failed {
		n := &c.tree.Nodes[len(c.tree.Nodes)-1]
		n.Bytes = Trim(n.Bytes)
	}
}
