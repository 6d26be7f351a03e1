package wire

// Opaque walks bytes whose meaning is not ours to know. The number of them is that of v.
func Opaque(c *Cursor, name string, v []byte) {
	if b := c.quick(len(v)); b != nil {
		copy(v, b)
		return
	}
	switch c.mode {
	case reading:
		if b := c.take(name, len(v)); b != nil {
			copy(v, b)
			if c.tree != nil {
				c.leaf(name, Bytes).Bytes = b
			}
		}
	case writing:
		c.write(v)
	case describing:
		c.schema.add(Field{Name: name, Kind: Bytes})
	}
}

// Slice walks n bytes whose meaning is not ours to know. Unlike Opaque's they alias the message.
func Slice(c *Cursor, name string, v *[]byte, n int) {
	switch c.mode {
	case reading:
		if b := c.take(name, n); b != nil {
			*v = b
			if c.tree != nil {
				c.leaf(name, Bytes).Bytes = b
			}
		}
	case writing:
		c.write(*v)
	case describing:
		c.schema.add(Field{Name: name, Kind: Bytes})
	}
}

// Trailing walks the bytes after the last field, which no field covers. There is no such field
// when there are none.
func Trailing(c *Cursor, v *[]byte) {
	if c.mode != reading || c.Left() > 0 {
		Rest(c, "trailing", v)
	}
}

// Rest walks all bytes that are left as opaque ones.
func Rest(c *Cursor, name string, v *[]byte) {
	switch c.mode {
	case reading:
		b := c.take(name, c.Left())
		if b == nil {
			return
		}
		*v = b
		if c.tree != nil {
			c.leaf(name, Bytes).Bytes = *v
		}
	case writing:
		c.write(*v)
	case describing:
		c.schema.add(Field{Name: name, Kind: Bytes})
	}
}

// Undefined is the body of a message that is named but whose content is not ours to know, or of
// one that nobody defined.
type Undefined struct {
	Data []byte
}

// Walk lists the fields.
func (u *Undefined) Walk(c *Cursor) { Rest(c, "data", &u.Data) }
