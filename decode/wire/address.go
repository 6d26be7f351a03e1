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

// IPv4PortNumber walks eight bytes as one value, such as "127.0.0.1:5156:0": an IPv4 address, a port, and a number that
// distinguishes programs with the same address and port. All three are in network byte order. If called is not nil,
// IPv4PortNumber sets it to the name that the context's Roster has for the number in the eight bytes, or to "" if the
// Roster has none.
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
