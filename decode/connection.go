package decode

// A connection is both directions of a TCP connection, as far as the capture has them.
type connection struct {
	conversation *conversation
	streams      [2]stream // from end a and from end b
	packets      uint32    // so far, to measure how long ago something was
}

// from is the end that sends the stream.
func (s *stream) from() end { return endIf(s == &s.connection.streams[1]) }

// add takes the next segment of the connection. It returns false, and does nothing, when the
// segment begins another connection on the same ports: close this one and give it to a new one.
func (c *connection) add(a *assembler, fromB bool, seg *segment) bool {
	s, other := &c.streams[0], &c.streams[1]
	if fromB {
		s, other = other, s
	}
	s.connection, other.connection = c, c
	if seg.flags.has(flagSYN) && !seg.flags.has(flagRST) && (c.over() || !s.acceptsSYN(seg, other)) {
		return false
	}
	c.packets++
	if seg.flags.has(flagRST) {
		if s.acceptsRST(seg) {
			c.close(a, aborted)
		}
	} else {
		s.open(a, seg, other)
		if seg.flags.has(flagACK) && other.begun {
			other.acked = max(other.acked, other.position(seg.ack))
		}
		if s.begun {
			seg.at = s.position(seg.seq + seg.synLength())
			s.add(a, seg.at, seg)
		}
	}
	for i := range c.streams {
		if s := &c.streams[i]; s.backlog != nil {
			s.skipAcknowledged(a)
			a.settle(s)
		}
	}
	a.balance()
	return true
}

// synLength is 1 if the segment's first sequence number is that of a SYN, not of a byte.
func (s *segment) synLength() uint32 { return uint32(s.flags&flagSYN) / uint32(flagSYN) }

// open begins the stream of a segment if it has not begun, and that of the other side if this is
// the answer to its SYN. A bare acknowledgement begins none: it may be a keep-alive, which is
// numbered one too low.
func (s *stream) open(a *assembler, seg *segment, other *stream) {
	if !s.begun && !s.ended {
		switch {
		case seg.flags.has(flagSYN):
			s.begin(seg.seq + 1)
		case seg.size() > 0 || seg.flags.has(flagFIN):
			s.begin(seg.seq)
			s.mid = true
			a.kept = 0
			a.to.midStream(s)
		}
	}
	if seg.flags.has(flagSYN) && seg.flags.has(flagACK) && !other.begun && !other.ended {
		other.begin(seg.ack)
	}
}

// acceptsSYN reports whether a SYN belongs to this connection.
func (s *stream) acceptsSYN(seg *segment, other *stream) bool {
	if !s.begun {
		// To open a connection by a SYN alone, the other side may at most have sent its own.
		return seg.flags.has(flagACK) || !other.mid
	}
	early := int32(uint32(s.start) - (seg.seq + 1))
	return early == 0 || s.mid && 0 < early && early <= maxEarly
}

// acceptsRST reports whether a reset has a number that the other side would take. An answer to a
// SYN has no number of its own stream yet.
func (s *stream) acceptsRST(seg *segment) bool {
	at := s.position(seg.seq)
	return !s.begun || s.next <= at && at <= s.reach()+maxBeyond
}

// maxBeyond is how far behind the last byte that is known a reset may be.
const maxBeyond = 1 << 20

// close ends what has not ended.
func (c *connection) close(a *assembler, why ending) {
	for i := range c.streams {
		s := &c.streams[i]
		s.finish(a, why)
		a.settle(s)
	}
}

// ignore says that the connection is of no interest: no stream of it is heard of again. The
// receiver may call it.
func (c *connection) ignore() {
	c.streams[0].ended, c.streams[1].ended = true, true
}

// over reports whether something was said on the connection and both streams have ended: a SYN, be it
// the same as before, begins another one.
func (c *connection) over() bool {
	said := c.streams[0].next > c.streams[0].start || c.streams[1].next > c.streams[1].start
	return said && c.done()
}

// done reports whether both streams have ended, and nothing but a new connection can follow.
func (c *connection) done() bool { return c.streams[0].ended && c.streams[1].ended }
