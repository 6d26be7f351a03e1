package wire

import "encoding/binary"

// IPv4 walks an address in the usual order of its bytes.
func IPv4(c *Cursor, name string, v *[4]byte) {
	if b := c.quick(4); b != nil {
		*v = [4]byte(b)
		return
	}
	c.fixed(name, Address, 8*len(v), v[:])
}

// endpointSize is the length of what Endpoint walks.
const endpointSize = 8

// Endpoint walks an IPv4 address, a port and a number that tells those apart who share both, as
// one value: "127.0.0.1:5156:0". The two numbers are big endian, whatever order holds.
func Endpoint(c *Cursor, name string, addr *[4]byte, port, number *uint16) {
	read := func(b []byte) {
		*addr = [4]byte(b)
		*port, *number = binary.BigEndian.Uint16(b[4:]), binary.BigEndian.Uint16(b[6:])
	}
	if b := c.quick(endpointSize); b != nil {
		read(b)
		return
	}
	switch c.mode {
	case reading:
		b := c.take(name, endpointSize)
		if b == nil {
			return
		}
		read(b)
		if c.tree != nil {
			c.leaf(name, Address).Bytes = b
		}
	case writing:
		if c.failed {
			return
		}
		c.data = append(c.data, addr[:]...)
		c.data = binary.BigEndian.AppendUint16(c.data, *port)
		c.data = binary.BigEndian.AppendUint16(c.data, *number)
	case describing:
		c.schema.add(Field{Name: name, Kind: Address, Bits: 8 * endpointSize})
	}
}

// NamedEndpoint is Endpoint for what stands for somebody whose name the context may know, by the eight bytes as one big
// endian number. It keeps the name in called: "" if nobody knows it.
func NamedEndpoint(c *Cursor, name string, addr *[4]byte, port, number *uint16, called *string) {
	if c.mode == describing {
		c.schema.add(Field{Name: name, Kind: Address, Bits: 8 * endpointSize, Named: true})
		return
	}
	Endpoint(c, name, addr, port, number)
	if c.mode != reading || c.failed {
		return
	}
	*called = ""
	if c.ctx.Roster != nil {
		*called = c.ctx.Roster.Name(EndpointNumber(*addr, *port, *number))
	}
	if c.tree != nil && *called != "" {
		c.tree.Nodes[len(c.tree.Nodes)-1].Symbols = Symbols{{Name: *called}}
	}
}

// EndpointNumber is the number by which a Roster knows an endpoint.
func EndpointNumber(addr [4]byte, port, number uint16) uint64 {
	return uint64(binary.BigEndian.Uint32(addr[:]))<<32 | uint64(port)<<16 | uint64(number)
}
