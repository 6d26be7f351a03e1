package wire

import "slices"

// Present reports whether an optional part of n bytes is there, and keeps the answer in has:
// read, it is there when n bytes are left; written, when has is true. A part that the snap
// length cut through is walked, so that it fails, but does not count as there.
//
//	if c.Present(&q.HasKey, 2) {
//		wire.Opaque(c, "key", q.Key[:])
//	}
func (c *Cursor) Present(has *bool, n int) bool {
	switch c.mode {
	case reading:
		*has = !c.failed && len(c.data)-c.pos >= n
		return *has || c.begun(n)
	case describing:
		return true
	}
	return *has
}

// begun reports whether something is left of a part of n bytes, all of which were sent: its end may be cut off by
// the snap length.
func (c *Cursor) begun(n int) bool {
	left := c.Left()
	return left > 0 && left+c.missing >= n
}

// When reports whether fields follow that stand there only under a condition. It is the
// condition itself, except when fields are listed: then all of them are.
func (c *Cursor) When(condition bool) bool { return condition || c.mode == describing }

// Begin opens a group of fields; End closes it.
func (c *Cursor) Begin(name string) {
	c.outer = append(c.outer, place{c.group, c.index})
	c.group, c.index = name, -1
	c.open(Node{Name: name, Kind: Group})
}

// End closes the group that Begin opened.
func (c *Cursor) End() {
	last := len(c.outer) - 1
	c.group, c.index = c.outer[last].group, c.outer[last].index
	c.outer = c.outer[:last]
	c.close()
}

func (c *Cursor) open(n Node) {
	switch {
	case c.failed:
		c.unopened++
	case c.tree != nil:
		n.Off = int32(c.pos)
		c.tree.push(n)
	case c.mode == describing:
		c.schema.push(n.Name)
	}
}

func (c *Cursor) close() {
	switch {
	case c.unopened > 0:
		c.unopened--
	case c.tree != nil:
		c.tree.pop(c.pos)
	case c.mode == describing:
		c.schema.pop()
	}
}

// A Count tells List how many elements to read.
type Count int

// UntilEnd is as many elements as fit whole: reading stops when fewer bytes are left than
// an element takes at least.
const UntilEnd Count = -1

// List walks n elements, each of at least size bytes. The count may come from the wire: it
// sizes no memory. Fewer elements than counted are no error here; compare the lengths. The
// element in which reading failed is kept with the fields it had. An element that is a single
// value walks one field without a name.
func List[T any](c *Cursor, name string, v *[]T, n Count, size int, walk func(*T, *Cursor)) {
	group, index := c.group, c.index
	c.group, c.index = name, -1
	c.open(Node{Name: name, Kind: Sequence})
	switch c.mode {
	case reading:
		readList(c, v, n, size, walk)
	case writing:
		for i := range *v {
			c.index = i
			walk(&(*v)[i], c)
		}
	case describing:
		var one T
		walk(&one, c)
	}
	c.group, c.index = group, index
	c.close()
}

// readList reads the elements of a list.
func readList[T any](c *Cursor, v *[]T, n Count, size int, walk func(*T, *Cursor)) {
	list := readPlain(c, (*v)[:0], n, size, walk)
	c.listed += len(list)
	for i := len(list); (n < 0 || i < int(n)) && c.begun(size); i++ {
		if i == foldAfter && c.tree.folds(c.pos) {
			list = readFolded(c, list, n, size, walk)
			if i = len(list); i > foldAfter {
				i-- // look again whether there is one
				continue
			}
		}
		var zero T
		list = append(list, zero)
		c.element(i)
		if most := c.ctx.MaxElements; most > 0 && c.listed >= most {
			c.fail(FieldError{Need: most, Err: ErrTooMany})
		}
		c.listed++
		at := c.pos
		walk(&list[i], c)
		c.endElement()
		if c.pos == at {
			break // elements of no bytes would go on for ever
		}
	}
	*v = list
}

// readPlain reads the elements for which nothing is to be done but to read them, as it is with nearly
// all.
func readPlain[T any](c *Cursor, list []T, n Count, size int, walk func(*T, *Cursor)) []T {
	if more := min(int(n)-len(list), (c.fast-c.pos)/max(size, 1)); more > 0 {
		list = slices.Grow(list, more)
	}
	for i := len(list); c.listsFast(n, i, size); i++ {
		var zero T
		list = append(list, zero)
		c.index = i
		at := c.pos
		if walk(&list[i], c); c.pos == at {
			break
		}
	}
	return list
}

// readFolded reads elements that a folded tree leaves out. If one of them cannot be read it does
// nothing: the tree is to show which.
func readFolded[T any](c *Cursor, list []T, n Count, size int, walk func(*T, *Cursor)) []T {
	before, t, have := c.walk, c.tree, len(list)
	c.tree, c.fast = nil, len(c.data)
	list = readPlain(c, list, n, size, walk)
	if c.failed {
		c.walk = before
		return list[:have]
	}
	c.listen(t)
	t.Nodes[t.path[len(t.path)-1]].Num = uint64(len(list) - have)
	return list
}

// listsFast reports whether element i of a list is there and nothing is to be done but to read it. A
// walk that takes fewer bytes than an element has ends at the other way of reading.
func (c *Cursor) listsFast(n Count, i, size int) bool {
	return size > 0 && c.pos+size <= c.fast && (n < 0 || i < int(n)) && c.ctx.MaxElements == 0
}

func (c *Cursor) element(i int) {
	c.index = i
	if c.tree != nil {
		n := c.tree.node()
		n.Element, n.Off = int32(i)+1, int32(c.pos)
		c.tree.enter()
	}
}

func (c *Cursor) endElement() {
	if c.tree != nil {
		c.tree.pop(c.pos)
	}
}
