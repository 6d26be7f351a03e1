package tcp

// missed remembers which bytes of streams were not given: holes that were given up, and what was left out. So bytes
// that come after all are told, and told once, while those that only come again are not. It is one ring for all
// streams: what was given up long ago is forgotten, and its bytes are told each time they come then.
type missed struct {
	ring []span // place p is at p modulo its length
	end  uint32 // the place of the next span; 0 is none
}

// A span is positions of a stream.
type span struct {
	from, to int64
	previous uint32 // place of the stream's span before; 0: none
}

// maxSpans is how many are remembered, a power of two.
const maxSpans = 4096

// add remembers positions of a stream and returns their place. previous is that of the stream's span before, 0 if
// there is none.
func (m *missed) add(previous uint32, from, to int64) uint32 {
	if m.ring == nil {
		m.ring = make([]span, maxSpans)
	}
	place := max(m.end, 1)
	m.end = place + 1
	m.ring[place%maxSpans] = span{from, to, previous}
	return place
}

// take removes positions from those that are remembered of a stream, and returns how many there were, and whether there
// may have been more that are forgotten. newest is the place of the stream's last span; it is another one if a span
// falls into two.
func (m *missed) take(newest *uint32, from, to int64) (n int, forgotten bool) {
	for place, steps := *newest, 0; place != 0; steps++ {
		if m.end-place > maxSpans || steps == maxSteps {
			return n, true
		}
		s := &m.ring[place%maxSpans]
		place = s.previous
		first, last := max(from, s.from), min(to, s.to)
		if first >= last {
			continue
		}
		n += int(last - first)
		before, behind := span{from: s.from, to: first}, span{from: last, to: s.to}
		switch {
		case before.from == before.to:
			s.from = last
		case behind.from == behind.to:
			s.to = first
		default:
			s.to = first
			*newest = m.add(*newest, behind.from, behind.to)
		}
	}
	return n, false
}

// unread tells the receiver of bytes that it is not given.
func (s *Stream) unread(why Unread, n int) {
	if n != 0 && !s.connection.ignored {
		s.connection.Receiver.Unread(s, why, n)
	}
}

// keepsAlive reports whether n bytes may be the one of a keep-alive, from before the stream, which is any.
func (s *Stream) keepsAlive(at int64, n int) bool { return n == 1 && at == s.start-1 }

// old takes n bytes from before the next one: they came before, or too late.
func (s *Stream) old(a *Assembler, at int64, n int, why Unread) {
	end, first := at+int64(n), s.start
	if s.mid {
		first -= maxEarly
	}
	s.unread(Misplaced, int(max(min(end, first)-at, 0)))
	if at < s.start && s.mid && !s.connection.early[s.Side()] {
		s.connection.early[s.Side()] = true
		s.missed = a.missed.add(s.missed, first, s.start)
	}
	if s.missed == 0 {
		return
	}
	at = max(at, first)
	missed, forgotten := a.missed.take(&s.missed, at, end)
	if forgotten && at < end { // better told once more than not at all
		missed = int(end-at) - a.delivered.covers(s.recent, at, end)
	}
	s.unread(why, missed)
}

// behind takes n bytes of a stream that has ended. What came so far ends at fin.
func (s *Stream) behind(a *Assembler, at int64, n int) {
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
