package bounded

import (
	"math"
	"sync/atomic"
)

// DefaultMemory is how many bytes a budget has that nobody gave another number.
const DefaultMemory = 256 << 20

// A Budget bounds the bytes of all that its keepers keep of a capture. Whatever was used longest ago makes room,
// whoever keeps it, but only between two turns: what a keeper gives stays valid while one message is looked at.
// A Budget is for one goroutine; only Forgotten may be called by others.
type Budget struct {
	limit   int
	used    int
	turn    uint64
	members []*member // those of its parts as well
	whole   *Budget   // that this is a part of; nil: none
	parts   []*Budget

	// Told is called when something of a kind is forgotten for the first time, also in a part. It may be nil.
	Told func(Kind)
}

// A Kind says what a keeper keeps.
type Kind struct {
	Name   string // in the plural: "game connections"
	Silent string // what is not told any more about one that was forgotten, the ids of rules for example
	Most   string // "": memory bounds it. Else how many there may be, see Budget.Bound
}

// A Keeper keeps things on a budget. It says by Budget.Spend how many bytes they take.
type Keeper interface {
	// Oldest gives the turn in which the thing was used that was used longest ago. ok is false if there is none.
	Oldest() (turn uint64, ok bool)

	// Forget forgets that thing. It reports whether that is a loss.
	Forget() (loss bool)
}

type member struct {
	Keeper
	kind      Kind
	forgotten atomic.Int64
}

// Forgotten is how many things of a kind were forgotten because the budget was full.
type Forgotten struct {
	Kind
	Count int64
}

// NewBudget makes a budget of so many bytes.
func NewBudget(limit int) *Budget { return &Budget{limit: limit} }

// Part makes a budget that is a part of this one. What its keepers keep is in both, and makes room in the part first,
// so that it cannot push out all else.
func (b *Budget) Part(limit int) *Budget {
	p := &Budget{limit: limit, turn: b.turn, whole: b}
	b.parts = append(b.parts, p)
	return p
}

// Join adds a keeper.
func (b *Budget) Join(k Keeper, kind Kind) { b.join(k, kind) }

func (b *Budget) join(k Keeper, kind Kind) *member {
	m := &member{Keeper: k, kind: kind}
	for ; b != nil; b = b.whole {
		b.members = append(b.members, m)
	}
	return m
}

// Bound is for a bound that holds whatever memory there is: leaveOut tells and counts one more that is beyond it, as
// what is forgotten. Of no budget that is done in vain.
func (b *Budget) Bound(kind Kind) (leaveOut func()) {
	if b == nil {
		return func() {}
	}
	m := b.join(nothing{}, kind)
	return func() { b.lose(m) }
}

// nothing is a keeper that keeps none.
type nothing struct{}

func (nothing) Oldest() (turn uint64, ok bool) { return 0, false }
func (nothing) Forget() (loss bool)            { return false }

// Spend takes bytes from the budget, or gives them back if the number is negative.
func (b *Budget) Spend(bytes int) {
	for ; b != nil; b = b.whole {
		b.used += bytes
	}
}

// Used is how many bytes are in use.
func (b *Budget) Used() int { return b.used }

// Limit is how many bytes may be in use.
func (b *Budget) Limit() int { return b.limit }

// Resize changes how many bytes may be in use, from the next turn on.
func (b *Budget) Resize(limit int) { b.limit = limit }

// Now is the turn, to be remembered with what is used.
func (b *Budget) Now() uint64 { return b.turn }

// Turn begins the next turn, with the next message: what is too much is forgotten first.
func (b *Budget) Turn() { b.begin(b.turn + 1) }

// begin begins a turn, in the parts as well.
func (b *Budget) begin(turn uint64) {
	b.turn = turn
	for _, p := range b.parts {
		p.begin(turn)
	}
	for forgot := true; forgot && b.used > b.limit; {
		forgot = b.forget()
	}
}

// forget forgets what was used longest ago; in the same turn, what joined last: sessions stand on conversations. It
// reports whether there was anything.
func (b *Budget) forget() bool {
	var victim *member
	oldest := uint64(math.MaxUint64)
	for _, m := range b.members {
		if turn, ok := m.Oldest(); ok && turn <= oldest {
			victim, oldest = m, turn
		}
	}
	if victim == nil {
		return false
	}
	if victim.Forget() {
		b.lose(victim)
	}
	return true
}

// lose counts one that is lost, and tells of the first of its kind.
func (b *Budget) lose(m *member) {
	if m.forgotten.Add(1) > 1 {
		return
	}
	for b.whole != nil {
		b = b.whole
	}
	if b.Told != nil {
		b.Told(m.kind)
	}
}

// Forgotten tells what was forgotten so far, kinds of the same name together. Any goroutine may ask.
func (b *Budget) Forgotten() (all []Forgotten) {
next:
	for _, m := range b.members {
		n := m.forgotten.Load()
		if n == 0 {
			continue
		}
		for i := range all {
			if all[i].Name == m.kind.Name {
				all[i].Count += n
				continue next
			}
		}
		all = append(all, Forgotten{m.kind, n})
	}
	return all
}
