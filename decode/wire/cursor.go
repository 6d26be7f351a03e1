package wire

// A mode is what a Cursor does with the fields it is shown.
type mode uint8

const (
	reading    mode = iota // bytes to struct, and to a Tree if there is one
	writing                // struct to bytes
	describing             // the names and kinds of the fields, no bytes
)

// A Cursor walks the fields of one message. The typed functions of this package (U16,
// Text8, List ...) move it along.
//
// Errors stick: after the first one every call does nothing, and what was read so far
// stays in the struct. The zero Cursor is not useful; Base makes the ones that layers see.
type Cursor struct {
	walk
	outer    []place
	fault    FieldError // of meaning only with failed
	findings []Finding
}

// walk is what each walk begins anew with.
type walk struct {
	data []byte // reading: the message; writing: what is written so far
	pos  int    // of the next byte
	last int    // where the field visited last begins
	fast int    // where fields end that need no more than to be copied: see quick

	mode      mode
	little    bool
	fix       bool // writing: counts are taken from what they count
	failed    bool
	inexact   bool // reading: a second writing of the same value was met
	direction Direction

	listed   int  // reading: elements of lists so far
	taken    int  // reading: bytes that were taken for them
	skim     bool // reading: they are not kept
	missing  int  // reading: bytes of the message that the capture does not have
	ctx      *Context
	group    string // the group or list that is open, for errors
	index    int    // of the element that is open, or -1
	unopened int    // groups begun after the error
	tree     *Tree
	schema   *schema
}

// A place is a group or a list that is open around another one.
type place struct {
	group string
	index int
}

// begin prepares the cursor for a message, keeping the memory of its findings.
func (c *Cursor) begin(m mode, data []byte, ctx *Context) {
	c.walk = walk{data: data, mode: m, direction: ctx.Direction, ctx: ctx, index: -1, fast: -1}
	c.findings, c.outer = c.findings[:0], c.outer[:0]
	if m == reading {
		c.missing = ctx.Missing
		c.fast = len(data)
	}
}

// quick is the way of nearly all fields there are: n bytes are read, there is no error, and no tree
// is made. It gives them and moves on; else it gives nil and does nothing. It is small, so that it
// stands in its callers without a call.
func (c *Cursor) quick(n int) []byte {
	at := c.pos
	end := at + n
	if end > c.fast {
		return nil
	}
	c.last, c.pos = at, end
	return c.data[at:end]
}

// slow makes every field go the way that sees to errors and trees.
func (c *Cursor) slow() { c.fast = -1 }

// listen makes the fields that follow go into a tree, unless it is nil.
func (c *Cursor) listen(t *Tree) {
	if t != nil {
		c.tree = t
		c.slow()
	}
}

// Reading reports whether bytes are being read, with or without a tree.
func (c *Cursor) Reading() bool { return c.mode == reading }

// Writing reports whether bytes are being written.
func (c *Cursor) Writing() bool { return c.mode == writing }

// FromServer reports whether the server (or master) sent the message.
func (c *Cursor) FromServer() bool { return c.direction == FromServer }

// Direction is that of the message, as far as it is known.
func (c *Cursor) Direction() Direction { return c.direction }

// SetDirection tells the direction, when the content shows it.
func (c *Cursor) SetDirection(d Direction) { c.direction = d }

// Dialect tells which reading applies where the document and real programs differ
// and the bytes cannot tell.
func (c *Cursor) Dialect() Dialect { return c.ctx.Dialect }

// BigEndian makes the integers and floats that follow big endian, as they are at the start.
func (c *Cursor) BigEndian() { c.little = false }

// LittleEndian makes the integers and floats that follow little endian.
func (c *Cursor) LittleEndian() { c.little = true }

// Context is what is known of the message besides its bytes.
func (c *Cursor) Context() *Context { return c.ctx }

// Offset is that of the next byte in its message.
func (c *Cursor) Offset() int {
	if c.mode == writing {
		return len(c.data)
	}
	return c.pos
}

// Left is the number of bytes not read yet.
func (c *Cursor) Left() int {
	if c.mode != reading || c.failed {
		return 0
	}
	return len(c.data) - c.pos
}

// Peek gives the bytes not read yet without moving. They belong to the message.
func (c *Cursor) Peek() []byte {
	if c.mode != reading || c.failed {
		return nil
	}
	return c.data[c.pos:]
}

// From gives the bytes of the message from an offset on, read or not, after an error as well.
func (c *Cursor) From(off int) []byte {
	if c.mode != reading || off > len(c.data) {
		return nil
	}
	return c.data[off:]
}

// Size is the length of the message on the wire, the bytes that a snap length cut off included.
func (c *Cursor) Size() int { return len(c.data) + c.missing }

// Truncated reports whether the snap length of the capture cut bytes off this message.
func (c *Cursor) Truncated() bool { return c.missing > 0 }

// Limit says that the message ends n bytes after its first one. What follows is left for
// the next message. A limit beyond the data changes nothing but how much of it is missing.
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

// Err is nil, or a *FieldError that says which field failed and why.
func (c *Cursor) Err() error {
	if !c.failed {
		return nil
	}
	fault := c.fault
	return &fault
}

// Fault is the error of the field that failed. It is meaningful after Failed.
func (c *Cursor) Fault() FieldError { return c.fault }

// fail notes the first error.
func (c *Cursor) fail(e FieldError) {
	if c.failed {
		return
	}
	e.Group, e.Index, e.Offset = c.group, c.index, c.Offset()
	c.fault, c.failed = e, true
	c.slow()
}

// take gives the next n bytes to a field that is being read, or nil and an error. A field
// of no bytes gets an empty slice.
func (c *Cursor) take(name string, n int) []byte {
	if c.failed {
		return nil
	}
	if have := len(c.data) - c.pos; n < 0 || n > have {
		c.fail(FieldError{Field: name, Need: n, Have: have})
		return nil
	}
	if n == 0 && c.data == nil {
		return []byte{} // nil would stand for the error
	}
	c.last = c.pos
	c.pos += n
	return c.data[c.last:c.pos:c.pos]
}

// leaf records a field that ends at the cursor. Its value is for the caller to set.
func (c *Cursor) leaf(name string, k Kind) *Node {
	n := c.tree.node()
	n.Name, n.Kind = name, k
	n.Off, n.Size = int32(c.last), int32(c.pos-c.last)
	return n
}
