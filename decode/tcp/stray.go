package tcp

import "slices"

// A stray is a SYN with an unexpected sequence number, on the ports of an open connection. If the peer accepts or
// refuses the SYN, the connection is over. Otherwise the peer sends an acknowledgement of the open connection, which
// RFC 5961 calls a challenge ACK, and the SYN has no effect.
type stray struct {
	connection *Connection
	side       int    // side that sent the SYN
	seq        uint32 // sequence number after the SYN
	far        bool   // the sequence number is outside the connection's range
}

// maxStrays limits the number of strays of all connections together.
const maxStrays = 16

// keepsStray reports whether a connection may continue after a SYN that it does not accept. If so, it keeps the SYN.
func (c *Connection) keepsStray(a *Assembler, side int, seg *Segment) bool {
	s, other := &c.streams[side], &c.streams[1-side]
	hasData := s.next > s.start || other.next > other.start
	if seg.Flags.Has(ACK) || !hasData || !s.begun || !other.begun || s.ended || other.ended {
		return false
	}
	a.dropStray(c)
	if len(a.strays) == maxStrays {
		a.strays = slices.Delete(a.strays, 0, 1)
	}
	at := s.position(seg.Seq)
	far := at < s.start-maxBeyond || at > s.reach()+maxBeyond
	a.strays = append(a.strays, stray{connection: c, side: side, seq: seg.Seq + 1, far: far})
	return true
}

// acceptsStray reports whether a segment shows that the peer accepted a SYN as the start of a new connection, or
// refused it. That is so if the segment acknowledges the SYN or continues after it.
func (c *Connection) acceptsStray(a *Assembler, side int, seg *Segment) bool {
	t := a.strayOf(c)
	switch {
	case t == nil:
		return false
	case t.side == side:
		return t.far && seg.Seq == t.seq && !seg.Flags.Has(SYN)
	}
	return seg.Flags.Has(ACK) && seg.Ack == t.seq && (t.far || seg.Flags&(SYN|RST) != 0)
}

// Stray returns the SYN that a connection has kept, if any, and the side that sent it. If Connection.Add returns false
// for another segment, the new connection begins with that SYN.
func (a *Assembler) Stray(c *Connection) (syn Segment, side int, ok bool) {
	t := a.strayOf(c)
	if t == nil {
		return syn, 0, false
	}
	return Segment{Seq: t.seq - 1, Flags: SYN}, t.side, true
}

func (a *Assembler) strayOf(c *Connection) *stray {
	for i := range a.strays {
		if a.strays[i].connection == c {
			return &a.strays[i]
		}
	}
	return nil
}

func (a *Assembler) dropStray(c *Connection) {
	a.strays = slices.DeleteFunc(a.strays, func(t stray) bool { return t.connection == c })
}
