package wire

import "bytes"

// A Param is a text that may be missing, and what stands in front of it. If Lead is empty, it is missing.
type Param struct{ Lead, Text []byte }

// Params say how a protocol divides a line into parameters. Those of IRC, "353 me = #go :Ann Bob\r\n", are
// &Params{Lead: " ", Last: ":", Stops: []string{"\r\n", "\n"}}.
type Params struct {
	Lead  string   // in front of each parameter, once or more
	Last  string   // between the lead and a parameter that goes on to the end of the line; "": there is none
	Stops []string // end the line; it also ends with the message
}

// Walk walks the next parameter, which may be missing.
func (f *Params) Walk(c *Cursor, name string, v *Param) {
	switch c.mode {
	case reading:
		*v = Param{}
		lead, size := f.next(c.Peek(), c.Truncated())
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
	case writing:
		c.write(v.Lead)
		c.write(v.Text)
	case describing:
		c.schema.add(Field{Name: name, Kind: String})
	}
}

// next finds the parameter at the start of p: how many bytes stand in front of its text, 0 if it is missing, and how many
// it has with them. If the capture may have cut off its end, that is one byte more than there are.
func (f *Params) next(p []byte, truncated bool) (lead, size int) {
	const most = 64 // bytes of leads; more are empty parameters
	for f.Lead != "" && lead < most && bytes.HasPrefix(p[lead:], []byte(f.Lead)) {
		lead += len(f.Lead)
	}
	if lead == 0 {
		return 0, 0
	}
	end := -1
	if f.Last != "" && bytes.HasPrefix(p[lead:], []byte(f.Last)) {
		lead += len(f.Last)
	} else {
		end = bytes.Index(p[lead:], []byte(f.Lead))
	}
	text := p[lead:]
	if end >= 0 {
		text = text[:end]
	}
	at, which := nextOf(text, f.Stops)
	if end < 0 && which < 0 && truncated {
		at++
	}
	return lead, lead + at
}

// List walks all parameters that are left.
func (f *Params) List(c *Cursor, name string, v *[]Param) {
	n, p := Count(0), c.Peek()
	for lead, size := f.next(p, false); lead > 0; lead, size = f.next(p, false) {
		p = p[size:]
		n++
	}
	List(c, name, v, n, 1, func(p *Param, c *Cursor) { f.Walk(c, "", p) })
}

// Optional walks a text that may be missing with its lead: the user in "nick!user@host" is
// Optional(c, "user", &v, "!", "@"). It ends in front of one of the stops or of another lead, or with the message.
func Optional(c *Cursor, name string, v *Param, lead string, stops ...string) {
	f := Params{Lead: lead, Stops: stops}
	f.Walk(c, name, v)
}

// UpTo walks a text that ends in front of one of several stops, or with the message.
func UpTo(c *Cursor, name string, v *[]byte, stops ...string) {
	end := 0
	if c.mode == reading {
		var which int
		if end, which = nextOf(c.Peek(), stops); which < 0 && c.Truncated() {
			end++ // may have been cut off
		}
	}
	TextOf(c, name, v, end)
}

// OneOf walks the first of several words that stands next, such as the end of a line. Where none does, the field is absent.
func OneOf(c *Cursor, name string, v *[]byte, words ...string) {
	size := 0
	if c.mode == reading {
		*v = nil
		for i := 0; i < len(words) && size == 0; i++ {
			if bytes.HasPrefix(c.Peek(), []byte(words[i])) {
				size = len(words[i])
			}
		}
	}
	if c.mode != reading || size > 0 {
		TextOf(c, name, v, size)
	}
}
