package tcp

const (
	// maxTail is how much a receiver may leave unused, at least a segment. No message of the
	// protocols is as long.
	maxTail = maxSegment

	// What a stream may keep behind holes. More comes only where the capture has lost bytes and
	// does not have the other side's acknowledgements. The number of chunks bounds what segments
	// of one byte cost.
	maxHeldBytes  = 256 << 10
	maxHeldChunks = 1024

	// maxEarly is how far before the first segment seen the stream may still turn out to begin.
	maxEarly = 64 << 10

	// For a byte that comes in front of a tail the receiver is given so many once more at most, unless the tail
	// is short.
	maxEarlyRatio = 64
	shortTail     = 1 << 10
)

// A Stream is one direction of a Connection.
//
// A position in it is a sequence number that does not wrap: the low 32 bits are those of the
// segments.
type Stream struct {
	connection *Connection
	start      int64    // position of the first byte
	next       int64    // of the next byte to deliver
	sent       int64    // what is missing before was cut off by the snap length
	fin        int64    // where the stream ends, 0 if not known; when it has, where what came behind it ends
	acked      int64    // the other side has all before
	recent     int64    // place of the newest bytes among those delivered
	backlog    *backlog // nil: nothing

	begun bool
	mid   bool // begun without having seen the SYN
	ended bool

	aborted bool   // the end is a reset's
	missed  uint32 // place of the newest positions among those given up
}

// begin sets the position of the first byte. It leaves room for positions before.
func (s *Stream) begin(seq uint32) {
	s.begun = true
	s.start = 1<<32 + int64(seq)
	s.next = s.start
}

// Start is the position of the first byte. A stream that was met in the middle may turn out to begin earlier.
func (s *Stream) Start() int64 { return s.start }

// Other is the other direction of the connection.
func (s *Stream) Other() *Stream { return &s.connection.streams[1-s.Side()] }

// position finds the position of a sequence number: the one nearest to the next byte.
func (s *Stream) position(seq uint32) int64 {
	return s.next + int64(int32(seq-uint32(s.next)))
}

// offset counts a position from the first byte of the stream.
func (s *Stream) offset(position int64) int64 { return position - s.start }

// add takes the content of a segment at a position.
func (s *Stream) add(a *Assembler, at int64, seg *Segment) {
	if s.complete() && at+int64(len(seg.Payload)) > s.fin {
		s.stop(a, s.ending()) // nothing that follows is part of it
	}
	if s.ended {
		s.behind(a, at, len(seg.Payload))
		return
	}
	if seg.Size() == 0 && !seg.Flags.Has(FIN) {
		return
	}
	b, sent := seg.Payload, at+int64(seg.Size())
	end := at + int64(len(b))
	if seg.Flags.Has(FIN) && s.fin == 0 {
		s.fin = max(sent, s.next)
	}
	var d difference
	if old := min(int64(len(b)), s.next-at); old > 0 {
		a.delivered.compare(s.recent, at, b[:old], &d)
		if !s.prepend(a, at, b) && !s.keepsAlive(at, len(b)) {
			s.old(a, at, int(old), Late)
		}
		at, b = at+old, b[old:]
	}
	inOrder := at <= s.next && (s.hole() == nil || s.hole().at >= end)
	if !inOrder {
		s.insert(a, at, b, &d)
		s.mark(a, end, sent)
	}
	if d.bytes > 0 && seg.Size() > 1 && !s.ended { // a single byte may be a keep-alive's, which is any
		s.connection.Receiver.Conflict(s, s.offset(d.at), d.bytes)
	}
	if inOrder {
		s.deliver(a, b, &a.packet)
		s.sent = max(s.sent, sent)
	}
	s.drain(a)
	s.limit(a)
}

// deliver gives bytes to the receiver that follow those it got before. They are given in place,
// but for as many as it takes to complete what the receiver left unused of those before. from is
// the packet that brought them.
func (s *Stream) deliver(a *Assembler, b []byte, from *Origin) {
	if s.fin != 0 && s.next+int64(len(b)) > s.fin {
		n := max(s.fin-s.next, 0)
		s.insert(a, s.fin, b[n:], new(difference)) // to be told when the stream ends
		b = b[:n]
	}
	if len(b) == 0 {
		return
	}
	s.recent = a.remember(s.recent, s.next, b)
	s.next += int64(len(b))
	a.from = from
	for len(b) > 0 && !s.ended {
		if s.backlog != nil && len(s.backlog.tail) > 0 {
			b = s.lengthen(a, b)
			continue
		}
		a.kept = 0
		a.given = s.next - int64(len(b))
		used := s.give(b)
		s.keep(a, b[used:])
		return
	}
}

