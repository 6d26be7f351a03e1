package tcp

// missed is a ring of ranges that streams did not deliver: gaps that were given up, and bytes that were dropped. If the
// bytes arrive later, they are reported once; their retransmissions are not reported. All streams share the ring. If
// the ring has dropped a range, its bytes are reported each time they arrive.
type missed struct {
	ring []span // the span at place p has index p modulo maxSpans
	end  uint32 // the place of the next span; there is no place 0
}

// A span is a range of positions of a stream.
type span struct {
	from, to int64
	previous uint32 // place of the stream's previous span, or 0
}

// maxSpans is the number of spans in the ring, a power of two.
const maxSpans = 4096

// add stores a range of a stream and returns its place. previous is the place of the stream's previous span, or 0 if
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

// take removes a range of a stream. It returns how many positions of the range were stored, and whether the ring may
// have dropped some. newest is the place of the stream's last span. take changes newest if it splits a span into two.
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
		before, after := span{from: s.from, to: first}, span{from: last, to: s.to}
		switch {
		case before.from == before.to:
			s.from = last
		case after.from == after.to:
			s.to = first
		default:
			s.to = first
			*newest = m.add(*newest, after.from, after.to)
		}
	}
	return n, false
}
