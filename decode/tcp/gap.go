package tcp

import "time"

// acknowledgedTime is how long, in packet time, a stream waits for missing bytes that the other side has acknowledged.
// The bytes will not be sent again. But the capture may contain one direction of a connection later than the other, so
// the acknowledgement may precede the bytes.
const acknowledgedTime = int64(5 * time.Second)

// Waits reports whether bytes of the stream wait after a gap.
func (s *Stream) Waits() bool { return s.gap() != nil }

// Lacks reports whether the other side has acknowledged bytes of the stream that are missing. If only one sequence
// number after the last byte was acknowledged, it may belong to a FIN.
func (s *Stream) Lacks() bool { return s.acked > s.next+1 }

// gap returns the chunk after the first gap, or nil if there is none.
func (s *Stream) gap() *chunk {
	if s.backlog == nil || s.ended || s.complete() {
		return nil
	}
	return s.backlog.chunks
}

// complete reports whether all bytes of a stream were delivered, but the stream has not ended yet: see endWaits.
func (s *Stream) complete() bool { return !s.ended && s.fin != 0 && s.next >= s.fin }

// endWaits reports whether the end of the stream must wait, because the receiver may still learn from the other stream
// how to read the unused bytes of this one.
func (s *Stream) endWaits() bool {
	other := s.Other()
	return s.connection.Undecided && s.backlog != nil && len(s.backlog.tail) > 0 && other.begun && !other.ended &&
		!other.complete() && (other.gap() != nil || other.acked > other.next)
}

// insert keeps the new bytes of b; at is the position of b. It compares the other bytes of b with the bytes that
// arrived first.
func (s *Stream) insert(a *Assembler, at int64, b []byte, d *difference) {
	if len(b) == 0 {
		return
	}
	l := a.hold(s)
	link := &l.chunks
	if l.last != nil && l.last.end() <= at {
		link = &l.last.next // the usual case: segments after the gap arrive in order
	}
	for p := *link; p != nil && p.at < at+int64(len(b)); p = *link {
		if at < p.at {
			n := p.at - at
			l.put(link, a.newChunk(at, b[:n]))
			at, b = p.at, b[n:]
		}
		if n := min(int64(len(b)), p.end()-at); n > 0 {
			d.compare(at, b[:n], p.data[at-p.at:])
			at, b = at+n, b[n:]
		}
		link = &p.next
	}
	if len(b) > 0 {
		l.put(link, a.newChunk(at, b))
	}
}

// mark records that the snap length cut off the bytes of a segment between two positions, so the stream does not wait
// for them. At the end of the stream, mark makes a chunk even if no bytes were cut off. Bytes missing before that chunk
// then form a gap.
func (s *Stream) mark(a *Assembler, at, sent int64) {
	if at == sent && at != s.fin {
		return
	}
	l := a.hold(s)
	before := l.last
	if before != nil && before.at > at {
		before = nil
		for p := l.chunks; p.at <= at; p = p.next {
			before = p
		}
	}
	if before != nil && before.end() >= at {
		before.sent = max(before.sent, sent)
		return
	}
	p := a.newChunk(at, nil)
	p.sent = sent
	if before == nil {
		l.put(&l.chunks, p)
	} else {
		l.put(&before.next, p)
	}
}

// drain delivers the chunks that now follow the delivered bytes without a gap, and ends a complete stream.
func (s *Stream) drain(a *Assembler) {
	for !s.ended {
		p := s.gap()
		switch {
		case s.complete():
			if s.endWaits() {
				return
			}
			s.stop(a, s.ending())
		case p != nil && p.at <= s.next:
			s.backlog.take()
			s.sent = max(s.sent, p.sent)
			if p.from.Serial > a.latest.Serial {
				a.waitedFor(p)
			}
			s.deliver(a, p.data, &p.from)
			a.free(p)
		case s.next < s.sent:
			s.skip(a, s.sent)
		default:
			return
		}
	}
}

// goOn ends the stream if it is complete and need not wait. Otherwise it requeues the backlog.
func (s *Stream) goOn(a *Assembler) {
	if s.complete() {
		s.drain(a)
	}
	a.requeue(s)
}

