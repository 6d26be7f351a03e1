package ask_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/ask"
)

// A model does the same as a List in the simplest way, and calculates with unbounded numbers.
type model struct {
	rules     ask.Rules
	questions []entry
	missing   []int64 // times before which questions may be missing
}

type entry struct {
	serial, key   int
	asked, active int64
	answers       int
	more, overdue bool
}

// passed reports whether two times are at least span apart.
func passed(from, to, span int64) bool {
	d := new(big.Int).Sub(big.NewInt(to), big.NewInt(from))
	return d.Cmp(big.NewInt(span)) >= 0
}

func (m *model) open(e entry, now int64) bool {
	return m.rules.Patience == 0 || !passed(e.active, now, m.rules.Patience)
}

func (m *model) forget(now int64) {
	var kept []entry
	for _, e := range m.questions {
		if m.rules.Memory == 0 || !passed(e.active, now, m.rules.Memory+1) {
			kept = append(kept, e)
		}
	}
	m.questions = kept
}

// ask returns the serial number of the question that was dropped to make room, or -1.
func (m *model) ask(e entry) (dropped int) {
	m.forget(e.asked)
	dropped = -1
	if len(m.questions) == m.rules.Most {
		at := -1
		for i, o := range m.questions {
			if at < 0 && (o.answers > 0 && !o.more || !m.open(o, e.asked)) {
				at = i
			}
		}
		if at < 0 {
			at = 0
			m.missing = append(m.missing, e.asked)
		}
		dropped = m.questions[at].serial
		m.questions = slices.Concat(m.questions[:at], m.questions[at+1:])
	}
	m.questions = append(slices.Clone(m.questions), e)
	return dropped
}

func (m *model) complete(now int64) bool {
	n := len(m.missing)
	return n == 0 || m.rules.Patience > 0 && passed(m.missing[n-1], now, m.rules.Patience)
}

// answer returns the serial number of the question, or -1 if there is none. Keys that differ by one fit less well.
func (m *model) answer(now int64, key int) (serial int, v ask.Verdict) {
	m.forget(now)
	var fits []*entry
	for _, want := range []int{2, 1} {
		for i := range m.questions {
			if rank(m.questions[i].key, key) == want && (len(fits) == 0 || rank(fits[0].key, key) == want) {
				fits = append(fits, &m.questions[i])
			}
		}
	}
	if len(fits) == 0 {
		if m.complete(now) {
			return -1, ask.Unasked
		}
		return -1, ask.Unsure
	}
	e := fits[0]
	if m.rules.Newest {
		e = fits[len(fits)-1]
	}
	e.answers++
	switch {
	case e.answers > 1:
		return e.serial, ask.Again
	case !m.open(*e, now):
		return e.serial, ask.Late
	}
	return e.serial, ask.First
}

func (m *model) late(now int64) (serials []int) {
	for i := range m.questions {
		e := &m.questions[i]
		if e.answers == 0 && !e.overdue && !m.open(*e, now) {
			e.overdue = true
			serials = append(serials, e.serial)
		}
	}
	return serials
}

func rank(asked, answered int) int {
	switch asked - answered {
	case 0:
		return 2
	case 1, -1:
		return 1
	}
	return 0
}

// value identifies a question in the list under test.
type value struct{ serial, key int }

// A comparison applies the same calls to a model and a list, and compares the results.
type comparison struct {
	*testing.T
	model  model
	list   ask.List[value]
	serial int
	seen   map[string]int
}

func (b *comparison) ask(now int64, key int) {
	b.serial++
	want, got := b.model.ask(entry{serial: b.serial, key: key, asked: now, active: now}), -1
	q := b.list.Ask(&b.model.rules, now, value{b.serial, key}, func(q *ask.Question[value]) { got = q.Value.serial })
	if got != want || q.Value.serial != b.serial || q.Asked != now {
		b.Fatalf("question %d was dropped for question %d, want %d for %d", got, q.Value.serial, want, b.serial)
	}
	if got >= 0 {
		b.seen["dropped"]++
	}
}

func (b *comparison) answer(now int64, key int) {
	serial, want := b.model.answer(now, key)
	q, got := b.list.Answer(&b.model.rules, now, func(q *ask.Question[value]) int { return rank(q.Value.key, key) })
	if got != want || (q == nil) != (serial < 0) || q != nil && q.Value.serial != serial {
		b.Fatalf("the answer belongs to %+v, verdict %d; want %d, %d", q, got, serial, want)
	}
	b.seen[[]string{"first", "again", "late", "unasked", "unsure"}[got]]++
	if q != nil && key%2 == 0 { // a part of a long answer
		q.Active, q.More = now, key%4 == 0
		for i := range b.model.questions {
			if e := &b.model.questions[i]; e.serial == serial {
				e.active, e.more = now, key%4 == 0
			}
		}
	}
}

