package wire

// Embed records what w reads from data that came in several messages and is whole with this one.
// Its fields are computed: they have no bytes in this message.
func Embed(c *Cursor, name string, data []byte, w Walker) {
	switch {
	case c.mode == describing:
		c.open(Node{Name: name, Kind: Group})
		w.Walk(c)
		c.close()
	case c.tree != nil && !c.failed:
		first, at := len(c.tree.Nodes), int32(c.pos)
		c.tree.push(Node{Name: name, Kind: Group, Computed: true})
		var inner Cursor
		inner.begin(reading, data, &Context{})
		inner.tree = c.tree
		w.Walk(&inner)
		c.tree.pop(0)
		for i := first; i < len(c.tree.Nodes); i++ {
			c.tree.Nodes[i].Off, c.tree.Nodes[i].Size = at, 0
		}
	}
}
