package wire

// Opaque walks len(v) bytes whose meaning the protocol does not define.
func Opaque(c *Cursor, name string, v []byte) {
	if b := c.quick(len(v)); b != nil {
		copy(v, b)
		return
	}
	c.fixed(name, Bytes, 0, v)
}

// fixed walks len(v) bytes. It is called after quick returned nil.
func (c *Cursor) fixed(name string, k Kind, bits int, v []byte) {
	switch c.mode {
	case reading:
		copy(v, c.read(name, k, len(v)))
	case writing:
		c.write(v)
	case describing:
		c.schema.add(Field{Name: name, Kind: k, Bits: bits})
	}
}

// Slice walks n bytes whose meaning the protocol does not define. Unlike the bytes of Opaque, they alias the message.
func Slice(c *Cursor, name string, v *[]byte, n int) { c.slice(name, Bytes, v, n) }

// slice walks n bytes that alias the message. When writing, it writes all of v.
func (c *Cursor) slice(name string, k Kind, v *[]byte, n int) {
	switch c.mode {
	case reading:
		if b := c.read(name, k, n); b != nil {
			*v = b
		}
	case writing:
		c.write(*v)
	case describing:
		c.schema.add(Field{Name: name, Kind: k})
	}
}

// Trailing walks the bytes after the last field of a message. If there are none, it records no field.
func Trailing(c *Cursor, v *[]byte) {
	if c.mode != reading || c.Left() > 0 {
		Rest(c, "trailing", v)
	}
}

// Rest walks all remaining bytes. They alias the message.
func Rest(c *Cursor, name string, v *[]byte) { Slice(c, name, v, c.Left()) }

// Empty is the body of a message that has no fields after its header.
type Empty struct{}

// Walk does nothing, because there are no fields.
func (*Empty) Walk(*Cursor) {}

// Undefined is the body of a message whose code or content the protocol does not define.
type Undefined struct {
	Data []byte
}

func (u *Undefined) Walk(c *Cursor) { Rest(c, "data", &u.Data) }
