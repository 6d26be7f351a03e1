package wire

// maxEmbedded is how many elements lists of embedded data may have to be shown.
const maxEmbedded = 100_000

// Embed records what w reads from data that came in several messages and is whole with this one.
// Its fields are computed: they have no bytes in this message. Where reading ends early, a field
// "not_shown" says why.
func Embed(c *Cursor, name string, data []byte, w Walker) {
	const rest = "not_shown"
	switch {
	case c.mode == describing:
		c.open(Node{Name: name, Kind: Group})
		w.Walk(c)
		c.schema.add(Field{Name: rest, Kind: String, Computed: true})
		c.close()
	case c.tree != nil && !c.failed:
		first, at := len(c.tree.Nodes), int32(c.pos)
		c.tree.push(Node{Name: name, Kind: Group, Computed: true})
		var inner Cursor
		inner.begin(reading, data, &Context{MaxElements: maxEmbedded})
		inner.listen(c.tree)
		w.Walk(&inner)
		if inner.failed {
			text := c.tree.text(func(b []byte) []byte { return append(b, inner.fault.Error()...) })
			c.tree.add(Node{Name: rest, Kind: String, Computed: true, Bytes: text})
		}
		c.tree.pop(0)
		for i := first; i < len(c.tree.Nodes); i++ {
			c.tree.Nodes[i].Off, c.tree.Nodes[i].Size = at, 0
		}
	}
}
