package wire

import "bytes"

// A Param is a text that may be missing, and the separator before it. If Lead is empty, the Param is missing.
type Param struct{ Lead, Text []byte }

// Params describes how a protocol divides a line into parameters. For IRC lines such as "353 me = #go :Ann Bob\r\n",
// use &Params{Lead: " ", Last: ":", Stops: []string{"\r\n", "\n"}}.
type Params struct {
	Lead  string   // the separator; one or more precede each parameter
	Last  string   // after the separator, begins a parameter that extends to the end of the line; "": none
	Stops []string // these end a line, and so does the end of the message
}

// Walk walks the next parameter, which may be missing.
func (f *Params) Walk(c *Cursor, name string, v *Param) {
	switch c.mode {
	case reading:
		*v = Param{}
		lead, size := f.next(c, c.Peek())
		if lead == 0 {
			return
		}
		if b := c.take(name, size); b != nil {
			*v = Param{b[:lead:lead], b[lead:]}
			if c.tree != nil {
				n := c.leaf(name, String)
				n.Bytes, n.Lead = v.Text, uint8(lead)
			}
		}
		if prefixOf(c.Peek(), f.Lead) == 0 {
			c.stopped(name, f.Stops)
		}
	case writing:
		c.write(v.Lead)
		c.write(v.Text)
	case describing:
		c.schema.add(Field{Name: name, Kind: String})
	}
}

// next finds the parameter at the start of p. lead is the number of bytes before the parameter's text, or 0 if the
// parameter is missing. size is the number of bytes including the text.
func (f *Params) next(c *Cursor, p []byte) (lead, size int) {
	const most = 64 // maximum number of lead bytes; if another separator follows, the parameter is empty
	for f.Lead != "" && lead < most && bytes.HasPrefix(p[lead:], []byte(f.Lead)) {
		lead += len(f.Lead)
	}
	if lead == 0 {
		return 0, 0
	}
	text := p[lead:]
	if f.Last != "" && bytes.HasPrefix(text, []byte(f.Last)) {
		lead, text = lead+len(f.Last), text[len(f.Last):]
	} else if end := bytes.Index(text, []byte(f.Lead)); end >= 0 {
		end, _ = nextOf(text[:end], f.Stops)
		return lead, lead + end
	}
	return lead, lead + c.upTo(text, f.Stops)
}

// List walks all remaining parameters.
func (f *Params) List(c *Cursor, name string, v *[]Param) {
	n, p := Count(0), c.Peek()
	for lead, size := f.next(c, p); lead > 0; lead, size = f.next(c, p) {
		p = p[size:]
		n++
	}
	List(c, name, v, n, 1, func(p *Param, c *Cursor) { f.Walk(c, "", p) })
}

// Optional walks a text that may be missing together with its lead. For example, the user in "nick!user@host" is
// Optional(c, "user", &v, "!", "@"). The text ends before one of the stops, before another lead, or at the end of the
// message.
func Optional(c *Cursor, name string, v *Param, lead string, stops ...string) {
	f := Params{Lead: lead, Stops: stops}
	f.Walk(c, name, v)
}

// UpTo walks a text that ends before one of several stops, or at the end of the message.
func UpTo(c *Cursor, name string, v *[]byte, stops ...string) {
	TextOf(c, name, v, c.upTo(c.Peek(), stops))
	c.stopped(name, stops)
}

// upTo finds the end of a text in p, which is the rest of the message. The text ends before a stop. If the capture cut
// off the message, the text also ends before the first bytes of a stop at the end of p.
func (c *Cursor) upTo(p []byte, stops []string) int {
	at, which := nextOf(p, stops)
	for _, stop := range stops {
		for n := len(stop) - 1; n > 0 && which < 0 && c.Truncated(); n-- {
			if bytes.HasSuffix(p, []byte(stop[:n])) {
				at = min(at, len(p)-n)
			}
		}
	}
	return at
}

// stopped makes the cursor fail if the message ends after a text without a stop, and the capture may have cut off the
// text. The text keeps its value.
func (c *Cursor) stopped(name string, stops []string) {
	if c.mode == reading && c.Truncated() && prefixOf(c.Peek(), stops...) == 0 {
		c.take(name, c.Left()+1)
	}
}

// prefixOf returns the size of the first word that is a prefix of p, or 0.
func prefixOf(p []byte, words ...string) int {
	for _, word := range words {
		if bytes.HasPrefix(p, []byte(word)) {
			return len(word)
		}
	}
	return 0
}

// OneOf walks one of several words, such as a line end. It reads the first listed word with which the remaining bytes
// begin. If there is none, it records no field.
func OneOf(c *Cursor, name string, v *[]byte, words ...string) {
	size := prefixOf(c.Peek(), words...)
	if c.mode == reading {
		*v = nil
	}
	if c.mode != reading || size > 0 {
		TextOf(c, name, v, size)
	}
}
