package tcp

import (
	"cmp"
	"math/bits"
	"slices"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

const (
	// maxStreamBytes bounds what all streams together keep, unless the Assembler has another bound.
	maxStreamBytes = 16 << 20

	// holeTimeout is how long a stream waits at a hole for the missing bytes, unless the
	// other side acknowledges them before. A retransmission comes within seconds.
	holeTimeout = int64(10 * time.Second)
)

// A Receiver takes what the streams of a connection give. It must not call the Assembler or a Connection,
// with the exception of Connection.Ignore and Stream.Retry. The bytes it gets are valid during the call.
type Receiver interface {
	// Data gets bytes that follow those it got before, or the last gap. It returns how many it has used up.
	// The rest is kept and comes again, in front of what follows, as soon as there is more, however little.
	Data(s *Stream, b []byte) (used int)

	// Gap tells that bytes are missing.
	Gap(s *Stream, g Gap)

	// End tells that nothing follows. rest is what was not used.
	End(s *Stream, why Ending, rest []byte)

	// Conflict tells of a segment that brought n bytes other than those that came first, the first of them
	// at this offset in the stream.
	Conflict(s *Stream, offset int64, n int)

	// Unread tells of n bytes that came and are not given, or if n is negative, of some that it told of and that are
	// given after all.
	Unread(s *Stream, why Unread, n int)

	// MidStream tells, before the first data, that the beginning of the stream was not seen.
	MidStream(s *Stream)
}

// A Gap is bytes of a stream that will not come, or a rest that could not be kept.
type Gap struct {
	Offset  int64  // in the stream, of the first byte that is missing
	Missing int64  // bytes; 0 when nothing is missing but the rest has become too large to keep
	Rest    []byte // what was not used before the gap; it will not come again
	CutOff  bool   // the snap length cut the bytes off, or the first of them
	Crowded bool   // too much waits in all streams together
}

// An Ending is why a stream ends.
type Ending uint8

// The reasons.
const (
	Finished     Ending = iota // by the side that sends
	Aborted                    // by a reset of either side
	Expired                    // nothing came for long, or other connections needed the room
	Replaced                   // the same ports are used again
	CaptureEnded               // there may have been more
)

// An Unread is why bytes of a segment are not given to the Receiver, other than that they came before.
type Unread uint8

// The reasons.
const (
	Late      Unread = iota // what they belong to was given up
	Misplaced               // they are numbered far from the stream
	BehindEnd               // the side that sends had ended the stream, or one of the sides the connection
)

// An Origin names a packet.
type Origin struct {
	Serial int64 // counts the packets of all files, from 1
	Frame  int   // number of the packet in its file
	File   string
	Time   int64 // in nanoseconds
}

// An Assembler has what the connections share. Its memory is bounded. The zero value is ready for use.
type Assembler struct {
	// Memory bounds what all streams together keep, in bytes: unused tails, bytes behind holes, and what is needed
	// to manage them. 0: 16 MB.
	Memory int

	// History bounds what was delivered and is remembered, to compare retransmissions with it. It is a power of two
	// that counts, at least 128 kB. 0: 1 MB. It must not change after the first packet.
	History int

	delivery

	packet       Origin // the packet at hand
	waited       Origin // the packet behind latest, if it is another
	now          int64  // packet time, but see Begin
	holes, tails queue
	delivered    delivered
	missed       missed
	due          []*Stream // see Begin

	unusedBacklogs *backlog // linked by next
	unusedChunks   *chunk   // linked by next
	buffers        bounded.Buffers
	nodes          int // bytes of all backlogs and chunks, in use or not
}

// A delivery tells where the bytes are from that a receiver is given.
type delivery struct {
	given  int64    // see Position
	latest *Origin  // see Latest
	kept   int      // bytes that came before the others
	keptIn *backlog // which knows their origins
	from   *Origin  // of the others
}

// Latest is, for a Receiver that is called, the packet without which the last byte could not be delivered.
// That is the one at hand, but when a hole is given up: what waited behind it came before. With a gap it is
// the packet that showed it.
func (a *Assembler) Latest() *Origin { return a.latest }

// Position is, for a Receiver that is called, the position of the first byte that it is given.
func (a *Assembler) Position() int64 { return a.given }

// OriginOf is, for a Receiver that is called, the packet that completed a message whose last byte is byte i of
// what it is given.
func (a *Assembler) OriginOf(i int) *Origin {
	if i < a.kept {
		return a.keptIn.origin(i)
	}
	return a.latest
}

// Begin takes note of the next packet. Call it for packets of any kind: it lets streams go on
// that have waited too long.
//
// Packets can be slightly out of order, so the clock stands still while packet time is behind
// it. When it is behind by more than the timeout it was set back, or another file began, and
// what is missing will not come.
func (a *Assembler) Begin(o Origin) {
	a.packet = o
	a.latest = &a.packet
	setBack := clock.Elapsed(o.Time, a.now) > holeTimeout
	if setBack {
		a.giveUpDue(setBack)
		a.now = o.Time
	}
	a.now = max(a.now, o.Time) // whether anything waits or not: that depends on what else there is in the capture
	a.giveUpDue(false)
	a.latest = &a.packet
}

// giveUpDue gives up the holes of those that have waited too long, or all, in the order in which the connections began:
// that in which they came to wait may depend on other connections.
func (a *Assembler) giveUpDue(all bool) {
	for l := a.holes.oldest; l != nil && (all || a.passed(l.since, holeTimeout)); l = l.next {
		a.due = append(a.due, l.stream)
	}
	if len(a.due) == 0 {
		return
	}
	slices.SortStableFunc(a.due, func(x, y *Stream) int { return cmp.Compare(x.connection.first, y.connection.first) })
	for _, s := range a.due {
		if l := s.backlog; l == nil || l.queue != &a.holes || !all && !a.passed(l.since, holeTimeout) {
			continue // the other side took it along
		}
		a.giveUp(s, all)
	}
	clear(a.due)
	a.due = a.due[:0]
}

// passed reports whether so much time has passed since a moment.
func (a *Assembler) passed(since, limit int64) bool { return clock.Elapsed(since, a.now) >= limit }

// giveUp gives up the first hole of a stream, and those behind that are as old, or all.
func (a *Assembler) giveUp(s *Stream, all bool) {
	switch {
	case s.complete():
		s.stop(a, s.ending())
	case s.hole() != nil:
		s.skipHole(a)
	}
	for p := s.hole(); p != nil && (all || a.passed(p.from.Time, holeTimeout)); p = s.hole() {
		s.skipHole(a)
	}
	s.goOn(a)
	s.Other().goOn(a)
}

// requeue puts what a stream keeps where it belongs after a change.
func (a *Assembler) requeue(s *Stream) {
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
	if l.queue == queue && l.at == s.next {
		return
	}
	if l.queue != nil {
		l.queue.remove(l)
	}
	l.at, l.since = s.next, a.now
	queue.push(l)
}

// Bytes is how much memory all streams together take.
func (a *Assembler) Bytes() int { return a.bytes() + len(a.delivered.ring) }

// bytes is how much of it is in use, or ready for it, for what waits.
func (a *Assembler) bytes() int { return a.buffers.Bytes() + a.nodes }

// most is how much that may be.
func (a *Assembler) most() int {
	if a.Memory == 0 {
		return maxStreamBytes
	}
	return a.Memory
}

// remember notes bytes that a stream delivers. It returns where, see delivered.add.
func (a *Assembler) remember(previous, at int64, b []byte) int64 {
	if a.delivered.most == 0 && a.History != 0 {
		a.delivered.most = 1 << (bits.Len(uint(max(a.History, leastDelivered))) - 1)
	}
	return a.delivered.add(previous, at, b)
}

// balance brings the memory within its bound, at the cost of what is not in use, then of the
// streams that have waited longest at a hole, then of the oldest tails.
func (a *Assembler) balance() {
	for a.bytes() > a.most() {
		switch {
		case a.dropSpare():
		case a.holes.oldest != nil:
			a.giveUp(a.holes.oldest.stream, true)
		case a.tails.oldest != nil:
			s := a.tails.oldest.stream
			if !s.ended {
				a.latest = &a.packet
				a.given = s.next - int64(len(s.backlog.tail))
				s.dropTail(a, 0)
			}
			a.requeue(s)
		default:
			return // nothing is kept; not reached
		}
	}
}
