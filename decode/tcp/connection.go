package tcp

// A Connection contains both directions of a TCP connection, as far as they were captured. It is ready for use once
// Receiver is set. It must not be copied.
type Connection struct {
	Receiver Receiver

	streams [2]Stream
	trusts  trusts
	flags   uint8 // bits, see early

	// Marks is for use by the caller. It is in this struct because it takes no additional memory here.
	Marks uint8

	// Undecided says that the receiver may still learn from one stream how to read the other. While it is true, a
	// complete stream with unused bytes does not end as long as the other stream has gaps.
	Undecided bool

	first uint32 // low 32 bits of the serial number of the first packet
}

// Stream returns the stream that side 0 or 1 sends.
func (c *Connection) Stream(side int) *Stream { return &c.streams[side] }

// Side returns the side that sends the stream: 0 or 1.
func (s *Stream) Side() int {
	if s == &s.connection.streams[1] {
		return 1
	}
	return 0
}

// Whole reports whether the capture contains the beginning of both streams.
func (c *Connection) Whole() bool {
	a, b := &c.streams[0], &c.streams[1]
	return a.begun && b.begun && !a.mid && !b.mid
}

// Silent reports whether neither side has sent a byte. This requires that the capture contains the beginning of the
// connection, and that the acknowledgements and the ends of the streams show that no byte is missing.
func (c *Connection) Silent() bool {
	silent := func(s *Stream) bool {
		return s.next == s.start && s.backlog == nil && s.acked <= s.start && s.fin <= s.start
	}
	return c.Whole() && silent(&c.streams[0]) && silent(&c.streams[1])
}

// Add handles the next segment, sent by side 0 or 1, and sets its position. If the segment belongs to another
// connection on the same ports, Add does nothing and returns false. The caller must then close this connection and pass
// the segment to a new one.
func (c *Connection) Add(a *Assembler, side int, seg *Segment) bool {
	s, other := &c.streams[side], &c.streams[1-side]
	if s.connection == nil {
		s.connection, other.connection, c.first = c, c, uint32(a.packet.Serial)
	}
	if seg.Flags.Has(SYN) && !seg.Flags.Has(RST) && (c.over() || !s.acceptsSYN(seg, other)) {
		seg.Ignored = c.keepsStray(a, side, seg)
		return seg.Ignored
	}
	if len(a.strays) > 0 && c.acceptsStray(a, side, seg) {
		return false
	}
	if c.over() && !seg.Flags.Has(RST) && s.isForeign(seg) {
		return false // the capture lacks the SYN
	}
	if seg.Ignored = s.doubts(a, seg); seg.Ignored {
		return true
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
	if len(a.doubts) > 0 {
		c.settleDoubts(a)
	}
	for i := range c.streams {
		s := &c.streams[i]
		if s.backlog != nil {
			s.skipAcknowledged(a)
		}
		if s.backlog != nil || s.fin != 0 {
			s.goOn(a)
		}
	}
	a.balance()
	return true
}

// synLength returns 1 if the segment's first sequence number belongs to a SYN, and 0 if it belongs to a byte.
func (s *Segment) synLength() uint32 { return uint32(s.Flags&SYN) / uint32(SYN) }

// open begins the stream of a segment if it has not begun yet. If the segment answers the SYN of the other stream, open
// also begins the other stream. A bare acknowledgement begins no stream, because it may be a keep-alive, whose sequence
// number is one too low.
func (s *Stream) open(a *Assembler, seg *Segment, other *Stream) {
	if !s.begun && s.ended && seg.Size() > 0 {
		s.begin(seg.Seq + seg.synLength()) // then its bytes are reported as unread
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
		// A SYN without ACK opens a connection only if the other side has sent nothing except its own SYN.
		return seg.Flags.Has(ACK) || !other.mid
	}
	early := uint32(s.start) - (seg.Seq + 1)
	return early == 0 || s.mid && early <= maxEarly
}

// isForeign reports whether the bytes of a segment are so far from this ended stream that they belong to another
// connection.
func (s *Stream) isForeign(seg *Segment) bool {
	at := s.position(seg.Seq)
	return s.begun && seg.Size() > 0 && (at < s.start-maxBeyond || at > max(s.fin, s.next)+maxBeyond)
}

// acceptsRST reports whether the other side would accept the sequence number of a reset. A reset that answers a SYN may
// have any number.
func (s *Stream) acceptsRST(seg *Segment) bool {
	at := s.position(seg.Seq)
	return !s.begun || s.next <= at && at <= s.reach()+maxBeyond
}

// reset handles a reset, which ends both streams. The payload of a reset, if any, is a text that explains it, and not
// part of a stream.
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
		at = 0 // the number is not valid
	}
	other.abort(a, at)
}

// maxBeyond is the maximum distance from the last known byte to the sequence number of a reset, and from an ended
// stream to a byte of the same connection.
const maxBeyond = 1 << 20

// Bits of Connection.flags. For side 1, the bit early is shifted left by one.
const (
	early   = 1 << 0 // a segment contained bytes from before Stream.start
	ignored = 1 << 2
)

// Close ends the streams that have not ended.
func (c *Connection) Close(a *Assembler, why Ending) {
	if len(a.strays) > 0 {
		a.dropStray(c)
	}
	for i := range c.streams {
		s := &c.streams[i]
		s.finish(a, why)
		a.requeue(s)
	}
}

// Ignore ends both streams without further calls of the Receiver. The Receiver may call Ignore.
func (c *Connection) Ignore() {
	c.flags |= ignored
	c.streams[0].ended, c.streams[1].ended = true, true
}

// over reports whether both streams have ended and at least one of them had bytes. If so, any SYN begins another
// connection.
func (c *Connection) over() bool {
	hasData := c.streams[0].next > c.streams[0].start || c.streams[1].next > c.streams[1].start
	return hasData && c.done()
}

// done reports whether both streams have ended.
func (c *Connection) done() bool { return c.streams[0].ended && c.streams[1].ended }
