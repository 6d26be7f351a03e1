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

// A trusts says of either side how often the checksums of its segments are right, in four bits each.
type trusts uint8

// How much trust a wrong checksum needs, how much it takes, and how much there can be. It falls faster than it rises.
const (
	fewestRight = 3
	lostByWrong = 5
	mostTrust   = 15
)

// note takes the next checksum of a side and reports whether the segment is one of few that are damaged.
func (t *trusts) note(side int, sum Sum) (damaged bool) {
	shift := 4 * side
	trust := *t >> shift & mostTrust
	before := trust
	switch sum {
	case Right:
		trust = min(trust+1, mostTrust)
	case Wrong:
		damaged = trust >= fewestRight
		trust -= min(trust, lostByWrong)
	}
	*t ^= (before ^ trust) << shift
	return damaged
}

// doubts reports whether a segment has no effect for now, since it is damaged.
func (s *Stream) doubts(a *Assembler, seg *Segment) bool {
	damaged := s.connection.trusts.note(s.Side(), seg.Sum)
	if !damaged || seg.Flags&(SYN|FIN|RST) != 0 || !s.begun || s.ended || !s.Other().begun ||
		len(seg.Payload) > maxDoubtBytes {
		return false
	}
	seg.At = s.position(seg.Seq)
	if seg.At+int64(len(seg.Payload)) <= s.next {
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