func (s *Stream) ending() Ending {
	if s.aborted {
		return Aborted
	}
	return Finished
}

// waitedFor sets latest to the packet of a chunk. It copies the Origin, because the chunk will be freed.
func (a *Assembler) waitedFor(p *chunk) {
	a.waited = p.from
	a.latest = &a.waited
}

// skip reports that the bytes before a position, or before the next chunk if that is earlier, are missing.
func (s *Stream) skip(a *Assembler, to int64) {
	a.latest = &a.packet
	if p := s.gap(); p != nil && p.at <= to {
		to = p.at
		a.waitedFor(p)
	}
	if s.fin != 0 {
		to = min(to, s.fin)
	}
	n := to - s.next
	s.missed = a.missed.add(s.missed, s.next, to)
	a.position = s.next
	if l := s.backlog; l != nil {
		a.position -= int64(len(l.tail))
	}
	s.next = to
	s.dropTail(a, n)
}

// skipGap ends the wait for the first gap. Bytes missing before a reset may never have been sent, so in that case only
// acknowledged bytes count as missing.
func (s *Stream) skipGap(a *Assembler) {
	if len(a.doubts) > 0 && s.believeNext(a) {
		return
	}
	to := s.gap().at
	if s.aborted && to == s.fin {
		s.fin = min(to, s.known())
		to = s.fin
	}
	if to > s.next {
		s.skip(a, to)
	}
	s.drain(a)
}

// known returns the position after the bytes that the other side has received, as far as acknowledgements show. If only
// one more sequence number was acknowledged, it may belong to a FIN.
func (s *Stream) known() int64 {
	if s.Lacks() {
		return s.acked
	}
	return s.next
}

// skipAcknowledged skips the gaps whose bytes the other side acknowledged at least acknowledgedTime ago, because
// they will not be sent again.
func (s *Stream) skipAcknowledged(a *Assembler) {
	for p := s.gap(); p != nil && p.at <= s.acked; p = s.gap() {
		l := s.backlog
		if p.at > l.acked {
			l.acked, l.ackedTime = s.acked, a.now
			return
		}
		if !a.passed(l.ackedTime, acknowledgedTime) {
			return
		}
		s.skipGap(a)
	}
}

// limit skips gaps as long as too many bytes or chunks wait after them.
func (s *Stream) limit(a *Assembler) {
	for s.gap() != nil && (s.backlog.bytes > maxWaitingBytes || s.backlog.count > maxWaitingChunks) {
		s.skipGap(a)
	}
}

func (s *Stream) finish(a *Assembler, why Ending) {
	for believed := true; believed; {
		believed = len(a.doubts) > 0 && s.believeNext(a)
	}
	for s.gap() != nil {
		s.skipGap(a)
	}
	if s.ended || !s.begun {
		s.ended = true
		return
	}
	if s.complete() {
		s.stop(a, s.ending())
		return
	}
	// Acknowledged bytes after the last delivered byte are missing.
	if to := s.known(); to > s.next {
		s.skip(a, to)
	}
	if !s.ended { // the receiver may have called Ignore
		s.stop(a, why)
	}
}

// abort ends the stream at the position of a reset, but not before the last known byte, because the capture may contain
// missing bytes after the reset.
func (s *Stream) abort(a *Assembler, at int64) {
	switch {
	case s.ended:
		return
	case !s.begun:
		s.ended = true
		return
	case s.fin == 0:
		s.aborted = true
		s.fin = max(at, s.reach())
	}
	if s.next < s.fin {
		s.mark(a, s.fin, s.fin)
	}
	s.drain(a)
}

// stop ends the stream. The next call of requeue frees its backlog.
func (s *Stream) stop(a *Assembler, why Ending) {
	s.ended, s.fin = true, s.next
	a.latest = &a.packet
	rest := s.tail(a)
	a.position = s.next - int64(len(rest))
	s.connection.Receiver.End(s, why, rest)
	if s.backlog != nil {
		for p := s.backlog.chunks; p != nil; p = p.next {
			s.afterEnd(a, p.at, len(p.data))
		}
	}
}
