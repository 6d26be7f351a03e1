package ask

import (
	"slices"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// Rules say how a protocol pairs questions with answers. All lists of a protocol share one Rules value.
type Rules struct {
	// Most is the maximum number of questions in a list, at least 1.
	Most int

	// Patience is how long to wait for an answer, in nanoseconds; 0: without limit.
	Patience int64

	// Memory is how long a question is kept, in nanoseconds, to recognise late and repeated answers; 0: until another
	// question needs the room.
	Memory int64

	// Newest means that an answer that fits several questions equally well belongs to the newest of them, not the
	// oldest.
	Newest bool
}

// Question is a question from one endpoint to another.
type Question[Q any] struct {
	Value Q // data of the caller, such as what the answer must contain

	Asked   int64 // time of the question
	Active  int64 // time of the question or of the latest part of its answer; Rules.Patience begins here
	Answers int32 // number of answers so far
	More    bool  // the answer has further parts

	overdue bool
	kept    bool // a list contains the question
}

// Open reports whether an answer would still be in time. The question may already have one.
func (q *Question[Q]) Open(r *Rules, now int64) bool {
	return r.Patience == 0 || clock.Elapsed(q.Active, now) < r.Patience
}

// Waits reports whether an answer, or a part of one, is missing and would still be in time.
func (q *Question[Q]) Waits(r *Rules, now int64) bool {
	return (q.Answers == 0 || q.More) && q.Open(r, now)
}

// Overdue reports whether List.Overdue has already passed the question to a function.
func (q *Question[Q]) Overdue() bool { return q.overdue }

// Verdict classifies an answer.
type Verdict uint8

// The verdicts.
const (
	First   Verdict = iota // the first answer to its question, in time
	Again                  // another answer to its question
	Late                   // the first answer to its question, after Rules.Patience
	Unasked                // answers no question
	Unsure                 // answers no known question, but the list may be incomplete, see Miss
)

// List keeps the questions from one endpoint to another, the oldest first. Most lists have one question, so a List has
// room for one, and allocates memory for more.
type List[Q any] struct {
	only [1]Question[Q] // the question, if the list never had a second one
	more *many[Q]       // nil: no further data
}

// many is the part of a list that only a few lists need.
type many[Q any] struct {
	questions []Question[Q]
	gap       clock.Moment // questions asked before this time may be missing
}

// all returns the questions.
func (l *List[Q]) all() []Question[Q] {
	switch {
	case l.more != nil:
		return l.more.questions
	case l.only[0].kept:
		return l.only[:]
	}
	return nil
}

// spread makes room for any number of questions.
func (l *List[Q]) spread() *many[Q] {
	if l.more == nil {
		l.more = &many[Q]{questions: slices.Clone(l.all())}
		l.only[0] = Question[Q]{}
	}
	return l.more
}

// Len returns the number of questions kept.
func (l *List[Q]) Len() int { return len(l.all()) }

// Held returns the number of bytes that the list uses in addition to the List itself, except the memory to which the
// values refer. Code that keeps lists on a budget needs this number, see bounded.Values.
func (l *List[Q]) Held() int {
	if l.more == nil {
		return 0
	}
	return int(unsafe.Sizeof(*l.more)) + cap(l.more.questions)*int(unsafe.Sizeof(Question[Q]{}))
}

// At returns a question by its index, 0 for the oldest. The caller may change its value. The pointer is valid until a
// question is asked or deleted.
func (l *List[Q]) At(i int) *Question[Q] { return &l.all()[i] }

// Ask adds a question. If the list is full, Ask first drops a question: the first one that does not wait, or else the
// oldest. It passes this question to dropped, which may be nil. If the question still waited, Complete then returns
// false until Rules.Patience has passed.
func (l *List[Q]) Ask(r *Rules, now int64, value Q, dropped func(*Question[Q])) *Question[Q] {
	l.Forget(r, now)
	if all := l.all(); len(all) >= r.Most {
		at := slices.IndexFunc(all, func(q Question[Q]) bool { return !q.Waits(r, now) })
		if at < 0 {
			at = 0
			l.Miss(now)
		}
		if dropped != nil {
			dropped(l.At(at))
		}
		l.Delete(at)
	}
	q := Question[Q]{Value: value, Asked: now, Active: now, kept: true}
	if l.more == nil && l.Len() == 0 {
		l.only[0] = q
		return &l.only[0]
	}
	m := l.spread()
	m.questions = append(m.questions, q)
	return &m.questions[len(m.questions)-1]
}

// Find returns the question with the highest rank, or nil if rank returns 0 for all of them.
func (l *List[Q]) Find(r *Rules, rank func(*Question[Q]) int) *Question[Q] {
	var found *Question[Q]
	best := 0
	all := l.all()
	for i := range all {
		q := &all[i]
		if n := rank(q); n > best || n == best && n > 0 && r.Newest {
			found, best = q, n
		}
	}
	return found
}

// Answer finds the question that belongs to an answer as Find does, counts the answer, and classifies it. It returns
// nil if no question fits. Questions that no longer wait are candidates too. To prefer questions that wait, rank must
// return a higher number if Question.Waits is true.
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

// Overdue calls show once for each question that still has no answer after Rules.Patience.
func (l *List[Q]) Overdue(r *Rules, now int64, show func(*Question[Q])) {
	all := l.all()
	for i := range all {
		if q := &all[i]; q.Answers == 0 && !q.overdue && !q.Open(r, now) {
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
	for i := l.Len() - 1; i >= 0; i-- {
		if clock.Elapsed(l.At(i).Active, now) > r.Memory {
			l.Delete(i)
		}
	}
}

// Delete deletes a question by its index.
func (l *List[Q]) Delete(i int) {
	if l.more == nil {
		l.only[i] = Question[Q]{}
		return
	}
	l.more.questions = slices.Delete(l.more.questions, i, i+1)
}

// Miss records that questions asked before now may be missing from the list: the capture begins, bytes were lost, or
// the caller dropped questions.
func (l *List[Q]) Miss(now int64) { l.spread().gap = clock.At(now) }

// Complete reports whether the list contains every question that could still be answered in time.
func (l *List[Q]) Complete(r *Rules, now int64) bool {
	return l.more == nil || !l.more.gap.Known() ||
		r.Patience > 0 && clock.Elapsed(l.more.gap.When(), now) >= r.Patience
}
