package plainhttp

import (
	"bytes"
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
)

const (
	// maxBody is the maximum length of a body or a chunk that Stream accepts.
	maxBody = 1 << 30

	// maxFact is the maximum length of a line that Stream reads. Of a longer line, it reads only this many bytes.
	maxFact = 64

	// maxCoding is the number of bytes at the end of a line in which Stream looks for the last coding of a list.
	maxCoding = 16
)

// Stream splits a connection into requests and answers, see wire.Splitter. It remembers the last request, because the
// answer to HEAD has no body.
type Stream struct {
	head   bool    // last request was HEAD, so its answer has no body
	adrift [2]bool // by direction: the last header does not show where its body ends
}

// The content of Progress.State: the current part of the message, and what the header has said so far.
const (
	inFirstLine = iota
	inHeader
	inChunkSize // line before each part of the body
	inTrailer
	inBody // body of the size Progress.Length
	inRest // body that ends with the connection
	parts  = 1<<3 - 1
)

const (
	inLongLine = 1 << (iota + 3) // rest of a long line; its beginning was read
	isHead                       // the request was HEAD
	isBare                       // the answer has no body, regardless of its header
	isCounted                    // the header has the length, in Progress.Length
	isBad                        // the length is unreadable, or there are two lengths
	isCoded                      // the body has codings
	isChunked                    // the last coding is chunked
	inCodings                    // in a long line with codings
	hasFields                    // the header has fields
	isUnending                   // nothing shows where the body ends, so the message ends with the header
)

// Next returns the size of the next message in a direction, see wire.Splitter.
func (s *Stream) Next(direction wire.Direction, data []byte, ended bool, p *wire.Progress) int {
	all := p.Passed + len(data)
	adrift := &s.adrift[0]
	if direction == wire.FromServer {
		adrift = &s.adrift[1]
	}
	if *adrift && all == len(data) && !canBegin(direction, data) {
		return wire.NoMessage
	}
	n := s.size(direction, data, p)
	part := p.State & parts
	if part > inHeader {
		*adrift = p.State&isUnending != 0
	}
	if direction != wire.FromServer && part > inHeader {
		s.head = p.State&isHead != 0
	}
	switch {
	case ended && n > all && direction == wire.FromServer && part > inHeader:
		return all // the body is incomplete
	case n != wire.NeedMore || !ended:
		return n
	case part <= inHeader:
		return wire.NoMessage
	}
	return all
}

// Plausible is like Next, for places after lost bytes, see wire.Splitter. The first line must look like HTTP.
func (s *Stream) Plausible(direction wire.Direction, data []byte, p *wire.Progress) int {
	if p.State == inFirstLine && !canBegin(direction, data) {
		return wire.NoMessage
	}
	return s.size(direction, data, p)
}

// Lost forgets the last request.
func (s *Stream) Lost(wire.Direction) { *s = Stream{} }

// size returns the size of a message as soon as the header or the chunks show it.
func (s *Stream) size(direction wire.Direction, data []byte, p *wire.Progress) int {
	if direction != wire.FromServer && p.State == inFirstLine && p.Passed == 0 {
		sure, maybe := AfterBlank(data)
		switch {
		case sure:
			data = pass(p, data, len(LineEnd))
		case maybe:
			return wire.NeedMore
		}
	}
	for {
		switch p.State & parts {
		case inBody:
			return p.Passed + p.Length
		case inRest:
			p.Passed += len(data)
			return wire.NeedMore
		}
		end := bytes.Index(data, []byte(LineEnd))
		whole := end >= 0
		if !whole {
			end = len(data) - 1 - maxCoding // the last byte may be the beginning of a line end
		}
		long := p.State&inLongLine != 0
		if !whole && end <= maxFact && (!long || end <= 0) {
			return wire.NeedMore
		}
		p.State &^= inLongLine
		if !long && !s.take(direction, data[:min(end, maxFact+1)], p) {
			return wire.NoMessage
		}
		if whole && p.State&inCodings != 0 {
			takeCodings(data[:end], p)
		}
		if !whole {
			p.Passed += end
			p.State |= inLongLine
			return wire.NeedMore
		}
		data = pass(p, data, end+len(LineEnd))
		if p.State&parts == inChunkSize {
			data = pass(p, data, p.Length)
			p.Length = 0
		}
	}
}

// pass skips n bytes of the message. It returns the rest of data, which may have fewer than n bytes.
func pass(p *wire.Progress, data []byte, n int) []byte {
	p.Passed += n
	return data[min(n, len(data)):]
}

// take records what a line says about the end of the message. It returns false if the line is invalid. Of a line that
// is longer than maxFact, it gets only the beginning.
func (s *Stream) take(direction wire.Direction, line []byte, p *wire.Progress) bool {
	switch p.State & parts {
	case inFirstLine:
		p.State += inHeader - inFirstLine
		switch {
		case direction != wire.FromServer && bytes.HasPrefix(line, []byte("HEAD ")):
			p.State |= isHead
		case direction == wire.FromServer && hasNoBody(line):
			p.State |= isBare
		}
	case inHeader:
		if len(line) == 0 {
			s.endHeader(direction, p)
			return true
		}
		p.State |= hasFields
		name, value, ok := bytes.Cut(line, []byte(":"))
		if ok {
			takeField(name, value, len(line) > maxFact, p)
		}
	case inChunkSize:
		return takeChunk(line, p)
	case inTrailer:
		if len(line) == 0 {
			p.State, p.Length = inBody, 0
		}
	}
	return true
}

// endHeader determines which kind of body follows a header.
func (s *Stream) endHeader(direction wire.Direction, p *wire.Progress) {
	has := func(fact int) bool { return p.State&fact != 0 }
	fromServer := direction == wire.FromServer
	next := inBody
	switch {
	case fromServer && (s.head || has(isBare) || !has(hasFields)):
		p.Length = 0 // Iceball's server sends only a status line to report an error
	case has(isChunked):
		p.Length, next = 0, inChunkSize
	case has(isCoded) && fromServer:
		next = inRest
	case has(isCoded | isBad):
		p.Length = 0
		p.State |= isUnending
	case fromServer && !has(isCounted):
		next = inRest
	}
	p.State = p.State&^parts | next
}

// takeChunk reads the size of a chunk from the line before it. Other text may follow the size after a semicolon. The
// last chunk is empty, and a trailer follows it.
func takeChunk(line []byte, p *wire.Progress) bool {
	size, _, extended := bytes.Cut(line, []byte(";"))
	n, err := strconv.ParseUint(string(bytes.TrimSpace(size)), 16, 64)
	if err != nil || n > maxBody || !extended && len(line) > maxFact {
		return false
	}
	if n == 0 {
		p.State += inTrailer - inChunkSize
		return true
	}
	p.Length = int(n) + len(LineEnd)
	return true
}

// hasNoBody reports whether an answer with this first line has no body, regardless of its header. These are interim
// answers (1xx), 204 and 304.
func hasNoBody(line []byte) bool {
	_, rest, _ := bytes.Cut(line, []byte(" "))
	status, _, _ := bytes.Cut(rest, []byte(" "))
	return len(status) == 3 && (status[0] == '1' || string(status) == "204" || string(status) == "304")
}

// canBegin reports whether data can be the beginning of a request or an answer.
func canBegin(direction wire.Direction, data []byte) bool {
	words := []string{"GET ", "HEAD ", "POST "}
	if direction == wire.FromServer {
		words = []string{"HTTP/"}
	}
	for _, word := range words {
		if n := min(len(word), len(data)); string(data[:n]) == word[:n] {
			return true
		}
	}
	return false
}
