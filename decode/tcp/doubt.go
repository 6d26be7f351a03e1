package tcp

import (
	"bytes"
	"slices"
)

// A doubt is a segment with a wrong checksum, from a sender whose other checksums are right. The peer dropped the
// segment, unless only its captured copy is damaged. The segment waits until its bytes are retransmitted. If the peer
// acknowledges the bytes without a retransmission, or the stream continues without one, the segment is used.
type doubt struct {
	stream  *Stream
	segment Segment
	packet  Origin
}

// Limits on the number of doubts in all streams together, and on the bytes of one doubt.
const (
	maxDoubts     = 16
	maxDoubtBytes = 64 << 10
)

// trusts contains, in four bits for each side, how often the checksums of the side's segments were right.
type trusts uint8

// Each right checksum raises the trust in a side by one.
const (
	minTrust  = 3 // a wrong checksum counts as damage only if the trust is at least this
	wrongCost = 5 // how much a wrong checksum lowers the trust
	maxTrust  = 15
)

// note records the next checksum of a side. It reports whether the segment is damaged: its checksum is wrong, and wrong
// checksums are rare for that side.
func (t *trusts) note(side int, sum Sum) (damaged bool) {
	shift := 4 * side
	trust := *t >> shift & maxTrust
	before := trust
	switch sum {
	case Right:
		trust = min(trust+1, maxTrust)
	case Wrong:
		damaged = trust >= minTrust
		trust -= min(trust, wrongCost)
	}
	*t ^= (before ^ trust) << shift
	return damaged
}

// doubts reports whether a segment has no effect for now, because it is damaged.
func (s *Stream) doubts(a *Assembler, seg *Segment) bool {
	damaged := s.connection.trusts.note(s.Side(), seg.Sum)
	if !damaged || seg.Flags&(SYN|FIN|RST) != 0 || !s.begun || s.ended || !s.Other().begun ||
		len(seg.Payload) > maxDoubtBytes {
		return false
	}
	seg.At = s.position(seg.Seq)
	if seg.At+int64(len(seg.Payload)) <= s.next {
		s.old(a, seg.At, len(seg.Payload), Late)
		return true
	}
	if len(a.doubts) == maxDoubts {
		a.believe(0)
	}
	d := doubt{stream: s, segment: *seg, packet: a.packet}
	d.segment.Payload = bytes.Clone(seg.Payload)
	a.doubts = append(a.doubts, d)
	return true
}

// settleDoubts ends the doubts about segments of a connection whose bytes arrived again, or were acknowledged by the
// peer.
func (c *Connection) settleDoubts(a *Assembler) {
	for i := 0; i < len(a.doubts); {
		d := &a.doubts[i]
		s := d.stream
		at := s.position(d.segment.Seq)
		end := at + int64(len(d.segment.Payload))
		switch {
		case s.connection != c:
			i++
		case s.next >= end:
			s.old(a, at, len(d.segment.Payload), Late)
			a.doubts = slices.Delete(a.doubts, i, i+1)
		case s.ended || s.acked >= end:
			a.believe(i)
		default:
			i++
		}
	}
}

// believe adds the segment of a doubt to its stream.
func (a *Assembler) believe(i int) {
	d := a.doubts[i]
	a.doubts = slices.Delete(a.doubts, i, i+1)
	packet := a.packet
	a.packet, a.latest = d.packet, &a.packet
	d.stream.add(a, d.stream.position(d.segment.Seq), &d.segment)
	a.packet, a.latest = packet, &a.packet
}

// believeNext adds the first doubtful segment of a stream to the stream. It reports whether there was one.
func (s *Stream) believeNext(a *Assembler) bool {
	i := slices.IndexFunc(a.doubts, func(d doubt) bool { return d.stream == s })
	if i >= 0 {
		a.believe(i)
	}
	return i >= 0
}
