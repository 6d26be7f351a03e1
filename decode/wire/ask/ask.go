package ask

import (
	"slices"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// Rules say how a protocol pairs questions with answers. One value serves all its lists.
type Rules struct {
	// Most is how many questions a list keeps, 1 at least.
	Most int

	// Patience is how long an answer is waited for, in nanoseconds; 0: without end.
	Patience int64

	// Memory is how long a question is kept, in nanoseconds, so that answers that come late or again are
	// told from those that nobody asked for; 0: until it makes room for another.
	Memory int64

	// Newest says that of several questions which an answer fits equally well it belongs to the one that
	// was asked last. Else it is the one that was asked first.
	Newest bool
}

// Question is what one end asked another.
type Question[Q any] struct {
	Value Q // what tells its answer, and whatever else its owner needs to know

	Asked   int64 // when
	Active  int64 // the same, or when a part of a long answer came: the next one is waited for from then on
	Answers int   // so far
	More    bool  // further parts of the answer are to come

	overdue bool
}

// Open reports whether an answer comes in time: the patience has not ended. There may be one already.
func (q *Question[Q]) Open(r *Rules, now int64) bool {
	return r.Patience == 0 || clock.Elapsed(q.Active, now) < r.Patience
}

// Waits reports whether an answer, or more of it, is still to come and would come in time.
func (q *Question[Q]) Waits(r *Rules, now int64) bool {
	return (q.Answers == 0 || q.More) && q.Open(r, now)
}

// Overdue reports whether List.Overdue has shown the question.
func (q *Question[Q]) Overdue() bool { return q.overdue }

// Verdict is what became of an answer.
type Verdict uint8

// The verdicts.
const (
	First   Verdict = iota // to its question, in time
	Again                  // its question was answered before
	Late                   // the first one, when nobody waits for it any more
	Unasked                // no question is known that it answers
	Unsure                 // the same, but there may have been one that was not seen or is forgotten
)

// List keeps what one end asked another, the oldest question first.
type List[Q any] struct {
	questions []Question[Q]
	gap       clock.Moment // questions asked before it may be missing
}

// Len is the number of questions kept.
func (l *List[Q]) Len() int { return len(l.questions) }

// Held is how many bytes the list holds besides itself, without what its values hold. Owners who keep lists on a
// budget say so, see bounded.Values.
func (l *List[Q]) Held() int { return cap(l.questions) * int(unsafe.Sizeof(Question[Q]{})) }

// At gives a question by its place in the list, 0 for the oldest. Whoever asked may change its value. It is
// valid until a question is asked or deleted.
func (l *List[Q]) At(i int) *Question[Q] { return &l.questions[i] }

// Ask adds a question. If there are too many, one of which nothing is awaited makes room, or else the
// oldest; that one is shown to dropped, which may be nil, and is what Complete misses from then on.
func (l *List[Q]) Ask(r *Rules, now int64, value Q, dropped func(*Question[Q])) *Question[Q] {
	l.Forget(r, now)
	if len(l.questions) >= r.Most {
		at := slices.IndexFunc(l.questions, func(q Question[Q]) bool { return !q.Waits(r, now) })
		if at < 0 {
			at = 0
			l.Miss(now)
		}
		if dropped != nil {
			dropped(&l.questions[at])
		}
		l.Delete(at)
	}
	l.questions = append(l.questions, Question[Q]{Value: value, Asked: now, Active: now})
	return &l.questions[len(l.questions)-1]
}

// Find gives the question that an answer fits best, nil if it fits none: rank says how well, a number above
// 0, or 0 for not at all.
func (l *List[Q]) Find(r *Rules, rank func(*Question[Q]) int) *Question[Q] {
	var found *Question[Q]
	best := 0
	for i := range l.questions {
		q := &l.questions[i]
		if n := rank(q); n > best || n == best && n > 0 && r.Newest {
			found, best = q, n
		}
	}
	return found
}

// Answer takes an answer: it finds the question as Find does, counts the answer there, and says what the
// answer is to it. The question is nil if there is none. Questions that were answered or that nobody waits
// for any more are shown to rank as well; one that prefers others gives more for those of which
// Question.Waits is true.
func (l *List[Q]) Answer(r *Rules, now int64, rank func(*Question[Q]) int) (*Question[Q], Verdict) {
	l.Forget(r, now)
	q := l.Find(r, rank)
	switch {
	case q == nil && l.Complete(r, now):
		return nil, Unasked
	case q == nil:
		return nil, Unsure
	}
	q.Answers++
	switch {
	case q.Answers > 1:
		return q, Again
	case !q.Open(r, now):
		return q, Late
	}
	return q, First
}

// Overdue shows the questions whose patience has ended without an answer, each of them once.
func (l *List[Q]) Overdue(r *Rules, now int64, show func(*Question[Q])) {
	for i := range l.questions {
		if q := &l.questions[i]; q.Answers == 0 && !q.overdue && !q.Open(r, now) {
			q.overdue = true
			show(q)
		}
	}
}

// Forget deletes the questions that were to be remembered until now. Ask and Answer do so by themselves.
func (l *List[Q]) Forget(r *Rules, now int64) {
	if r.Memory == 0 {
		return
	}
	kept := l.questions[:0]
	for i := range l.questions {
		if q := &l.questions[i]; clock.Elapsed(q.Active, now) <= r.Memory {
			kept = append(kept, *q)
		}
	}
	clear(l.questions[len(kept):])
	l.questions = kept
}

// Delete takes a question out of the list, by its place.
func (l *List[Q]) Delete(i int) { l.questions = slices.Delete(l.questions, i, i+1) }

// Miss says that questions may be missing that were asked before now: the capture begins, bytes were lost,
// or the owner had to forget.
func (l *List[Q]) Miss(now int64) { l.gap = clock.At(now) }

// Complete reports whether all questions are in the list that somebody still waits for.
func (l *List[Q]) Complete(r *Rules, now int64) bool {
	return !l.gap.Known() || r.Patience > 0 && clock.Elapsed(l.gap.When(), now) >= r.Patience
}
