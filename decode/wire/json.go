package wire

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// Limits on recorded JSON: nesting depth and bytes of text. The text is limited because a value of two bytes takes a
// hundred times as many in a tree.
const (
	maxJSONDepth = 32
	maxJSONSize  = 256 << 10
)

// validJSON reports whether the text is a single JSON object or list that is small enough to be recorded.
func validJSON(text []byte) bool {
	first := bytes.TrimLeft(text, " \t\r\n")
	return len(first) > 0 && len(first) <= maxJSONSize && (first[0] == '{' || first[0] == '[') &&
		json.Valid(text) && depth(text) <= maxJSONDepth
}

// depth returns the nesting depth of objects and lists.
func depth(text []byte) int {
	deepest, now, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch x := text[i]; {
		case quoted && x == '\\':
			i++
		case x == '"':
			quoted = !quoted
		case quoted:
		case x == '{' || x == '[':
			now++
			deepest = max(deepest, now)
		case x == '}' || x == ']':
			now--
		}
	}
	return deepest
}

// JSON records the values in a text if the text is a single JSON object or list. The values are computed fields,
// because their bytes belong to the text, which is the previous field.
func (c *Cursor) JSON(name string, text []byte) {
	switch {
	case c.mode == describing:
		c.schema.add(Field{Name: name, Kind: Group, Computed: true, Open: true})
	case c.tree != nil && !c.failed && validJSON(text):
		if n := len(c.tree.Nodes); n > 0 && c.tree.Nodes[n-1].Kind == String {
			c.tree.Nodes[n-1].Parsed = true
		}
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		t, _ := d.Token() // no error is possible, since the text is valid
		c.jsonValue(d, t, Node{Name: name})
	}
}

// jsonValue records the value that begins with token t. n contains the value's name, or its position in a list.
func (c *Cursor) jsonValue(d *json.Decoder, t json.Token, n Node) {
	n.Computed, n.Off = true, int32(c.pos)
	var end json.Delim
	switch t := t.(type) {
	case json.Delim:
		n.Kind, end = Group, '}'
		if t == '[' {
			n.Kind, end = Sequence, ']'
		}
	case json.Number:
		n = jsonNumber(n, t)
	case string:
		n.Kind, n.Bytes = String, []byte(t)
	case bool:
		n.Kind = Boolean
		if t {
			n.Num = 1
		}
	default:
		n.Kind, n.Bytes = String, []byte("null")
	}
	if end == 0 {
		c.jsonLeaf(n)
		return
	}
	inElement := n.Element > 0 && n.Kind == Sequence
	if inElement { // a list in a list: an element whose only field is a list without a name
		c.tree.push(Node{Kind: Group, Element: n.Element, Off: n.Off, Computed: true})
		n.Element = 0
	}
	c.tree.push(n)
	c.jsonContent(d, end, n.Kind == Sequence)
	c.tree.pop(c.pos)
	if inElement {
		c.tree.pop(c.pos)
	}
}

// jsonContent records the values between two brackets.
func (c *Cursor) jsonContent(d *json.Decoder, end json.Delim, list bool) {
	for i := int32(1); ; i++ {
		if list && c.tree.full() {
			c.tree.leaveOut(passElements(d))
			return
		}
		t, _ := d.Token()
		if t == end {
			return
		}
		n := Node{}
		if list {
			n.Element = i
		} else {
			n.Name = strings.Map(printable, t.(string))
			t, _ = d.Token()
		}
		c.jsonValue(d, t, n)
	}
}

// passElements skips the rest of a list, including its end, and returns the number of elements skipped.
func passElements(d *json.Decoder) (n int) {
	for depth := 0; ; {
		t, _ := d.Token()
		delim, _ := t.(json.Delim)
		if delim == ']' || delim == '}' {
			if depth--; depth < 0 {
				return n
			}
			continue
		}
		if depth == 0 {
			n++
		}
		if delim != 0 {
			depth++
		}
	}
}

// jsonLeaf records a single value. An element of a list becomes a group with one field.
func (c *Cursor) jsonLeaf(n Node) {
	if n.Element == 0 {
		c.tree.add(n)
		return
	}
	c.tree.push(Node{Kind: Group, Element: n.Element, Off: n.Off, Computed: true})
	n.Element = 0
	c.tree.add(n)
	c.tree.pop(c.pos)
}

// jsonNumber sets n to an integer, or to the text of a number that is not an integer.
func jsonNumber(n Node, t json.Number) Node {
	if v, err := strconv.ParseInt(t.String(), 10, 64); err == nil {
		n.Kind, n.Num = Int, uint64(v)
		return n
	}
	n.Kind, n.Bytes = String, []byte(t.String())
	return n
}
