package iceball

import (
	"bytes"
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

// probeStream recognises the HTTP side: on its port whatever can be text.
func probeStream(p *wire.StreamProbe) wire.Verdict {
	if !p.OnPort() || p.ToPort && p.FromPort {
		return wire.Verdict{}
	}
	for _, x := range p.Data[:min(len(p.Data), 16)] {
		if (x < ' ' || x > '~') && x != '\r' && x != '\n' && x != '\t' {
			return wire.Verdict{}
		}
	}
	way := wire.FromServer
	if p.ToPort {
		way = wire.ToServer
	}
	return wire.Verdict{Confidence: wire.Sure, Direction: way}
}
