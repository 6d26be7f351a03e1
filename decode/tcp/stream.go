package tcp

const (
	// maxTail is the maximum size of a tail, which contains the bytes that the receiver left unused. It is at least the
	// size of a segment, and larger than any message.
	maxTail = maxSegment

	// Limits on the bytes and chunks that a stream may keep after gaps. A stream needs more only if the capture lacks
	// bytes as well as the other side's acknowledgements of them. The limit on chunks bounds the cost of one-byte
	// segments.
	maxWaitingBytes  = 256 << 10
	maxWaitingChunks = 1024

	// maxEarly is the maximum number of bytes that a stream may have before its first captured segment.
	maxEarly = 64 << 10

	// maxEarlyRatio limits how many bytes are passed to the receiver again for each byte that arrives before a tail. It
	// does not apply to short tails.
	maxEarlyRatio = 64
	shortTail     = 1 << 10
)

// A Stream is one direction of a Connection.
//
// A position is a sequence number that does not wrap around. Its low 32 bits are the sequence number in the segments.
type Stream struct {
	connection *Connection
	start      int64    // position of the first byte
	next       int64    // position of the next byte to deliver
	sent       int64    // the snap length cut off the bytes missing before this position
	fin        int64    // position of the end; 0: unknown; of an ended stream, the position after the latest bytes
	acked      int64    // the other side has acknowledged all bytes before this position
	recent     int64    // place of the newest record in delivered
	backlog    *backlog // nil if empty

	begun bool
	mid   bool // the stream began without a SYN
	ended bool

	aborted bool   // fin is the position of a reset
	missed  uint32 // place of the newest span in missed
}

// begin sets the position of the first byte. It leaves room for earlier positions.
func (s *Stream) begin(seq uint32) {
	s.begun = true
	s.start = 1<<32 + int64(seq)
	s.next = s.start
}

// Start returns the position of the first byte. The position decreases if the stream began without a SYN and earlier
// bytes arrive.
func (s *Stream) Start() int64 { return s.start }

// minAlone is the number of bytes after which a stream without a SYN can be Alone. With fewer bytes, the packets of the
// other side may still follow.
const minAlone = 512

// Alone reports whether this side sends bytes, but the capture contains nothing from the other side, not even
// acknowledgements.
func (s *Stream) Alone() bool {
	fewest := int64(1)
	if s.mid {
		fewest = minAlone
	}
	return s.begun && s.next-s.start >= fewest && s.acked == 0 && !s.Other().begun
}

// Other returns the other direction of the connection.
func (s *Stream) Other() *Stream { return &s.connection.streams[1-s.Side()] }

// position returns the position for a sequence number. Of all possible positions, it is the nearest to the next byte.
func (s *Stream) position(seq uint32) int64 {
	return s.next + int64(int32(seq-uint32(s.next)))
}

// offset returns the offset of a position from the first byte of the stream.
func (s *Stream) offset(position int64) int64 { return position - s.start }

