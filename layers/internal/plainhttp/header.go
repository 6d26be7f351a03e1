package plainhttp

import (
	"bytes"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// The ends of a line and of a header.
const (
	LineEnd   = "\r\n"
	HeaderEnd = "\r\n\r\n"
)

// Header is a line of an HTTP header.
type Header struct {
	Name  []byte
	Tight bool // no space after the colon
	Value []byte
}

// headers reads the header lines and the empty line that ends them.
func headers(c *wire.Cursor, v *[]Header) {
	wire.List(c, "headers", v, wire.Lines(c, LineEnd), len(LineEnd), (*Header).walk)
	blank := []byte(LineEnd)
	wire.Opaque(c, "end_of_headers", blank)
}

func (h *Header) walk(c *wire.Cursor) {
	named := h.Name != nil
	if c.Reading() {
		named = wire.NextOf(c, ":", LineEnd) == 0
	}
	if c.When(named) {
		stop := 0
		if h.Tight {
			stop = 1
		}
		wire.UntilOneOf(c, "name", &h.Name, &stop, ": ", ":")
		h.Tight = stop == 1
	}
	wire.Until(c, "value", &h.Value, LineEnd)
}

// Find returns the value of the first line that has one of the names, or nil.
func Find(headers []Header, names ...string) []byte {
	for i := range headers {
		for _, name := range names {
			if bytes.EqualFold(headers[i].Name, []byte(name)) {
				return headers[i].Value
			}
		}
	}
	return nil
}

// size returns the number of bytes of the line without its line end.
func (h *Header) size() int {
	size := len(h.Name) + len(": ") + len(h.Value)
	if h.Tight {
		size--
	}
	return size
}

// Size returns the number of bytes of a header with all line ends.
func Size(headers []Header) int {
	n := len(LineEnd)
	for i := range headers {
		n += headers[i].size() + len(LineEnd)
		if headers[i].Name == nil {
			n -= len(": ")
		}
	}
	return n
}
