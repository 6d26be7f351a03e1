package wire

import "encoding/binary"

// IPv4 walks an address of four bytes.
func IPv4(c *Cursor, name string, v *[4]byte) {
	if b := c.quick(len(v)); b != nil {
		*v = [4]byte(b)
		return
	}
	c.fixed(name, Address, 8*len(v), v[:])
}

// IPv6 walks an address of sixteen bytes.
func IPv6(c *Cursor, name string, v *[16]byte) { c.fixed(name, Address, 8*len(v), v[:]) }

// IPv4PortNumber walks eight bytes as one address: IPv4 address, port, and a number that distinguishes ends with the
// same address and port, "127.0.0.1:5156:0". All are in network byte order. If called is not nil, IPv4PortNumber sets
// it to the name in the context's Roster for the bytes read as a number, or to "".
func IPv4PortNumber(c *Cursor, name string, v *[8]byte, called *string) {
	if c.mode == describing {
		c.schema.add(Field{Name: name, Kind: Address, Bits: 8 * len(v), Named: called != nil})
		return
	}
	if b := c.quick(len(v)); b != nil {
		*v = [8]byte(b)
	} else {
		c.fixed(name, Address, 8*len(v), v[:])
	}
	if called == nil || c.mode != reading || c.failed {
		return
	}
	*called = ""
	if c.ctx.Roster != nil {
		*called = c.ctx.Roster.Name(binary.BigEndian.Uint64(v[:]))
	}
	if c.tree != nil && *called != "" {
		c.tree.Nodes[len(c.tree.Nodes)-1].Symbols = Symbols{{Name: *called}}
	}
}
