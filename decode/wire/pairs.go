package wire

import (
	"bytes"
)

// Pair is a key and its value, as texts.
type Pair struct{ Key, Value []byte }

// Pairs walks keys and values that stand in turn behind a separator each, up to one of several stops or the
// end of the message: "\\map\\q3dm17\\bots\\0". The last key may lack its value.
// The stop is not walked; behind it that is done by Until(c, "end", &m.End, "\n"), for example.
//
// In the tree they are a group. A value goes by its key there, so that filters find it ("info.map") and a
// table of Privacies says by key what is private: unless it is listed a value is taken for a name. The value
// of a key that is empty or longer than 64 bytes goes by "value". The keys themselves are the fields "key".
// They are public unless the table lists them ("info.key"), and are not in JSON, where the values' names say it.
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

// pair walks a key and its value, nil if there is none.
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

// Find gives the value of a key, nil if there is none.
func Find(pairs []Pair, key string) []byte {
	for i := range pairs {
		if string(pairs[i].Key) == key {
			return pairs[i].Value
		}
	}
	return nil
}
