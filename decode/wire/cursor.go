package wire

type mode uint8

const (
	reading    mode = iota // from bytes to the struct, and to a Tree if there is one
	writing                // from the struct to bytes
	describing             // only the names and kinds of the fields, without bytes
)

// A Cursor walks the fields of one message. The typed functions of this package (U16, Text8, List ...) advance it.
//
// Errors stick: after the first error every call does nothing, and fields read before it stay in the struct. The zero
// Cursor is not useful; Base makes the cursors that layers use.
type Cursor struct {
	walk
	outer    []place
	fault    FieldError // valid only if failed
	findings []Finding
}

// walk is the state that begin resets.
type walk struct {
	data []byte // reading: the message; writing: the bytes written so far
	pos  int    // offset of the next byte
	last int    // offset of the last field visited
	fast int    // quick only reads fields that end at or before this offset

	mode      mode
	little    bool
	fix       bool // writing: counts are computed from the lists' elements
	failed    bool
	inexact   bool // reading: writing the values would produce different bytes
	direction Direction

	listed   int  // reading: number of list elements so far
	taken    int  // reading: bytes allocated for list elements
	skim     bool // reading: list elements are dropped
	inside   int  // reading: bytes of messages inside the current one
	missing  int  // reading: bytes of the message that are missing from the capture
	ctx      *Context
	group    string // the open group or list, for errors
	index    int    // index of the open element, or -1
	unopened int    // number of groups begun after the error
	tree     *Tree
	schema   *schema
}

// A place is an outer group or list, and the index of the open element in that list.
type place struct {
	group string
	index int
}

// begin prepares the cursor for a message. It keeps the memory for findings.
func (c *Cursor) begin(m mode, data []byte, ctx *Context) {
	c.walk = walk{}
	c.data, c.mode, c.direction, c.ctx, c.index, c.fast = data, m, ctx.Direction, ctx, -1, -1
	c.findings, c.outer = c.findings[:0], c.outer[:0]
	if m == reading {
		c.missing = ctx.Missing
		c.fast = len(data)
	}
}

// quick returns the next n bytes if they can be read without an error and need not be recorded in a tree, as is the
// case for nearly all fields. Otherwise it returns nil and does nothing. It is small enough for the compiler to inline.
func (c *Cursor) quick(n int) []byte {
	at := c.pos
	end := at + n
	if end > c.fast {
		return nil
	}
	c.last, c.pos = at, end
	return c.data[at:end]
}

// slow makes quick return nil from now on.
func (c *Cursor) slow() { c.fast = -1 }

// listen makes the cursor record the following fields in t, unless t is nil.
func (c *Cursor) listen(t *Tree) {
	if t != nil {
		c.tree = t
		c.slow()
	}
}

// Plain reports whether bytes are read only into the struct, without a tree. If so, Walk need not compute values that
// it only records.
func (c *Cursor) Plain() bool { return c.mode == reading && c.tree == nil }

// Reading reports whether bytes are being read, with or without a tree.
func (c *Cursor) Reading() bool { return c.mode == reading }

// Writing reports whether bytes are being written.
func (c *Cursor) Writing() bool { return c.mode == writing }

// FromServer reports whether the server (or master server) sent the message.
func (c *Cursor) FromServer() bool { return c.direction == FromServer }

// Direction returns the message's direction, or Unknown.
func (c *Cursor) Direction() Direction { return c.direction }

// SetDirection sets the direction, if the message's content shows it.
func (c *Cursor) SetDirection(d Direction) { c.direction = d }

// Dialect returns the interpretation to use if the document and real programs differ and the bytes do not show which
// one applies.
func (c *Cursor) Dialect() Dialect { return c.ctx.Dialect }

// BigEndian makes the following integers and floats big endian, which is the default.
func (c *Cursor) BigEndian() { c.little = false }

// LittleEndian makes the following integers and floats little endian.
func (c *Cursor) LittleEndian() { c.little = true }

// Context returns what is known about the message in addition to its bytes.
func (c *Cursor) Context() *Context { return c.ctx }

// Offset returns the offset of the next byte in the message.
func (c *Cursor) Offset() int {
	if c.mode == writing {
		return len(c.data)
	}
	return c.pos
}

// Left returns the number of remaining bytes.
func (c *Cursor) Left() int {
	if c.mode != reading || c.failed {
		return 0
	}
	return len(c.data) - c.pos
}

// Peek returns the remaining bytes without consuming them. They alias the message.
func (c *Cursor) Peek() []byte {
	if c.mode != reading || c.failed {
		return nil
	}
	return c.data[c.pos:]
}

// From returns the bytes of the message from an offset on, whether they were read or not. It works even after an error.
func (c *Cursor) From(off int) []byte {
	if c.mode != reading || off > len(c.data) {
		return nil
	}
	return c.data[off:]
}

// Size returns the length of the message on the wire, including bytes that the snap length cut off.
func (c *Cursor) Size() int { return len(c.data) + c.missing }

// Truncated reports whether the snap length cut off bytes of the message.
func (c *Cursor) Truncated() bool { return c.missing > 0 }

// Limit sets the length of the message. Bytes after it belong to the next message. If n exceeds the data, Limit only
// changes the number of missing bytes.
func (c *Cursor) Limit(n int) {
	switch {
	case c.mode != reading || n < c.pos:
	case n <= len(c.data):
		c.data, c.missing = c.data[:n], 0
		c.fast = min(c.fast, n)
	default:
		c.missing = min(c.missing, n-len(c.data))
	}
}

// Failed reports whether a field could not be read or written.
func (c *Cursor) Failed() bool { return c.failed }

// Err returns nil, or a *FieldError with the field that failed and the reason.
func (c *Cursor) Err() error {
	if !c.failed {
		return nil
	}
	fault := c.fault
	return &fault
}

// Fault returns the error of the field that failed. It is valid only if Failed returns true.
func (c *Cursor) Fault() FieldError { return c.fault }

func (c *Cursor) fail(e FieldError) {
	if c.failed {
		return
	}
	e.Group, e.Index, e.Offset = c.group, c.index, c.Offset()
	c.fault, c.failed = e, true
	c.slow()
}

// take returns the next n bytes, or nil after an error. For n == 0 it returns an empty slice, not nil.
func (c *Cursor) take(name string, n int) []byte {
	if c.failed {
		return nil
	}
	if have := len(c.data) - c.pos; n < 0 || n > have {
		c.fail(FieldError{Field: name, Need: n, Have: have})
		return nil
	}
	if n == 0 && c.data == nil {
		return []byte{} // nil would mean an error
	}
	c.last = c.pos
	c.pos += n
	return c.data[c.last:c.pos:c.pos]
}

// read reads a field whose value is its n bytes.
func (c *Cursor) read(name string, k Kind, n int) []byte {
	b := c.take(name, n)
	if b != nil && c.tree != nil {
		c.leaf(name, k).Bytes = b
	}
	return b
}

func (c *Cursor) write(b []byte) {
	if !c.failed {
		c.data = append(c.data, b...)
	}
}

// leaf records a field that ends at the cursor. The caller sets the field's value.
func (c *Cursor) leaf(name string, k Kind) *Node {
	n := c.tree.node()
	n.Name, n.Kind = name, k
	n.Off, n.Size = int32(c.last), int32(c.pos-c.last)
	return n
}