// give calls the receiver.
func (s *Stream) give(b []byte) (used int) {
	return min(max(s.connection.Receiver.Data(s, b), 0), len(b))
}

// keep copies the bytes that the receiver left unused, which are of one segment.
func (s *Stream) keep(a *Assembler, rest []byte) {
	if len(rest) > 0 {
		l := a.hold(s)
		a.keepTail(l, rest)
		l.marks = l.marks[:0]
		l.grown(a.from)
	}
}

// lengthen adds bytes to the tail and gives it to the receiver. It returns those that need no
// copy, since the receiver is done with the tail, or were not copied yet: the tail only doubles
// at a time, so that the end of a message does not drag the whole segment along.
func (s *Stream) lengthen(a *Assembler, b []byte) []byte {
	l := s.backlog
	kept := len(l.tail)
	n := min(len(b), max(kept, smallestTail))
	a.given = s.next - int64(len(b)+kept)
	if kept+n > maxTail {
		s.dropTail(a, 0)
		return b
	}
	a.growTail(l, kept+n)
	l.tail = append(l.tail, b[:n]...)
	l.grown(a.from)
	a.keptIn, a.kept = l, kept
	used := s.give(l.tail)
	if used < kept {
		l.use(used)
		return b[n:]
	}
	a.freeTail(l)
	if n == len(b) {
		s.keep(a, b[used-kept:]) // the receiver has seen all of it
		return nil
	}
	return b[used-kept:]
}

// prepend puts bytes in front of a stream that began with a later segment. It is too late once
// the receiver has used any, or was told of some that it is not given. Then it does nothing and returns false.
func (s *Stream) prepend(a *Assembler, at int64, b []byte) bool {
	n := s.start - at
	if !s.mid || s.connection.early[s.Side()] || n <= 0 || n > maxEarly || n > int64(len(b)) {
		return false
	}
	l := s.backlog
	if l == nil || len(l.tail) == 0 || s.next-int64(len(l.tail)) != s.start || len(l.tail)+int(n) > maxTail {
		return false
	}
	if len(l.tail) > max(maxEarlyRatio*int(n), shortTail) {
		return false
	}
	s.start -= n
	a.growTail(l, len(l.tail)+int(n))
	l.tail = append(l.tail, b[:n]...)
	copy(l.tail[n:], l.tail)
	copy(l.tail, b[:n])
	for i := range l.marks {
		l.marks[i].end += int(n)
	}
	s.giveTail(a)
	return true
}

// giveTail gives the receiver once more what it left unused.
func (s *Stream) giveTail(a *Assembler) {
	l := s.backlog
	a.keptIn, a.kept = l, len(l.tail)
	a.given = s.next - int64(len(l.tail))
	l.use(s.give(l.tail))
	if len(l.tail) == 0 {
		a.freeTail(l)
	}
}

// Retry gives the receiver what it left unused of this stream, while it is given another: it has
// learned from that what this is.
func (s *Stream) Retry(a *Assembler) {
	if s.ended || s.backlog == nil || len(s.backlog.tail) == 0 {
		return
	}
	before := a.delivery
	s.giveTail(a)
	a.requeue(s)
	a.delivery = before
}

// dropTail tells that n bytes are missing, and that the tail before will not be completed.
func (s *Stream) dropTail(a *Assembler, n int64) {
	s.connection.Receiver.Gap(s, Gap{
		Offset: s.offset(s.next) - n, Missing: n, Rest: s.tail(a),
		CutOff: n > 0 && s.sent > s.next-n, Crowded: a.bytes() > a.most(),
	})
	if l := s.backlog; l != nil {
		a.freeTail(l)
	}
}

// tail gives what the receiver left unused, and tells it where that is from.
func (s *Stream) tail(a *Assembler) []byte {
	l := s.backlog
	if l == nil {
		a.kept = 0
		return nil
	}
	a.keptIn, a.kept = l, len(l.tail)
	return l.tail
}

// reach is where the bytes end that are known to exist.
func (s *Stream) reach() int64 {
	to := max(s.next, s.acked)
	if s.backlog != nil {
		for p := s.backlog.chunks; p != nil; p = p.next {
			to = max(to, p.sent)
		}
	}
	return to
}
