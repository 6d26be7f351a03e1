package iceball

import (
	"bytes"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/plainhttp"
)

// HTTPRequest asks the heartbeat server for a page or the list. See "a minimal HTTP server at the same port" in the
// protocol document. The real server accepts any words in the first line.
type HTTPRequest = plainhttp.Request

// HTTPResponse is the heartbeat server's answer. The real server writes the third word of the request as the version,
// and writes the length of the body in the header Length.
type HTTPResponse = plainhttp.Response

// Header is a line of an HTTP header.
type Header = plainhttp.Header

// isHTTP reports whether a message is HTTP. When reading, the transport decides; when writing, the type of the body.
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
	body := l.Use(c, messages, t)
	body.Walk(c)
	if !c.Reading() || c.Failed() {
		return
	}
	switch m := body.(type) {
	case *HTTPRequest:
		checkLength(c, m.Headers, len(m.Body))
	case *HTTPResponse:
		checkResponse(c, m)
	}
}

// checkResponse checks that the real game and other programs can read an answer.
func checkResponse(c *wire.Cursor, r *HTTPResponse) {
	if !bytes.HasPrefix(r.Version, []byte("HTTP/")) {
		c.ReportRange(ruleHTTPHeader, 0, len(r.Version)+len(" "), "the status line begins with %q", r.Version)
	}
	if plainhttp.Find(r.Headers, "Length") != nil && plainhttp.Find(r.Headers, "Content-Length") == nil {
		size := plainhttp.Size(r.Headers)
		c.ReportRange(ruleHTTPHeader, c.Offset()-len(r.Body)-size, size, "the header is Length, not Content-Length")
	}
	checkLength(c, r.Headers, len(r.Body))
}

// checkLength checks that the headers show where the message ends.
func checkLength(c *wire.Cursor, headers []Header, body int) {
	if problem := plainhttp.LengthProblem(headers, c.FromServer()); problem != "" && !c.Truncated() {
		size := plainhttp.Size(headers)
		c.ReportRange(ruleHTTPLength, c.Offset()-body-size, size, "%s", problem)
	}
}