// add adds the content of a segment at a position.
func (s *Stream) add(a *Assembler, at int64, seg *Segment) {
	if s.complete() && at+int64(len(seg.Payload)) > s.fin {
		s.stop(a, s.ending()) // these bytes are after the end
	}
	if s.ended {
		s.afterEnd(a, at, len(seg.Payload))
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
	if p := s.gap(); p != nil && at < p.at && len(b) > 0 {
		seg.Late = true
	}
	inOrder := at <= s.next && (s.gap() == nil || s.gap().at >= end)
	if !inOrder {
		s.insert(a, at, b, &d)
		s.mark(a, end, sent)
	}
	if d.bytes > 0 && seg.Size() > 1 && !s.ended { // a single byte may be a keep-alive, whose byte has any value
		s.connection.Receiver.Conflict(s, s.offset(d.at), d.bytes)
	}
	if inOrder {
		s.deliver(a, b, &a.packet)
		s.sent = max(s.sent, sent)
	}
	s.drain(a)
	s.limit(a)
}

// deliver passes the next bytes, which a packet contained, to the receiver. It copies them only if they follow a tail.
func (s *Stream) deliver(a *Assembler, b []byte, from *Origin) {
	if s.fin != 0 && s.next+int64(len(b)) > s.fin {
		n := max(s.fin-s.next, 0)
		s.insert(a, s.fin, b[n:], new(difference)) // stop reports these bytes
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
		a.position = s.next - int64(len(b))
		used := s.pass(b)
		s.keep(a, b[used:])
		return
	}
}

// pass passes bytes to the receiver and returns how many the receiver used.
func (s *Stream) pass(b []byte) (used int) {
	return min(max(s.connection.Receiver.Data(s, b), 0), len(b))
}

// keep copies the bytes of one segment that the receiver left unused.
func (s *Stream) keep(a *Assembler, rest []byte) {
	if len(rest) > 0 {
		l := a.hold(s)
		a.keepTail(l, rest)
		l.marks = l.marks[:0]
		l.grown(a.from)
	}
}

// lengthen appends bytes to the tail and passes the tail to the receiver. It returns the bytes that must still be
// passed: those that it did not append, because each call at most doubles the tail. If the receiver used the whole
// previous tail, lengthen also returns the appended bytes that the receiver did not use.
func (s *Stream) lengthen(a *Assembler, b []byte) []byte {
	l := s.backlog
	kept := len(l.tail)
	n := min(len(b), max(kept, smallestTail))
	a.position = s.next - int64(len(b)+kept)
	if kept+n > maxTail {
		s.dropTail(a, 0)
		return b
	}
	a.growTail(l, kept+n)
	l.tail = append(l.tail, b[:n]...)
	l.grown(a.from)
	a.keptIn, a.kept = l, kept
	used := s.pass(l.tail)
	if used < kept {
		l.use(used)
		return b[n:]
	}
	a.freeTail(l)
	if n == len(b) {
		s.keep(a, b[used-kept:]) // the receiver has seen all of b
		return nil
	}
	return b[used-kept:]
}

// prepend adds bytes before the start of a stream without a SYN. If the receiver has already used bytes of the stream,
// or earlier bytes were reported as unread, prepend does nothing and returns false.
func (s *Stream) prepend(a *Assembler, at int64, b []byte) bool {
	n := s.start - at
	if !s.mid || s.connection.flags&(early<<s.Side()) != 0 || n <= 0 || n > maxEarly || n > int64(len(b)) {
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
	s.passTail(a)
	return true
}

// passTail passes the unused bytes to the receiver again.
func (s *Stream) passTail(a *Assembler) {
	l := s.backlog
	a.keptIn, a.kept = l, len(l.tail)
	a.position = s.next - int64(len(l.tail))
	l.use(s.pass(l.tail))
	if len(l.tail) == 0 {
		a.freeTail(l)
	}
}

// Retry passes the unused bytes of this stream to the receiver again. The receiver may call Retry while it handles the
// other stream, if that stream shows how to read this one.
func (s *Stream) Retry(a *Assembler) {
	if s.ended || s.backlog == nil || len(s.backlog.tail) == 0 {
		return
	}
	before := a.delivery
	s.passTail(a)
	a.requeue(s)
	a.delivery = before
}

// dropTail reports a gap of n bytes after the tail, because the message in the tail will never be complete.
func (s *Stream) dropTail(a *Assembler, n int64) {
	s.connection.Receiver.Gap(s, Gap{
		Offset: s.offset(s.next) - n, Missing: n, Rest: s.tail(a),
		CutOff: n > 0 && s.sent > s.next-n, Crowded: a.bytes() > a.limit(),
	})
	if l := s.backlog; l != nil {
		a.freeTail(l)
	}
}

// tail returns the unused bytes, and sets their packets for OriginOf.
func (s *Stream) tail(a *Assembler) []byte {
	l := s.backlog
	if l == nil {
		a.kept = 0
		return nil
	}
	a.keptIn, a.kept = l, len(l.tail)
	return l.tail
}

// reach returns the position after the last byte that is known to exist.
func (s *Stream) reach() int64 {
	to := max(s.next, s.acked)
	if s.backlog != nil {
		for p := s.backlog.chunks; p != nil; p = p.next {
			to = max(to, p.sent)
		}
	}
	return to
}

// unread reports bytes that are not passed to the receiver.
func (s *Stream) unread(why Unread, n int) {
	if n != 0 && s.connection.flags&ignored == 0 {
		s.connection.Receiver.Unread(s, why, n)
	}
}

// keepsAlive reports whether n bytes may be a keep-alive: one byte of any value just before the start of the stream.
func (s *Stream) keepsAlive(at int64, n int) bool { return n == 1 && at == s.start-1 }

// old handles n bytes at a position before next. Late bytes are reported; retransmitted bytes are not.
func (s *Stream) old(a *Assembler, at int64, n int, why Unread) {
	end, first := at+int64(n), s.start
	if s.mid {
		first -= maxEarly
	}
	s.unread(Misplaced, int(max(min(end, first)-at, 0)))
	if at < s.start && s.mid && s.connection.flags&(early<<s.Side()) == 0 {
		s.connection.flags |= early << s.Side()
		s.missed = a.missed.add(s.missed, first, s.start)
	}
	if s.missed == 0 {
		return
	}
	at = max(at, first)
	missed, forgotten := a.missed.take(&s.missed, at, end)
	if forgotten && at < end { // reporting bytes twice is better than not reporting them
		missed = int(end-at) - a.delivered.covers(s.recent, at, end)
	}
	s.unread(why, missed)
}

// afterEnd handles n bytes that arrive after the stream has ended. fin is the position after all earlier bytes.
func (s *Stream) afterEnd(a *Assembler, at int64, n int) {
	if s.keepsAlive(at, n) {
		return
	}
	s.fin = max(s.fin, s.next)
	end := at + int64(n)
	if old := min(end, s.fin) - at; old > 0 {
		s.old(a, at, int(old), BehindEnd)
	}
	if from := max(at, s.fin); from < end {
		if from > s.fin {
			s.missed = a.missed.add(s.missed, s.fin, from)
		}
		s.fin = end
		s.unread(BehindEnd, int(end-from))
	}
}