func (b *comparison) overdue(now int64) {
	want := b.model.late(now)
	var got []int
	b.list.Overdue(&b.model.rules, now, func(q *ask.Question[value]) { got = append(got, q.Value.serial) })
	if !slices.Equal(got, want) {
		b.Fatalf("%v are overdue, want %v", got, want)
	}
	b.seen["overdue"] += len(got)
}

// compare compares the questions kept by the list and by the model.
func (b *comparison) compare(now int64) {
	var got, want []entry
	for i := range b.list.Len() {
		q := b.list.At(i)
		got = append(got, entry{q.Value.serial, q.Value.key, q.Asked, q.Active, int(q.Answers), q.More, q.Overdue()})
		e := b.model.questions[min(i, len(b.model.questions)-1)]
		open := b.model.open(e, now)
		if waits := open && (e.answers == 0 || e.more); q.Open(&b.model.rules, now) != open || q.Waits(&b.model.rules, now) != waits {
			b.Fatalf("%+v: open %t, waits %t", e, q.Open(&b.model.rules, now), q.Waits(&b.model.rules, now))
		}
	}
	want = append(want, b.model.questions...)
	if !slices.Equal(got, want) {
		b.Fatalf("%+v are kept, want %+v", got, want)
	}
	if got, want := b.list.Complete(&b.model.rules, now), b.model.complete(now); got != want {
		b.Fatalf("complete: %t, want %t", got, want)
	}
}

// TestList compares a list with the model, with random rules and times.
func TestList(t *testing.T) {
	seen := make(map[string]int)
	r := rand.New(rand.NewPCG(1, 2))
	wild := []int64{math.MinInt64, math.MinInt64 + 1, -1, 0, math.MaxInt64 - 1, math.MaxInt64}
	for range 400 {
		b := &comparison{T: t, seen: seen}
		b.model.rules = ask.Rules{Most: 1 + r.IntN(6), Newest: r.IntN(2) == 0, Patience: int64(r.IntN(4) * 5), Memory: int64(r.IntN(3) * 20)}
		now := int64(0)
		for range 200 {
			now += int64(r.IntN(5))
			at := now
			if r.IntN(50) == 0 {
				at = wild[r.IntN(len(wild))]
			}
			switch key := r.IntN(8); r.IntN(12) {
			case 0, 1, 2, 3:
				b.ask(at, key)
			case 4, 5, 6, 7, 8:
				b.answer(at, key)
			case 9:
				b.overdue(at)
			case 10:
				if r.IntN(5) == 0 {
					b.list.Miss(at)
					b.model.missing = append(b.model.missing, at)
				}
			case 11:
				if n := b.list.Len(); n > 0 {
					i := r.IntN(n)
					b.list.Delete(i)
					b.model.questions = slices.Concat(b.model.questions[:i], b.model.questions[i+1:])
				}
			}
			b.compare(at)
		}
	}
	for _, what := range []string{"dropped", "first", "again", "late", "unasked", "unsure", "overdue"} {
		if seen[what] < 100 {
			t.Errorf("%s: happened only %d times", what, seen[what])
		}
	}
}

// TestListDoesNotAllocate checks that a full list does not allocate.
func TestListDoesNotAllocate(t *testing.T) {
	rules := &ask.Rules{Most: 8, Patience: 5, Memory: 50}
	var l ask.List[value]
	now := int64(0)
	turn := func() {
		now++
		key, overdue := int(now), 0
		l.Ask(rules, now, value{key: key}, func(*ask.Question[value]) { overdue++ })
		l.Answer(rules, now, func(q *ask.Question[value]) int { return rank(q.Value.key, key-3) })
		l.Overdue(rules, now, func(*ask.Question[value]) { overdue++ })
	}
	for range 100 {
		turn()
	}
	if n := testing.AllocsPerRun(100, turn); n > 0 {
		t.Errorf("%g allocations per question, want none", n)
	}
}

// Held grows with the number of questions. The first question is in the List itself.
func TestHeld(t *testing.T) {
	var l ask.List[[100]byte]
	if l.Held() != 0 {
		t.Errorf("an empty list uses %d bytes", l.Held())
	}
	for i := range 50 {
		l.Ask(&ask.Rules{Most: 50}, int64(i), [100]byte{}, nil)
		if n := l.Len() * 100; i == 0 && l.Held() != 0 || i > 0 && (l.Held() < n || l.Held() > 4*n) {
			t.Errorf("%d questions of 100 bytes use %d bytes", l.Len(), l.Held())
		}
	}
}
