package decode

import "time"

const (
	// maxStreamBytes bounds what all streams together keep: unused tails, bytes behind holes,
	// and what is needed to manage them.
	maxStreamBytes = 16 << 20

	// holeTimeout is how long a stream waits at a hole for the missing bytes, unless the
	// other side acknowledges them before. A retransmission comes within seconds.
	holeTimeout = int64(10 * time.Second)
)

// A receiver takes what the streams give. It must not call the assembler or a connection, with
// the exception of ignore. The bytes it gets are valid during the call.
type receiver interface {
	// data gets bytes that follow those it got before, or the last gap. It returns how many it
	// has used up. The rest is kept and comes again, in front of what follows; it is told as
	// soon as there is more, however little.
	data(s *stream, b []byte) (used int)

	// gap tells that n bytes are missing. rest is what was not used before the gap; it will
	// not come again. n is 0 when nothing is missing but the rest has become too large to keep.
	gap(s *stream, n int64, rest []byte)

	// end tells that nothing follows. rest is what was not used.
	end(s *stream, why ending, rest []byte)

	// conflict tells of a segment that brought n bytes other than those that came first, the
	// first of them at this offset in the stream.
	conflict(s *stream, offset int64, n int)

	// midStream tells, before the first data, that the beginning of the stream was not seen.
	midStream(s *stream)
}

// ending is why a stream ends.
type ending uint8

const (
	finished     ending = iota // by the side that sends
	aborted                    // by a reset of either side
	expired                    // nothing came for long, or other connections needed the room
	replaced                   // the same ports are used again
	captureEnded               // there may have been more
)

// An origin names a packet.
type origin struct {
	serial int64 // counts the packets of all files, from 1
	frame  int   // number of the packet in its file
	file   string
	time   int64
}

// An assembler has what the connections share. Its memory is bounded. Set to; the rest is ready
// for use.
type assembler struct {
	to receiver

	// For the receiver. last is the packet without which the last byte could not be delivered.
	// That is the one at hand, but when a hole is given up: what waited behind it came before.
	// With a gap it is the packet that showed it.
	last *origin

	// The first kept bytes came before the others.
	kept   int
	keptIn *backlog
	from   *origin // of the others

	now          origin // the packet at hand
	latest       origin // the last, if another
	clock        int64  // its time, but see begin
	holes, tails queue
	history      history

	unusedBacklogs *backlog // linked by next
	unusedChunks   *chunk   // linked by next
	spare          [tailSizes][][]byte
	bytes          int // in all of these and in what is in use
}

// begin takes note of the next packet. Call it for packets of any kind: it lets streams go on
// that have waited too long.
//
// Packets can be slightly out of order, so the clock stands still while packet time is behind
// it. When it is behind by more than the timeout it was set back, or another file began, and
// what is missing will not come.
func (a *assembler) begin(o origin) {
	a.now = o
	a.last = &a.now
	if a.holes.oldest == nil {
		a.clock = o.time
		return
	}
	setBack := o.time < a.clock && elapsed(o.time, a.clock) > uint64(holeTimeout)
	for setBack && a.holes.oldest != nil {
		a.goOn(a.holes.oldest.stream, true)
	}
	if setBack {
		a.clock = o.time
	}
	a.clock = max(a.clock, o.time)
	for l := a.holes.oldest; l != nil && a.aged(l.since, holeTimeout); l = a.holes.oldest {
		a.goOn(l.stream, false)
	}
	a.last = &a.now
}

// aged reports whether so much time has passed since then.
func (a *assembler) aged(since, limit int64) bool {
	return a.clock > since && elapsed(since, a.clock) >= uint64(limit)
}

// goOn gives up the first hole of a stream, and those behind that are as old, or all.
func (a *assembler) goOn(s *stream, all bool) {
	if s.hole() != nil {
		s.skipHole(a)
	}
	for p := s.hole(); p != nil && (all || a.aged(p.from.time, holeTimeout)); p = s.hole() {
		s.skipHole(a)
	}
	a.settle(s)
}

// settle puts what a stream keeps where it belongs after a change.
func (a *assembler) settle(s *stream) {
	l := s.backlog
	if l == nil {
		return
	}
	if s.ended || l.chunks == nil && len(l.tail) == 0 {
		a.drop(l)
		return
	}
	queue := &a.holes
	if l.chunks == nil {
		queue, l.acked = &a.tails, 0
	}
	if l.queue == queue && (l.at == s.next || queue.newest == l && queue == &a.tails) {
		return
	}
	if l.queue != nil {
		l.queue.remove(l)
	}
	l.at, l.since = s.next, a.clock
	queue.push(l)
}

// balance brings the memory within its bound, at the cost of what is not in use, then of the
// streams that have waited longest at a hole, then of the oldest tails.
func (a *assembler) balance() {
	for a.bytes > maxStreamBytes {
		switch {
		case a.dropSpare():
		case a.holes.oldest != nil:
			a.goOn(a.holes.oldest.stream, true)
		case a.tails.oldest != nil:
			s := a.tails.oldest.stream
			if !s.ended {
				a.last = &a.now
				s.dropTail(a, 0)
			}
			a.settle(s)
		default:
			return // nothing is kept; not reached
		}
	}
}
