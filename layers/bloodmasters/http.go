package bloodmasters

import (
	"bytes"
	"net/url"
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/plainhttp"
)

// HTTPRequest asks the master list for its servers, or registers a server.
type HTTPRequest = plainhttp.Request

// HTTPResponse is the master list's answer. It contains the addresses of servers, or the addresses that a registered
// server must ban.
type HTTPResponse = plainhttp.Response

const masterPath = "/bloodmasterslist.php"

// probeStream recognises a request to a master list by its path.
func probeStream(p *wire.Probe) wire.Verdict {
	line, _, whole := bytes.Cut(p.Payload[:min(len(p.Payload), maxText)], []byte(plainhttp.LineEnd))
	sure, maybe := plainhttp.Asks(line)
	switch {
	case sure && whole && bytes.Contains(line, []byte(masterPath)):
		return wire.Verdict{Confidence: wire.Sure, Direction: wire.ToServer}
	case len(line) > 0 && (sure || maybe) && !whole && len(line) < maxText:
		return wire.Verdict{Confidence: wire.Maybe}
	}
	return wire.Verdict{}
}

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
	l.Use(c, messages, t).Walk(c)
}

// registeredPort returns the port of the game server that a request registers, or 0 if the request registers nothing.
func registeredPort(r *HTTPRequest) uint16 {
	u, err := url.ParseRequestURI(string(r.Target))
	if err != nil || u.Query().Get("action") != "update" {
		return 0
	}
	port, _ := strconv.ParseUint(u.Query().Get("port"), 10, 16) // 0 if invalid
	return uint16(port)
}
