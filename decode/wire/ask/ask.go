package ask

import (
	"slices"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// Rules say how a protocol pairs questions with answers. One value serves all its lists.
type Rules struct {
	// Most is the maximum number of questions that a list keeps, at least 1.
	Most int

	// Patience is the time for an answer in nanoseconds; 0: unlimited.
	Patience int64

	// Memory is how long a question is kept, in nanoseconds, to recognise answers that come late or again; 0: until it
	// makes room for another.
	Memory int64

	// Newest says that an answer which fits several questions equally well belongs to the newest one. Otherwise it
	// belongs to the oldest.
	Newest bool
}

// Question is a question from one end to another.
type Question[Q any] struct {
	Value Q // identifies the answer, and contains what else the owner needs

	Asked   int64 // time of the question
	Active  int64 // time of the question or of the newest part of a long answer: patience counts from here
	Answers int32 // number of answers so far
	More    bool  // the answer has further parts

	overdue bool
}

// Open reports whether the patience has not ended yet. There may already be an answer.
func (q *Question[Q]) Open(r *Rules, now int64) bool {
	return r.Patience == 0 || clock.Elapsed(q.Active, now) < r.Patience
}

// Waits reports whether an answer, or a part of it, is missing and would be in time.
func (q *Question[Q]) Waits(r *Rules, now int64) bool {
	return (q.Answers == 0 || q.More) && q.Open(r, now)
}

// Overdue reports whether List.Overdue has shown the question.
func (q *Question[Q]) Overdue() bool { return q.overdue }

// Verdict classifies an answer.
type Verdict uint8

// The verdicts.
const (
	First   Verdict = iota // to its question, in time
	Again                  // to a question that was answered before
	Late                   // the first one to its question, after the patience
	Unasked                // to no question
	Unsure                 // to no known question, but the list may lack some, see Miss
)

// List keeps the questions of one end to another, the oldest first.
type List[Q any] struct {
	questions []Question[Q]
	gap       clock.Moment // questions asked before it may be missing
}

// Len returns the number of questions kept.
func (l *List[Q]) Len() int { return len(l.questions) }

// Held returns the bytes that the list uses, without itself and what its values refer to. Owners that keep lists on a
// budget report them, see bounded.Values.
func (l *List[Q]) Held() int { return cap(l.questions) * int(unsafe.Sizeof(Question[Q]{})) }

// At returns a question by its index, 0 for the oldest. The caller may change its value. The pointer is valid until a
// question is asked or deleted.
func (l *List[Q]) At(i int) *Question[Q] { return &l.questions[i] }

// Ask adds a question. If there are too many, it first calls dropped, which may be nil, and drops the first question
// that does not wait, or else the oldest. Then Complete returns false for a while.
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

// Find returns the question with the highest rank, or nil if rank is 0 for all.
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

// Answer finds an answer's question as Find does, counts the answer, and classifies it. The question is nil if there is
// none. Questions that do not wait are candidates, too. To prefer those that wait, rank must return more if
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

// Overdue calls show once for each question whose patience has ended without an answer.
func (l *List[Q]) Overdue(r *Rules, now int64, show func(*Question[Q])) {
	for i := range l.questions {
		if q := &l.questions[i]; q.Answers == 0 && !q.overdue && !q.Open(r, now) {
			q.overdue = true
			show(q)
		}
	}
}

// Forget deletes the questions older than Rules.Memory. Ask and Answer call it.
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

// Delete deletes a question by its index.
func (l *List[Q]) Delete(i int) { l.questions = slices.Delete(l.questions, i, i+1) }

// Miss says that the list may lack questions asked before now: the capture begins, bytes were lost, or the owner
// dropped some.
func (l *List[Q]) Miss(now int64) { l.gap = clock.At(now) }

// Complete reports whether the list has all questions to which an answer would be in time.
func (l *List[Q]) Complete(r *Rules, now int64) bool {
	return !l.gap.Known() || r.Patience > 0 && clock.Elapsed(l.gap.When(), now) >= r.Patience
}
