package wire

import (
	"bytes"
)

// Pair is a key and its value, as texts.
type Pair struct{ Key, Value []byte }

// Pairs walks alternating keys and values, each after a separator, up to one of several stops or the end of the
// message: "\\map\\q3dm17\\bots\\0". The last key may lack its value. Pairs does not walk the stop; the caller
// must do so, for example with Until.
//
// In the tree, the pairs are a group. Each value is a field whose name is the key, so filters find the value
// ("info.map"), and a table of Privacies can list it. A value is PrivateName unless it is listed. If a key is empty or
// longer than 64 bytes, its value is named "value". The keys themselves are fields named "key". They are public unless
// the table lists them ("info.key"), and JSON omits them.
func Pairs(c *Cursor, name string, v *[]Pair, separator string, stops ...string) {
	if c.mode == describing {
		c.schema.add(Field{Name: name, Kind: Group, Open: true})
		return
	}
	c.Begin(name)
	defer c.End()
	if c.mode == writing {
		for i := range *v {
			c.pair(&(*v)[i], separator, stops)
		}
		return
	}
	list := (*v)[:0]
	t, shown := c.tree, 0
	for bytes.HasPrefix(c.Peek(), []byte(separator)) && !c.failed {
		if c.tree != nil && t.full() {
			c.tree, shown = nil, len(list)
		}
		c.listed++
		list = append(list, Pair{})
		c.pair(&list[len(list)-1], separator, stops)
	}
	if *v = list; t != c.tree {
		c.tree = t
		t.leaveOut(len(list) - shown)
	}
}

// pair walks a key and its value. The value may be missing.
func (c *Cursor) pair(p *Pair, separator string, stops []string) {
	Behind(c, "key", &p.Key, separator, stops...)
	if c.tree != nil && !c.failed {
		c.tree.Nodes[len(c.tree.Nodes)-1].Key = true
	}
	if c.mode == writing && p.Value == nil || c.mode == reading && !bytes.HasPrefix(c.Peek(), []byte(separator)) {
		return
	}
	name := "value"
	if c.tree != nil && len(p.Key) > 0 && len(p.Key) <= maxName {
		name = c.tree.name(p.Key)
	}
	Behind(c, name, &p.Value, separator, stops...)
}

// Find returns the value of a key, or nil.
func Find(pairs []Pair, key string) []byte {
	for i := range pairs {
		if string(pairs[i].Key) == key {
			return pairs[i].Value
		}
	}
	return nil
}
