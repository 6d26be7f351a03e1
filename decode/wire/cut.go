package wire

import (
	"bytes"
	"encoding/binary"
	"math"
)

// ByLength is a Splitter for messages that contain their length near the beginning.
type ByLength struct {
	At     int  // offset of the length in the message
	Bytes  int  // size of the length in bytes: 1, 2 or 4; for a Varint, its maximum size
	Little bool // the lowest byte is first
	Varint bool // the length is a Uvarint and does not count its own bytes
	More   int  // number of bytes that the length does not count, apart from the bytes of a Varint itself
	Least  int  // minimum size of a message, including the length and the bytes before it
	Most   int  // maximum size of a message; a message must fit in memory

	// Begins reports whether a message can begin with data, which may be incomplete. Plausible returns a size only if
	// Begins returns true and the size is possible. If Begins is nil, every possible size is plausible, so ByLength
	// finds false messages in streams of other protocols and after gaps.
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

// fits returns n if a message can have this size, and otherwise NoMessage.
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

// ByLine is a Splitter for messages that are lines. A message includes the end of its line. At the end of a connection,
// the last line may lack its end.
type ByLine struct {
	End  string // "\r\n"; with "\n", lines may end in either, and Walk must distinguish them
	Most int    // maximum size of a line in bytes, including its end

	// Begins reports whether a line can begin with data, which may be incomplete; see ByLength. data ends with the line
	// or after 512 bytes.
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
	default: // the last bytes may be the beginning of a line end
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
	const most = 512 // maximum number of bytes for Begins; Passed stays 0 until they have arrived
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

// ProbeBy makes a ProbeStream from a Splitter that keeps no state. On the protocol's ports and its known servers, the
// ProbeStream returns Likely if a connection begins with at least enough plausible messages, and Maybe as long as fewer
// have arrived. Elsewhere it returns No, because only Sure would be sufficient there, and plausible messages do not
// justify Sure.
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
