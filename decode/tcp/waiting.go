package tcp

import (
	"cmp"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// Begin sets the current packet. It must be called for packets of every kind, not only TCP, because their times show
// how long streams have waited for missing bytes.
//
// Packets can be slightly out of order, so a.now does not decrease with packet time. If packet time is more than
// gapTimeout earlier than a.now, the capture's clock was set back or another file began. Then missing bytes will not
// arrive, and Begin skips all gaps.
func (a *Assembler) Begin(o Origin) {
	a.packet = o
	a.latest = &a.packet
	setBack := clock.Elapsed(o.Time, a.now) > gapTimeout
	if setBack {
		a.giveUpDue(setBack)
		a.now = o.Time
	}
	a.now = max(a.now, o.Time)
	a.giveUpDue(false)
	a.latest = &a.packet
}

// giveUpDue skips all gaps, or only the gaps for which streams have waited too long. It does so in the order in
// which connections began, because the order of the queue may depend on other connections.
func (a *Assembler) giveUpDue(all bool) {
	for l := a.gaps.oldest; l != nil && (all || a.passed(l.since, gapTimeout)); l = l.next {
		a.due = append(a.due, l.stream)
	}
	if len(a.due) == 0 {
		return
	}
	slices.SortStableFunc(a.due, func(x, y *Stream) int { return cmp.Compare(x.connection.first, y.connection.first) })
	for _, s := range a.due {
		if l := s.backlog; l == nil || l.queue != &a.gaps || !all && !a.passed(l.since, gapTimeout) {
			continue // this stream changed when a gap of the other stream was given up
		}
		a.giveUp(s, all)
	}
	clear(a.due)
	a.due = a.due[:0]
}

// giveUp skips the first gap of a stream, and either all later gaps or those that are due.
func (a *Assembler) giveUp(s *Stream, all bool) {
	switch {
	case s.complete():
		s.stop(a, s.ending())
	case s.gap() != nil:
		s.skipGap(a)
	}
	for p := s.gap(); p != nil && (all || a.passed(p.from.Time, gapTimeout)); p = s.gap() {
		s.skipGap(a)
	}
	s.goOn(a)
	s.Other().goOn(a)
}

// balance reduces the memory to its limit. It first frees unused memory, then gives up the gaps for which streams have
// waited longest, then drops the oldest tails.
func (a *Assembler) balance() {
	for a.bytes() > a.limit() {
		switch {
		case a.dropSpare():
		case a.gaps.oldest != nil:
			a.giveUp(a.gaps.oldest.stream, true)
		case a.tails.oldest != nil:
			s := a.tails.oldest.stream
			if !s.ended {
				a.latest = &a.packet
				a.position = s.next - int64(len(s.backlog.tail))
				s.dropTail(a, 0)
			}
			a.requeue(s)
		default:
			return // nothing is kept; this cannot happen
		}
	}
}
