package wire

// Computed records a text that is derived from the fields read so far. It calls the function text, which appends the
// text to its argument, only if a tree is made. The tree marks the field as computed.
func (c *Cursor) Computed(name string, text func([]byte) []byte) {
	switch {
	case c.mode == describing:
		c.schema.add(Field{Name: name, Kind: String, Computed: true})
	case c.tree != nil && !c.failed:
		c.tree.add(Node{Name: name, Kind: String, Computed: true, Off: int32(c.pos), Bytes: c.tree.text(text)})
	}
}

// ComputedUint records a number that is derived from the fields read so far.
func (c *Cursor) ComputedUint(name string, v uint64) {
	switch {
	case c.mode == describing:
		c.schema.add(Field{Name: name, Kind: Uint, Bits: 64, Computed: true})
	case c.tree != nil && !c.failed:
		c.tree.add(Node{Name: name, Kind: Uint, Computed: true, Off: int32(c.pos), Num: v})
	}
}

// ComputedNamed records a number that is known from other messages, such as a player's number, and its name.
func (c *Cursor) ComputedNamed(name string, v uint8, called string, s Symbols) {
	switch {
	case c.mode == describing:
		c.schema.add(Field{Name: name, Kind: Enum, Bits: 8, Symbols: s, Computed: true, Named: true})
	case c.tree != nil && !c.failed:
		text := c.tree.text(func(b []byte) []byte { return append(b, called...) })
		c.tree.add(Node{Name: name, Kind: Enum, Computed: true, Off: int32(c.pos), Num: uint64(v), Symbols: s, Bytes: text})
	}
}

// ComputedIPv4PortNumber records an address that is known from other messages, and the name of its owner. The address
// has the form that IPv4PortNumber reads.
func (c *Cursor) ComputedIPv4PortNumber(name string, v [8]byte, called string) {
	switch {
	case c.mode == describing:
		c.schema.add(Field{Name: name, Kind: Address, Bits: 8 * len(v), Computed: true, Named: true})
	case c.tree != nil && !c.failed:
		n := Node{Name: name, Kind: Address, Computed: true, Off: int32(c.pos)}
		n.Bytes = c.tree.text(func(b []byte) []byte { return append(b, v[:]...) })
		if called != "" {
			n.Symbols = Symbols{{Name: called}}
		}
		c.tree.add(n)
	}
}

// Embed records the fields that w reads from data. It is for data that arrives in several messages; Walk calls it in
// the message that completes the data. Embed calls the function data only if a tree is made. The fields are computed:
// they have no bytes in this message. If reading fails, a field "not_shown" contains the reason.
func (c *Cursor) Embed(name string, data func() []byte, w Walker) {
	const rest = "not_shown"
	switch {
	case c.mode == describing:
		c.open(Node{Name: name, Kind: Group})
		w.Walk(c)
		c.schema.add(Field{Name: rest, Kind: String, Computed: true})
		c.close()
	case c.tree != nil && !c.failed:
		t := c.tree
		first, at, about := len(t.Nodes), int32(c.pos), t.about
		t.about = nil // findings are about bytes of the current message
		t.push(Node{Name: name, Kind: Group, Computed: true})
		var inner Cursor
		inner.begin(reading, data(), &Context{})
		inner.listen(t)
		w.Walk(&inner)
		if inner.failed {
			text := t.text(func(b []byte) []byte { return append(b, inner.fault.Error()...) })
			t.add(Node{Name: rest, Kind: String, Computed: true, Bytes: text})
		}
		t.pop(0)
		t.about = about
		for i := first; i < len(t.Nodes); i++ {
			t.Nodes[i].Off, t.Nodes[i].Size = at, 0
		}
	}
}
