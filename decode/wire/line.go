package wire

import (
	"bytes"
	"strconv"
)

// Until walks a text and the separator that ends it. The leaf covers both, the value is the
// text alone.
func Until(c *Cursor, name string, v *[]byte, separator string) {
	switch c.mode {
	case reading:
		p := c.Peek()
		n := bytes.Index(p, []byte(separator))
		if n < 0 {
			c.fail(FieldError{Field: name, Offset: c.pos, Need: len(p) + len(separator), Have: len(p), Text: true})
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

// Decimal walks a number written in decimal digits and the separator that ends it.
func Decimal(c *Cursor, name string, v *uint32, separator string) {
	switch c.mode {
	case reading:
		p := c.Peek()
		n := max(bytes.Index(p, []byte(separator)), 0)
		number, err := strconv.ParseUint(string(p[:n]), 10, 32)
		if err != nil {
			c.fail(FieldError{Field: name, Offset: c.pos, Need: len(p) + len(separator), Have: len(p), Text: true})
			return
		}
		if n > 1 && p[0] == '0' {
			c.inexact = true // it will be written without the zeros in front
		}
		c.take(name, n+len(separator))
		*v = uint32(number)
		if c.tree != nil {
			c.leaf(name, Uint).Num = number
		}
	case writing:
		c.write(strconv.AppendUint(nil, uint64(*v), 10))
		c.write([]byte(separator))
	case describing:
		c.schema.add(Field{Name: name, Kind: Uint, Bits: 32})
	}
}
