package tcp

import (
	"bytes"
	"slices"
)

// A doubt is a segment whose checksum is wrong, while those of its sender are right otherwise: the peer has dropped it,
// unless the damage was done on the way to the capture. It waits for a retransmission. If the peer acknowledges its
// bytes without one, or the stream goes on without it, it counts.
type doubt struct {
	stream  *Stream
	segment Segment
	packet  Origin
}

// Bounds on the doubts of all streams together, and on one of them.
const (
	maxDoubts     = 16
	maxDoubtBytes = 64 << 10
)

// A trust counts what the checksums of a stream's segments said.
type trust struct{ right, wrong uint8 }

// fewestRight is how many right checksums a wrong one needs before it, and maxWrongShare one of how many may be wrong.
const (
	fewestRight   = 3
	maxWrongShare = 8
)

// note counts a checksum and reports whether the segment is one of few that are damaged.
func (t *trust) note(sum Sum) bool {
	switch sum {
	case Right:
		t.right++
	case Wrong:
		t.wrong++
	}
	if t.right == 0xff {
		t.right, t.wrong = t.right/2, t.wrong/2
	}
	return sum == Wrong && t.right >= fewestRight && int(t.right) >= maxWrongShare*int(t.wrong-1)
}

// doubts reports whether a segment has no effect for now, since it is damaged.
func (s *Stream) doubts(a *Assembler, seg *Segment) bool {
	damaged := s.trust.note(seg.Sum)
	if !damaged || seg.Flags&(SYN|FIN|RST) != 0 || !s.begun || s.ended || !s.Other().begun ||
		len(seg.Payload) > maxDoubtBytes {
		return false
	}
	if at := s.position(seg.Seq); at+int64(len(seg.Payload)) <= s.next {
		return true // nothing of it is needed
	}
	if len(a.doubts) == maxDoubts {
		a.believe(0)
	}
	d := doubt{stream: s, segment: *seg, packet: a.packet}
	d.segment.Payload = bytes.Clone(seg.Payload)
	a.doubts = append(a.doubts, d)
	return true
}

// settleDoubts ends the doubts about segments of a connection whose bytes came again, or that the peer has.
func (c *Connection) settleDoubts(a *Assembler) {
	for i := 0; i < len(a.doubts); {
		d := &a.doubts[i]
		s := d.stream
		end := s.position(d.segment.Seq) + int64(len(d.segment.Payload))
		switch {
		case s.connection != c:
			i++
		case s.next >= end:
			a.doubts = slices.Delete(a.doubts, i, i+1)
		case s.ended || s.acked >= end:
			a.believe(i)
		default:
			i++
		}
	}
}

// believe gives a stream the segment of a doubt.
func (a *Assembler) believe(i int) {
	d := a.doubts[i]
	a.doubts = slices.Delete(a.doubts, i, i+1)
	packet := a.packet
	a.packet, a.latest = d.packet, &a.packet
	d.stream.add(a, d.stream.position(d.segment.Seq), &d.segment)
	a.packet, a.latest = packet, &a.packet
}

// believeNext gives a stream the first of its segments in doubt. It reports whether there is one.
func (s *Stream) believeNext(a *Assembler) bool {
	i := slices.IndexFunc(a.doubts, func(d doubt) bool { return d.stream == s })
	if i >= 0 {
		a.believe(i)
	}
	return i >= 0
}
