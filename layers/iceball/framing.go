package iceball

import (
	"bytes"
	"net/netip"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/layers/internal/plainhttp"
)

// probeStream recognises HTTP from and to a heartbeat server. The port alone is not enough, because other programs use
// it too.
//
// If the host is a known heartbeat server and the port is its port, a request's method or an answer's status is enough.
// (The first word of a status line is not enough: the real server copies it from the request.) At another host with
// that port, and at other ports of a known host, the stream must request or contain the list.
func probeStream(p *wire.Probe) wire.Verdict {
	direction := p.PortDirection()
	if direction == wire.Unknown || !isText(p.Payload) {
		return wire.Verdict{}
	}
	host := p.Known || p.ToExpected || p.FromExpected
	if p.ToPort || p.FromPort {
		sure, maybe := startsMessage(direction, p.Payload)
		// Without data, the result must not be Maybe: the engine would accept several messages in a row, which are not
		// enough at an unknown host.
		if !sure && !maybe || !host && len(p.Payload) == 0 {
			return wire.Verdict{}
		}
		if sure && (host || hasLengthHeader(p.Payload)) {
			return wire.Verdict{Confidence: wire.Sure, Direction: direction}
		}
	}
	if isAboutList(p.Payload) {
		return wire.Verdict{Confidence: wire.Sure, Direction: direction}
	}
	if bytes.Contains(p.Payload, []byte(plainhttp.HeaderEnd)) && direction == wire.ToServer && !p.ToPort {
		return wire.Verdict{} // a request for something else
	}
	return wire.Verdict{Confidence: wire.Maybe}
}

// maxLine is the number of bytes in which probeStream looks for a first line.
const maxLine = 256

// startsMessage reports whether a stream begins with a request or an answer. If this depends on bytes that have not
// come yet, maybe is true instead of sure.
func startsMessage(direction wire.Direction, data []byte) (sure, maybe bool) {
	line, _, whole := bytes.Cut(data[:min(len(data), maxLine)], []byte("\r"))
	for _, x := range line {
		if (x < ' ' || x > '~') && x != '\t' {
			return false, false
		}
	}
	more := !whole && len(data) < maxLine
	if direction == wire.FromServer {
		return startsAnswer(line, more)
	}
	if whole && len(line) == 0 {
		sure, maybe = plainhttp.AfterBlank(data)
		const end = plainhttp.HeaderEnd // a line end twice is a request without words, which the real server answers
		begun := string(data[:min(len(data), len(end))])
		none := begun == end
		return sure || none, maybe || !none && strings.HasPrefix(end, begun)
	}
	return plainhttp.Asks(data)
}

// startsAnswer is startsMessage for the first line of an answer. more means that the line may go on.
func startsAnswer(line []byte, more bool) (sure, maybe bool) {
	if bytes.HasPrefix(line, []byte("HTTP/")) {
		return true, false
	}
	_, status, ok := bytes.Cut(line, []byte(" "))
	n := min(len(status), 3)
	for _, x := range status[:n] {
		if x < '0' || x > '9' {
			return false, false
		}
	}
	return ok && n == 3 && len(status) > n && status[n] == ' ', more && len(status) <= 3
}

// isText reports whether data begins with text.
func isText(data []byte) bool {
	for _, x := range data[:min(len(data), 16)] {
		if (x < ' ' || x > '~') && x != '\r' && x != '\n' && x != '\t' {
			return false
		}
	}
	return true
}

// isAboutList reports whether a request asks for the list of servers, or an answer contains it.
func isAboutList(data []byte) bool {
	line, rest, _ := bytes.Cut(bytes.TrimPrefix(data, []byte(plainhttp.LineEnd)), []byte(plainhttp.LineEnd))
	return bytes.Contains(line, []byte(" /master.json")) || bytes.HasPrefix(line, []byte("HTTP/")) &&
		bytes.Contains(rest, []byte(`"servers"`)) && bytes.Contains(rest, []byte(`"players_max"`))
}

// hasLengthHeader reports whether data is an answer with a Length header. Only the real server writes the length of the
// body in that header.
func hasLengthHeader(data []byte) bool {
	header, _, _ := bytes.Cut(data, []byte(plainhttp.HeaderEnd))
	return bytes.HasPrefix(header, []byte("HTTP/")) && bytes.Contains(header, []byte(plainhttp.LineEnd+"Length: "))
}

// session keeps the hosts that are known to be heartbeat servers.
type session struct {
	hosts *bounded.LRU[netip.Addr, struct{}]
}

func newSession(memory *bounded.Budget) wire.Session {
	return &session{bounded.NewLRU(memory, bounded.Kind{Name: "hosts with an Iceball heartbeat server",
		Silent: "HTTP on other ports"}, bounded.Values[netip.Addr, struct{}]{})}
}

func (*session) Before(wire.Layer, *wire.Datagram) {}

func (s *session) After(l wire.Layer, d *wire.Datagram) {
	if l.Core().Message == unknown {
		return
	}
	switch l.Core().Direction {
	case wire.FromServer:
		s.hosts.MakeAt(wire.ReverseLane(d.Lane), d.Src.Addr())
	case wire.ToServer:
		s.hosts.MakeAt(d.Lane, d.Dst.Addr())
	}
}

func (s *session) Expects(server netip.AddrPort) bool { return s.hosts.Peek(server.Addr()) != nil }
