package tcp

import "time"

// acknowledgedTime is how much packet time a stream waits at a hole that the other side has acknowledged: what is
// missing will not be sent again, but a capture may have the two directions of a connection out of step.
const acknowledgedTime = int64(5 * time.Second)

// Waits reports whether bytes of the stream wait behind a hole.
func (s *Stream) Waits() bool { return s.hole() != nil }

// hole gives the chunk behind the first hole, nil if the stream waits for nothing.
func (s *Stream) hole() *chunk {
	if s.backlog == nil || s.ended || s.complete() {
		return nil
	}
	return s.backlog.chunks
}

// complete reports whether all was delivered of a stream, and it waits with its end, see endWaits, or is about to end.
func (s *Stream) complete() bool { return !s.ended && s.fin != 0 && s.next >= s.fin }

// endWaits reports whether the receiver may yet learn from the other stream what to do with the bytes that it has left
// unused.
func (s *Stream) endWaits() bool {
	other := s.Other()
	return s.connection.Undecided && s.backlog != nil && len(s.backlog.tail) > 0 && other.begun && !other.ended &&
		!other.complete() && (other.hole() != nil || other.acked > other.next)
}

// insert keeps, of the bytes b at a position, those that no segment has brought before, and
// compares the others.
func (s *Stream) insert(a *Assembler, at int64, b []byte, d *difference) {
	if len(b) == 0 {
		return
	}
	l := a.hold(s)
	link := &l.chunks
	if l.last != nil && l.last.end() <= at {
		link = &l.last.next // the common case: what follows the hole comes in order
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

// mark remembers that a segment's bytes from a position up to sent were cut off, so that they
// are not waited for when the stream gets there. Where the stream ends, it makes sure that there
// is a chunk even if nothing was cut off, so that what is missing before is a hole.
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

// drain delivers the chunks that are no longer behind a hole.
func (s *Stream) drain(a *Assembler) {
	for !s.ended {
		p := s.hole()
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

// goOn ends the stream if it is complete and waits for nothing, and puts what it keeps where it belongs.
func (s *Stream) goOn(a *Assembler) {
	if s.complete() {
		s.drain(a)
	}
	a.requeue(s)
}

// ending is why a stream ends whose end is known.
func (s *Stream) ending() Ending {
	if s.aborted {
		return Aborted
	}
	return Finished
}

// waitedFor makes the packet of a chunk the last one, with a copy that outlives the chunk.
func (a *Assembler) waitedFor(p *chunk) {
	a.waited = p.from
	a.latest = &a.waited
}

// skip tells that what lacks before a position, or before the next chunk, will not come.
func (s *Stream) skip(a *Assembler, to int64) {
	a.latest = &a.packet
	if p := s.hole(); p != nil && p.at <= to {
		to = p.at
		a.waitedFor(p)
	}
	if s.fin != 0 {
		to = min(to, s.fin)
	}
	n := to - s.next
	s.missed = a.missed.add(s.missed, s.next, to)
	a.given = s.next
	if l := s.backlog; l != nil {
		a.given -= int64(len(l.tail))
	}
	s.next = to
	s.dropTail(a, n)
}

// skipHole gives up the first hole. What lacks before a reset nobody has to have sent, but for what was acknowledged.
func (s *Stream) skipHole(a *Assembler) {
	to := s.hole().at
	if s.aborted && to == s.fin {
		s.fin = min(to, s.known())
		to = s.fin
	}
	if to > s.next {
		s.skip(a, to)
	}
	s.drain(a)
}

// known is where the bytes end that the other side has: a single number more may as well be that of a FIN.
func (s *Stream) known() int64 {
	if s.acked > s.next+1 {
		return s.acked
	}
	return s.next
}

// skipAcknowledged gives up the holes that the other side has acknowledged some time ago: it has
// the bytes, so they will not be sent again.
func (s *Stream) skipAcknowledged(a *Assembler) {
	for p := s.hole(); p != nil && p.at <= s.acked; p = s.hole() {
		l := s.backlog
		if p.at > l.acked {
			l.acked, l.ackedTime = s.acked, a.now
			return
		}
		if !a.passed(l.ackedTime, acknowledgedTime) {
			return
		}
		s.skipHole(a)
	}
}

// limit gives up holes behind which too much waits.
func (s *Stream) limit(a *Assembler) {
	for s.hole() != nil && (s.backlog.bytes > maxHeldBytes || s.backlog.count > maxHeldChunks) {
		s.skipHole(a)
	}
}

// finish gives up all holes and ends the stream.
func (s *Stream) finish(a *Assembler, why Ending) {
	for s.hole() != nil {
		s.skipHole(a)
	}
	if s.ended || !s.begun {
		s.ended = true
		return
	}
	if s.complete() {
		s.stop(a, s.ending())
		return
	}
	// What the other side has beyond the last byte seen is missing.
	if to := s.known(); to > s.next {
		s.skip(a, to)
	}
	if !s.ended { // the receiver may have chosen to ignore it
		s.stop(a, why)
	}
}

// abort ends the stream because of a reset, where that says, behind all that is known of the stream: what lacks
// before may stand behind the reset in the capture.
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

// stop ends the stream. requeue frees what it keeps.
func (s *Stream) stop(a *Assembler, why Ending) {
	s.ended, s.fin = true, s.next
	a.latest = &a.packet
	rest := s.tail(a)
	a.given = s.next - int64(len(rest))
	s.connection.Receiver.End(s, why, rest)
	if s.backlog != nil {
		for p := s.backlog.chunks; p != nil; p = p.next {
			s.behind(a, p.at, len(p.data))
		}
	}
}
