package tcp

// A Connection is both directions of a TCP connection, as far as the capture has them. Set Receiver; the rest
// is ready for use. It must not be copied.
type Connection struct {
	Receiver Receiver

	streams [2]Stream
	ignored bool
	early   [2]bool // bytes from before the beginning of the stream were met

	// Undecided says that what one side sends may show what the other has sent. A stream that ends and has left
	// bytes unused is told to end when nothing that lacks of the other is waited for any more.
	Undecided bool

	first uint32 // the serial number of its first packet, as far as it fits
}

// Stream gives the direction from side 0 or 1.
func (c *Connection) Stream(side int) *Stream { return &c.streams[side] }

// Side is the side that sends the stream: 0 or 1.
func (s *Stream) Side() int {
	if s == &s.connection.streams[1] {
		return 1
	}
	return 0
}

// Add takes the next segment, which a side of the connection sent, and sets its position. It returns false,
// and does nothing, when the segment begins another connection on the same ports: close this one and give it to
// a new one.
func (c *Connection) Add(a *Assembler, side int, seg *Segment) bool {
	s, other := &c.streams[side], &c.streams[1-side]
	if s.connection == nil {
		s.connection, other.connection, c.first = c, c, uint32(a.packet.Serial)
	}
	if seg.Flags.Has(SYN) && !seg.Flags.Has(RST) && (c.over() || !s.acceptsSYN(seg, other)) {
		return false
	}
	if seg.Flags.Has(RST) {
		c.reset(a, s, seg)
	} else {
		s.open(a, seg, other)
		if seg.Flags.Has(ACK) && other.begun {
			other.acked = max(other.acked, other.position(seg.Ack))
		}
		if s.begun {
			seg.At = s.position(seg.Seq + seg.synLength())
			s.add(a, seg.At, seg)
		}
	}
	for i := range c.streams {
		s := &c.streams[i]
		if s.backlog != nil {
			s.skipAcknowledged(a)
		}
		s.goOn(a)
	}
	a.balance()
	return true
}

// synLength is 1 if the segment's first sequence number is that of a SYN, not of a byte.
func (s *Segment) synLength() uint32 { return uint32(s.Flags&SYN) / uint32(SYN) }

// open begins the stream of a segment if it has not begun, and that of the other side if this is
// the answer to its SYN. A bare acknowledgement begins none: it may be a keep-alive, which is
// numbered one too low.
func (s *Stream) open(a *Assembler, seg *Segment, other *Stream) {
	if !s.begun && s.ended && seg.Size() > 0 {
		s.begin(seg.Seq + seg.synLength()) // to tell what comes
	}
	if !s.begun && !s.ended {
		switch {
		case seg.Flags.Has(SYN):
			s.begin(seg.Seq + 1)
		case seg.Size() > 0 || seg.Flags.Has(FIN):
			s.begin(seg.Seq)
			s.mid = true
			a.kept = 0
			s.connection.Receiver.MidStream(s)
		}
	}
	if seg.Flags.Has(SYN) && seg.Flags.Has(ACK) && !other.begun && !other.ended {
		other.begin(seg.Ack)
	}
}

// acceptsSYN reports whether a SYN belongs to this connection.
func (s *Stream) acceptsSYN(seg *Segment, other *Stream) bool {
	if !s.begun {
		// To open a connection by a SYN alone, the other side may at most have sent its own.
		return seg.Flags.Has(ACK) || !other.mid
	}
	early := uint32(s.start) - (seg.Seq + 1)
	return early == 0 || s.mid && early <= maxEarly
}

// acceptsRST reports whether a reset has a number that the other side would take. An answer to a
// SYN has no number of its own stream yet.
func (s *Stream) acceptsRST(seg *Segment) bool {
	at := s.position(seg.Seq)
	return !s.begun || s.next <= at && at <= s.reach()+maxBeyond
}

// reset takes a reset of a side, which ends both streams. What it carries is part of none: a reason in words.
func (c *Connection) reset(a *Assembler, s *Stream, seg *Segment) {
	if len(seg.Payload) > 0 {
		s.unread(BehindEnd, len(seg.Payload))
	}
	if !s.acceptsRST(seg) {
		return
	}
	s.abort(a, s.position(seg.Seq))
	other, at := s.Other(), int64(0)
	if seg.Flags.Has(ACK) && other.begun {
		at = other.position(seg.Ack)
	}
	if at > other.reach()+maxBeyond {
		at = 0 // any number
	}
	other.abort(a, at)
}

// maxBeyond is how far behind the last byte that is known a reset may be.
const maxBeyond = 1 << 20

// Close ends what has not ended.
func (c *Connection) Close(a *Assembler, why Ending) {
	for i := range c.streams {
		s := &c.streams[i]
		s.finish(a, why)
		a.requeue(s)
	}
}

// Ignore says that the connection is of no interest: its receiver is not called again. It may call
// this itself.
func (c *Connection) Ignore() {
	c.ignored, c.streams[0].ended, c.streams[1].ended = true, true, true
}

// over reports whether something was said on the connection and both streams have ended: a SYN, be it
// the same as before, begins another one.
func (c *Connection) over() bool {
	said := c.streams[0].next > c.streams[0].start || c.streams[1].next > c.streams[1].start
	return said && c.done()
}

// done reports whether both streams have ended, and nothing but a new connection can follow.
func (c *Connection) done() bool { return c.streams[0].ended && c.streams[1].ended }
