package wire

import (
	"slices"
	"unsafe"
)

// Present reports whether to walk an optional part of n bytes. When reading, it stores in has whether n bytes remain.
// When writing, it returns has. If the snap length cut off some of the n bytes, Present stores false but returns true,
// so that reading the part fails.
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

// begun reports whether any bytes remain of a part that had n bytes when it was sent. The snap length may have cut off
// its end.
func (c *Cursor) begun(n int) bool {
	left := c.Left()
	return left > 0 && left+c.missing >= n
}

// When reports whether to walk fields that are present only under a condition. When describing, it always returns true.
func (c *Cursor) When(condition bool) bool { return condition || c.mode == describing }

// Begin opens a group of fields. End closes it.
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
		c.schema.push(n.Name, n.Kind)
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

// A Count is the number of elements that List reads.
type Count int

// UntilEnd makes List read elements as long as enough bytes remain for the smallest element.
const UntilEnd Count = -1

// List walks n elements, each of at least size bytes, and returns the number of elements. It is safe to take n from the
// message, because List does not allocate memory based on n alone. Fewer than n elements are not an error; the caller
// must compare the numbers. If reading fails in an element, the element keeps the fields that were read. If the
// elements are single values, walk must walk one field without a name.
func List[T any](c *Cursor, name string, v *[]T, n Count, size int, walk func(*T, *Cursor)) (there int) {
	group, index := c.group, c.index
	c.group, c.index = name, -1
	c.open(Node{Name: name, Kind: Sequence})
	switch c.mode {
	case reading:
		l := reader[T]{c, (*v)[:0], n, size}
		there = l.read(walk)
		*v = l.list
	case writing:
		there = len(*v)
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
	return there
}

// Skim makes the following lists drop their elements. List still returns the number of elements, but the list is empty
// or contains only the last element.
func (c *Cursor) Skim() { c.skim = true }

// A reader reads the elements of a list. The function that walks an element is an argument and not a field, because
// storing it would allocate memory for each message.
type reader[T any] struct {
	cursor *Cursor // not embedded, because its methods would be compiled again for each T
	list   []T
	n      Count
	size   int
}

func (l *reader[T]) read(each func(*T, *Cursor)) int {
	c := l.cursor
	l.plain(each)
	i := len(l.list)
	c.listed += i
	for l.more(i) {
		if c.tree.ends(i, c.pos) {
			if i = l.omit(i, each); !l.more(i) {
				break
			}
		}
		at := c.pos
		c.element(i)
		if l.room() {
			each(&l.list[len(l.list)-1], c)
		}
		c.endElement()
		c.listed++
		if i++; c.pos == at {
			break // elements of size 0 would never end
		}
	}
	return i
}

func (l *reader[T]) more(i int) bool { return (l.n < 0 || i < int(l.n)) && l.cursor.begun(l.size) }

// plain reads elements as long as quick can be used: without a tree, an error, or a limit on memory.
func (l *reader[T]) plain(each func(*T, *Cursor)) {
	c := l.cursor
	if l.size == 0 || c.skim || c.ctx.MaxMemory > 0 {
		return
	}
	if more := min(int(l.n), (c.fast-c.pos)/l.size); more > 0 {
		l.list = slices.Grow(l.list, more)
	}
	for i := 0; c.pos+l.size <= c.fast && (l.n < 0 || i < int(l.n)); i++ {
		var zero T
		l.list = append(l.list, zero)
		c.index = i
		at := c.pos
		if each(&l.list[i], c); c.pos == at {
			break
		}
	}
}

// omit reads the elements beginning with index from, without recording them in the tree. It returns the index of the
// first element that it did not read: one that cannot be read, which the tree then shows, or the end of the list.
func (l *reader[T]) omit(from int, each func(*T, *Cursor)) int {
	c := l.cursor
	t, i := c.tree, from
	c.tree, c.fast = nil, len(c.data)
	for l.more(i) {
		before := c.walk
		c.index = i
		if !l.room() {
			break
		}
		each(&l.list[len(l.list)-1], c)
		if c.failed {
			c.walk, l.list = before, l.list[:len(l.list)-1]
			break
		}
		c.listed++
		if i++; c.pos == before.pos {
			break
		}
	}
	c.listen(t)
	t.leaveOut(i - from)
	return i
}

// room appends an empty element. If Context.MaxMemory does not allow that, it makes the cursor fail and returns false.
func (l *reader[T]) room() bool {
	c := l.cursor
	var zero T
	switch have := len(l.list); {
	case c.skim && have > 0:
		l.list = l.list[:0]
	case have == cap(l.list):
		more := max(have, 1)
		if l.n >= 0 {
			more = max(min(more, int(l.n)-have), 1)
		}
		c.taken += (have + more) * int(unsafe.Sizeof(zero))
		if limit := c.ctx.MaxMemory; limit > 0 && c.taken > limit {
			c.fail(FieldError{Need: limit, Err: ErrTooMany})
			return false
		}
		l.list = slices.Grow(l.list, more)
	}
	l.list = append(l.list, zero)
	return true
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
