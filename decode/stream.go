package decode

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
)

// A stream is one direction of a connection.
//
// A position in it is a sequence number that does not wrap: the low 32 bits are those of the
// segments.
type stream struct {
	connection *connection
	start      int64    // position of the first byte
	next       int64    // of the next byte to deliver
	sent       int64    // what is missing before was cut off by the snap length
	fin        int64    // where the stream ends, 0 if not known
	acked      int64    // the other side has all before
	given      int64    // position of the first byte that the receiver is given
	recent     int64    // place of the newest bytes in the history
	backlog    *backlog // nil: nothing

	begun bool
	mid   bool // begun without having seen the SYN
	ended bool
}

// begin sets the position of the first byte. It leaves room for positions before.
func (s *stream) begin(seq uint32) {
	s.begun = true
	s.start = 1<<32 + int64(seq)
	s.next = s.start
}

// position finds the position of a sequence number: the one nearest to the next byte.
func (s *stream) position(seq uint32) int64 {
	return s.next + int64(int32(seq-uint32(s.next)))
}

// offset counts a position from the first byte of the stream.
func (s *stream) offset(position int64) int64 { return position - s.start }

// add takes the content of a segment at a position.
func (s *stream) add(a *assembler, at int64, seg *segment) {
	if s.ended || seg.size() == 0 && !seg.flags.has(flagFIN) {
		return
	}
	b, sent := seg.payload, at+int64(seg.size())
	end := at + int64(len(b))
	if seg.flags.has(flagFIN) && s.fin == 0 {
		s.fin = max(sent, s.next)
	}
	var d difference
	if old := min(int64(len(b)), s.next-at); old > 0 {
		a.history.compare(s.recent, at, b[:old], &d)
		s.prepend(a, at, b)
		at, b = at+old, b[old:]
	}
	inOrder := at <= s.next && (s.hole() == nil || s.hole().at >= end)
	if !inOrder {
		s.insert(a, at, b, &d)
		s.mark(a, end, sent)
	}
	if d.bytes > 0 && seg.size() > 1 && !s.ended { // a single byte may be a keep-alive's, which is any
		a.to.conflict(s, s.offset(d.at), d.bytes)
	}
	if inOrder {
		s.deliver(a, b, &a.now)
		s.sent = max(s.sent, sent)
	}
	s.drain(a)
	s.limit(a)
}

// deliver gives bytes to the receiver that follow those it got before. They are given in place,
// but for as many as it takes to complete what the receiver left unused of those before. from is
// the packet that brought them.
func (s *stream) deliver(a *assembler, b []byte, from *origin) {
	if s.fin != 0 {
		b = b[:min(int64(len(b)), s.fin-s.next)]
	}
	if len(b) == 0 {
		return
	}
	s.recent = a.history.add(s.recent, s.next, b)
	s.next += int64(len(b))
	a.from = from
	for len(b) > 0 && !s.ended {
		if s.backlog != nil && len(s.backlog.tail) > 0 {
			b = s.lengthen(a, b)
			continue
		}
		a.kept = 0
		s.given = s.next - int64(len(b))
		used := s.give(a, b)
		s.keep(a, b[used:])
		return
	}
}

// give calls the receiver.
func (s *stream) give(a *assembler, b []byte) (used int) {
	return min(max(a.to.data(s, b), 0), len(b))
}

// keep copies the bytes that the receiver left unused, which are of one segment.
func (s *stream) keep(a *assembler, rest []byte) {
	if len(rest) > 0 {
		l := a.hold(s)
		l.tail = append(a.buffer(len(rest)), rest...)
		l.marks = l.marks[:0]
		l.grown(a.from)
	}
}

// lengthen adds bytes to the tail and gives it to the receiver. It returns those that need no
// copy, since the receiver is done with the tail, or were not copied yet: the tail only doubles
// at a time, so that the end of a message does not drag the whole segment along.
func (s *stream) lengthen(a *assembler, b []byte) []byte {
	l := s.backlog
	kept := len(l.tail)
	n := min(len(b), max(kept, smallestTail))
	s.given = s.next - int64(len(b)+kept)
	if kept+n > maxTail {
		s.dropTail(a, 0)
		return b
	}
	s.growTail(a, kept+n)
	l.tail = append(l.tail, b[:n]...)
	l.grown(a.from)
	a.keptIn, a.kept = l, kept
	used := s.give(a, l.tail)
	if used < kept {
		l.use(used)
		return b[n:]
	}
	a.release(l.tail)
	l.tail = nil
	if n == len(b) {
		s.keep(a, b[used-kept:]) // the receiver has seen all of it
		return nil
	}
	return b[used-kept:]
}

// growTail makes room for size bytes.
func (s *stream) growTail(a *assembler, size int) {
	l := s.backlog
	if size > cap(l.tail) {
		larger := append(a.buffer(size), l.tail...)
		a.release(l.tail)
		l.tail = larger
	}
}

// prepend puts bytes in front of a stream that began with a later segment. It is too late once
// the receiver has used any.
func (s *stream) prepend(a *assembler, at int64, b []byte) {
	n := s.start - at
	if !s.mid || n <= 0 || n > maxEarly || n > int64(len(b)) {
		return
	}
	l := s.backlog
	if l == nil || len(l.tail) == 0 || s.next-int64(len(l.tail)) != s.start || len(l.tail)+int(n) > maxTail {
		return
	}
	s.start = at
	s.growTail(a, len(l.tail)+int(n))
	l.tail = append(l.tail, b[:n]...)
	copy(l.tail[n:], l.tail)
	copy(l.tail, b[:n])
	for i := range l.marks {
		l.marks[i].end += int(n)
	}
	s.giveTail(a)
}

// giveTail gives the receiver once more what it left unused.
func (s *stream) giveTail(a *assembler) {
	l := s.backlog
	a.keptIn, a.kept = l, len(l.tail)
	s.given = s.next - int64(len(l.tail))
	l.use(s.give(a, l.tail))
	if len(l.tail) == 0 {
		a.release(l.tail)
		l.tail = nil
	}
}

// retry gives the receiver what it left unused of this stream, while it is given another: it has
// learned from that what this is.
func (s *stream) retry(a *assembler) {
	if s.ended || s.backlog == nil || len(s.backlog.tail) == 0 {
		return
	}
	kept, in := a.kept, a.keptIn
	s.giveTail(a)
	a.kept, a.keptIn = kept, in
}

// dropTail tells that n bytes are missing, and that the tail before will not be completed.
func (s *stream) dropTail(a *assembler, n int64) {
	a.to.gap(s, n, s.tail(a))
	if l := s.backlog; l != nil {
		a.release(l.tail)
		l.tail = nil
	}
}

// tail gives what the receiver left unused, and tells it where that is from.
func (s *stream) tail(a *assembler) []byte {
	l := s.backlog
	if l == nil {
		a.kept = 0
		return nil
	}
	a.keptIn, a.kept = l, len(l.tail)
	return l.tail
}

// reach is where the bytes end that are known to exist.
func (s *stream) reach() int64 {
	if l := s.backlog; l != nil && l.last != nil {
		return max(s.next, s.acked, l.last.end())
	}
	return max(s.next, s.acked)
}
