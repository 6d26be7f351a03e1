package tcp

// A stray is a SYN with another number than that of a connection which goes on. If the peer answers it, it opens a new
// connection; else the peer has sent what RFC 5961 calls a challenge ACK, and the SYN means nothing.
type stray struct {
	seq  uint32 // the number after that of the SYN
	side int8   // 1 or 2: that of the SYN, plus 1; 0: none
	far  bool   // no byte of the connection has such a number
}

// keepsStray reports whether a connection goes on after a SYN that it does not accept. Then it keeps it.
func (c *Connection) keepsStray(side int, seg *Segment) bool {
	s, other := &c.streams[side], &c.streams[1-side]
	said := s.next > s.start || other.next > other.start
	if seg.Flags.Has(ACK) || !said || !s.begun || !other.begun || s.ended || other.ended {
		return false
	}
	at := s.position(seg.Seq)
	c.stray = stray{
		seq: seg.Seq + 1, side: int8(side) + 1,
		far: at < s.start-maxBeyond || at > s.reach()+maxBeyond,
	}
	return true
}

// accepted reports whether a segment shows that the peer took the SYN for that of a new connection, or refused it: it
// acknowledges the SYN, or the side of the SYN goes on from there.
func (t *stray) accepted(c *Connection, side int, seg *Segment) bool {
	switch {
	case t.side == 0:
		return false
	case int(t.side) == side+1:
		return t.far && seg.Seq == t.seq && !seg.Flags.Has(SYN)
	}
	return seg.Flags.Has(ACK) && seg.Ack == t.seq && (t.far || seg.Flags&(SYN|RST) != 0)
}

// Stray returns the SYN that a connection has kept, if its peer has answered it: a new connection begins with it. side
// is that of the SYN.
func (c *Connection) Stray() (syn Segment, side int, ok bool) {
	t := &c.stray
	return Segment{Seq: t.seq - 1, Flags: SYN}, int(t.side) - 1, t.side != 0
}
