package iceball

import (
	"bytes"
	"net/netip"
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// maxHeader bounds the header of a request or an answer. The real ones have some hundred bytes.
const maxHeader = 16 << 10

// stream cuts a connection into requests and answers. What a request was decides where its
// answer ends.
type stream struct {
	head bool // the last request was HEAD, whose answer has no body
}

// Next implements wire.Stream.
func (s *stream) Next(d wire.Direction, data []byte, ended bool) int {
	end := bytes.Index(data, []byte(headerEnd))
	if end < 0 {
		if len(data) > maxHeader || ended {
			return wire.NoMessage
		}
		return wire.NeedMore
	}
	header := data[:end]
	end += len(headerEnd)
	length, known := contentLength(header)
	if d != wire.FromServer {
		s.head = bytes.HasPrefix(header, []byte("HEAD "))
		return end + length
	}
	switch {
	case s.head, bytes.Count(header, []byte(lineEnd)) == 0: // the real server's errors are a status line and nothing else
		return end
	case known:
		return end + length
	case ended:
		return len(data)
	}
	return wire.NeedMore // the body ends with the connection
}

// Lost implements wire.Stream.
func (s *stream) Lost(wire.Direction) { s.head = false }

// contentLength finds how long the body is, under either name of that header.
func contentLength(header []byte) (int, bool) {
	for line := range bytes.SplitSeq(header, []byte(lineEnd)) {
		name, value, ok := bytes.Cut(line, []byte(":"))
		if !ok || !bytes.EqualFold(name, []byte("Length")) && !bytes.EqualFold(name, []byte("Content-Length")) {
			continue
		}
		n, err := strconv.ParseUint(string(bytes.TrimSpace(value)), 10, 31)
		if err == nil {
			return int(n), true
		}
	}
	return 0, false
}

// Plausible implements wire.Stream: a first line that is one of HTTP, and a whole message.
func (s *stream) Plausible(way wire.Direction, data []byte) (messages int, broken bool) {
	copied := *s
	for len(data) > 0 {
		if !begins(way, data) {
			return messages, true
		}
		n := copied.Next(way, data, false)
		if n <= 0 || n > len(data) {
			return messages, n == wire.NoMessage
		}
		messages++
		data = data[n:]
	}
	return messages, false
}

// begins tells whether data can be the beginning of a request or an answer.
func begins(way wire.Direction, data []byte) bool {
	words := []string{"GET ", "HEAD ", "POST "}
	if way == wire.FromServer {
		words = []string{"HTTP/"}
	}
	for _, word := range words {
		if n := min(len(word), len(data)); string(data[:n]) == word[:n] {
			return true
		}
	}
	return false
}

// probeStream recognises the HTTP side: on its port by any text, since the real server takes any;
// on other ports of a host with a heartbeat server once the list is asked for or given.
func probeStream(p *wire.StreamProbe) wire.Verdict {
	way := p.PortDirection()
	if way == wire.Unknown || !isText(p.Data) {
		return wire.Verdict{}
	}
	if p.ToPort || p.FromPort || aboutList(p.Data) {
		return wire.Verdict{Confidence: wire.Sure, Direction: way}
	}
	if bytes.Contains(p.Data, []byte(headerEnd)) && way == wire.ToServer {
		return wire.Verdict{} // asks for something else
	}
	return wire.Verdict{Confidence: wire.Maybe}
}

// isText tells whether data begins like a line of text.
func isText(data []byte) bool {
	for _, x := range data[:min(len(data), 16)] {
		if (x < ' ' || x > '~') && x != '\r' && x != '\n' && x != '\t' {
			return false
		}
	}
	return true
}

// aboutList tells whether a request is for the list of servers, or an answer has it.
func aboutList(data []byte) bool {
	line, rest, _ := bytes.Cut(data, []byte(lineEnd))
	return bytes.Contains(line, []byte(" /master.json")) || bytes.HasPrefix(line, []byte("HTTP/")) &&
		bytes.Contains(rest, []byte(`"servers"`)) && bytes.Contains(rest, []byte(`"players_max"`))
}

// session remembers the hosts that are heartbeat servers.
type session struct {
	hosts map[netip.Addr]bool
}

// maxHosts bounds the memory. There are a handful of heartbeat servers in the world.
const maxHosts = 1024

// Before implements wire.Session.
func (*session) Before(wire.Layer, *wire.Datagram) {}

// After implements wire.Session.
func (s *session) After(l wire.Layer, d *wire.Datagram) {
	host := d.Dst.Addr()
	switch l.Part().Direction {
	case wire.FromServer:
		host = d.Src.Addr()
	case wire.ToServer:
	default:
		return
	}
	if l.Part().Message == unknown || s.hosts[host] {
		return
	}
	if len(s.hosts) >= maxHosts {
		clear(s.hosts)
	}
	s.hosts[host] = true
}

// Expects implements wire.Expecter.
func (s *session) Expects(server netip.AddrPort) bool { return s.hosts[server.Addr()] }
