package iceball

import (
	"bytes"
	"math"
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

const (
	lineEnd   = "\r\n"
	headerEnd = "\r\n\r\n"
)

// isHTTP reports whether a message is one of the HTTP side: by the way it came, and when written by
// its body.
func (l *Layer) isHTTP(c *wire.Cursor) bool {
	if c.Reading() {
		return c.Context().Transport == wire.TCP
	}
	switch l.Body.(type) {
	case *HTTPRequest, *HTTPResponse:
		return true
	}
	return false
}

func (l *Layer) walkHTTP(c *wire.Cursor) {
	t := httpRequest
	if c.FromServer() {
		t = httpResponse
	}
	if c.Reading() && c.Context().IPv6 {
		c.ReportRange(ruleIPv6, 0, 0, "the heartbeat knows IPv4 addresses only")
	}
	l.Use(c, messages, t).Walk(c)
}

// HTTPRequest asks the heartbeat server for a page or the list. Document, "a minimal HTTP
// server at the same port". The real one takes the words of the first line as they come, so
// all but the method may be missing.
type HTTPRequest struct {
	Blank      bool // an empty line is in front of it
	Method     []byte
	HasTarget  bool
	Target     []byte
	HasVersion bool
	Version    []byte
	HasExtra   bool
	Extra      []byte // words after the third
	Headers    []Header
	Body       []byte
}

// Header is a line of an HTTP header.
type Header struct {
	Name  []byte
	Tight bool // no blank follows the colon
	Value []byte
}

func (r *HTTPRequest) Walk(c *wire.Cursor) {
	if c.Reading() {
		sure, maybe := afterBlank(c.Peek())
		r.Blank = sure || maybe && c.Truncated() && c.Size() > len(headerEnd)
	}
	if c.When(r.Blank) {
		blank := []byte(lineEnd)
		wire.Opaque(c, "blank_line", blank)
	}
	word(c, "method", &r.Method, &r.HasTarget)
	if c.When(r.HasTarget) {
		word(c, "target", &r.Target, &r.HasVersion)
	}
	if c.When(r.HasVersion) {
		word(c, "version", &r.Version, &r.HasExtra)
	}
	if c.When(r.HasExtra) {
		wire.Until(c, "extra", &r.Extra, lineEnd)
	}
	off := c.Offset()
	headers(c, &r.Headers)
	checkLength(c, r.Headers, off)
	wire.TextUpTo(c, "body", &r.Body, math.MaxInt32)
}

// word walks a word of the first line and tells whether another one follows.
func word(c *wire.Cursor, name string, v *[]byte, more *bool) {
	stop := 1
	if *more {
		stop = 0
	}
	wire.UntilOneOf(c, name, v, &stop, " ", lineEnd)
	*more = stop == 0
}

// headers walks the lines up to the empty one, and that.
func headers(c *wire.Cursor, v *[]Header) {
	wire.List(c, "headers", v, wire.Lines(c, lineEnd), len(lineEnd), (*Header).walk)
	blank := []byte(lineEnd)
	wire.Opaque(c, "end_of_headers", blank)
}

func (h *Header) walk(c *wire.Cursor) {
	named := h.Name != nil
	if c.Reading() {
		named = wire.NextOf(c, ":", lineEnd) == 0
	}
	if c.When(named) {
		stop := 0
		if h.Tight {
			stop = 1
		}
		wire.UntilOneOf(c, "name", &h.Name, &stop, ": ", ":")
		h.Tight = stop == 1
	}
	wire.Until(c, "value", &h.Value, lineEnd)
}

func findHeader(headers []Header, names ...string) []byte {
	for i := range headers {
		for _, name := range names {
			if bytes.EqualFold(headers[i].Name, []byte(name)) {
				return headers[i].Value
			}
		}
	}
	return nil
}

func (r *HTTPRequest) AppendSummary(b []byte) []byte {
	b = format.AppendQuoted(b, r.Method)
	b = append(b, ' ')
	return format.AppendQuoted(b, r.Target)
}

// HTTPResponse is the heartbeat server's answer. The real one repeats the third word of the
// request as the version and has the length of the body in a header of its own, Length.
type HTTPResponse struct {
	Version []byte
	Status  uint32
	Reason  []byte
	Headers []Header
	Body    []byte // of master.json the list
}

func (r *HTTPResponse) Walk(c *wire.Cursor) {
	wire.Until(c, "version", &r.Version, " ")
	if !bytes.HasPrefix(r.Version, []byte("HTTP/")) {
		c.Report(ruleHTTPHeader, "the status line begins with %q", r.Version)
	}
	wire.Decimal(c, "status", &r.Status, " ")
	wire.Until(c, "reason", &r.Reason, lineEnd)
	off := c.Offset()
	headers(c, &r.Headers)
	if findHeader(r.Headers, "Length") != nil && findHeader(r.Headers, "Content-Length") == nil && c.Reading() {
		c.ReportRange(ruleHTTPHeader, off, c.Offset()-off, "the header is Length, not Content-Length")
	}
	checkLength(c, r.Headers, off)
	wire.TextUpTo(c, "body", &r.Body, math.MaxInt32)
	c.JSON("json", r.Body)
}

func (r *HTTPResponse) AppendSummary(b []byte) []byte {
	b = strconv.AppendUint(b, uint64(r.Status), 10)
	b = append(b, ' ')
	b = format.AppendQuoted(b, r.Reason)
	b = append(b, "  "...)
	b = strconv.AppendInt(b, int64(len(r.Body)), 10)
	return append(b, " bytes"...)
}
