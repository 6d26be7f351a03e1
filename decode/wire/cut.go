package wire

import (
	"bytes"
	"encoding/binary"
	"math"
)

// ByLength is a Splitter for messages that contain their length near the beginning.
type ByLength struct {
	At     int  // offset of the length in the message
	Bytes  int  // size of the length: 1, 2 or 4; the maximum size of a Varint
	Little bool // the lowest byte comes first
	Varint bool // the length is a Uvarint, which does not count itself
	More   int  // bytes of the message that the length does not count, apart from a Varint's own
	Least  int  // bytes of the smallest message, including the length and what comes before it
	Most   int  // bytes of the largest message; a message must fit in memory

	// Begins reports whether a message can begin with data, which may be incomplete. Plausible requires it in addition
	// to a possible size. data has Least bytes, if that many are left of the stream. If Begins is nil, every possible
	// size is plausible. False messages are then found in other protocols' streams and after gaps.
	Begins func(way Direction, data []byte) bool
}

func (l *ByLength) Next(_ Direction, data []byte, _ bool, _ *Progress) int {
	if l.Varint {
		length, size := LeadingUvarint(data[min(l.At, len(data)):], l.Bytes)
		if size <= 0 {
			return size
		}
		return l.fits(int64(min(length, math.MaxInt32)) + int64(size+l.More))
	}
	if len(data) < l.At+l.Bytes {
		return NeedMore
	}
	var room [4]byte
	if l.Little {
		copy(room[:], data[l.At:l.At+l.Bytes])
	} else {
		for i, x := range data[l.At : l.At+l.Bytes] {
			room[l.Bytes-1-i] = x
		}
	}
	return l.fits(int64(binary.LittleEndian.Uint32(room[:])) + int64(l.More))
}

// fits returns the size of a message if a message may be that large.
func (l *ByLength) fits(n int64) int {
	if n < int64(l.Least) || n > int64(l.Most) {
		return NoMessage
	}
	return int(n)
}

func (l *ByLength) Plausible(way Direction, data []byte, p *Progress) int {
	n := l.Next(way, data, false, p)
	switch {
	case n == NoMessage, l.Begins != nil && !l.Begins(way, data):
		return NoMessage
	case len(data) < l.Least:
		return NeedMore
	}
	return n
}

func (*ByLength) Lost(Direction) {}

// ByLine is a Splitter for messages that are lines, including their ends. The last line of a connection may lack its
// end.
type ByLine struct {
	End  string // "\r\n"; "\n" cuts lines that end with either, and Walk sees which
	Most int    // bytes of the longest line, including its end

	// Begins reports whether a line can begin with data, which may be incomplete; see ByLength. data end at the latest
	// with the line, or with its first 512 bytes.
	Begins func(way Direction, data []byte) bool
}

func (l *ByLine) Next(_ Direction, data []byte, ended bool, p *Progress) int {
	at := bytes.Index(data, []byte(l.End))
	var whole int
	switch {
	case at >= 0:
		whole = p.Passed + at + len(l.End)
	case ended:
		whole = p.Passed + len(data)
	default: // the last bytes may be the beginning of the end
		p.Passed += max(len(data)-len(l.End)+1, 0)
		whole = p.Passed
	}
	switch {
	case whole > l.Most:
		return NoMessage
	case at < 0 && !ended:
		return NeedMore
	}
	return whole
}

func (l *ByLine) Plausible(way Direction, data []byte, p *Progress) int {
	const most = 512 // bytes that Begins sees: Passed stays 0 until they have come
	first := l.Begins != nil && p.Passed == 0
	n := l.Next(way, data, false, p)
	if !first {
		return n
	}
	head := data
	if n > 0 {
		head = data[:n]
	}
	if !l.Begins(way, head[:min(most, len(head))]) {
		return NoMessage
	}
	if len(head) < most {
		p.Passed = 0
	}
	return n
}

func (*ByLine) Lost(Direction) {}

// ProbeBy makes a ProbeStream from a Splitter without memory. A connection is Likely the protocol's if it begins with
// that many messages, all of them Plausible, and Maybe while nothing contradicts that. The ProbeStream answers so on
// the protocol's ports and at its known servers. Elsewhere the bytes alone must make it Sure, which it never is.
func ProbeBy(s Splitter, enough int) func(*Probe) Verdict {
	return func(p *Probe) Verdict {
		way := p.PortDirection()
		messages, broken := CountPlausible(s, way, p.Payload)
		switch {
		case !p.OnPort() && !p.Known, broken:
			return Verdict{}
		case messages < enough:
			return Verdict{Confidence: Maybe}
		}
		return Verdict{Confidence: Likely, Direction: way}
	}
}
