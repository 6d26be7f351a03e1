package bounded

import (
	"sync/atomic"
)

// DefaultMemory is a budget's default limit in bytes.
const DefaultMemory = 256 << 20

// A Budget bounds the memory of its keepers, in bytes. It divides time into turns, usually one per message. If the
// keepers exceed the limit, the budget drops the least recently used entries of all keepers, but only between two
// turns, so what a keeper returns stays valid during a turn. A Budget is for one goroutine; other goroutines may only
// call Forgotten.
type Budget struct {
	limit   int
	used    int
	turn    uint64    // from 1
	members []*member // including the members of its parts
	since   []uint64  // by member: a lower bound on the turn in which its least recently used entry was used
	victim  int       // the member with the lowest since
	rival   int       // the member with the second lowest since
	whole   *Budget   // the budget of which this is a part; may be nil
	parts   []*Budget

	// Told is called when an entry of a kind is dropped for the first time, even if it is in a part. It may be nil.
	Told func(Kind)
}

// A Kind describes a keeper's entries.
type Kind struct {
	Name   string // plural noun: "game connections"; "": dropped entries are not counted
	Silent string // what the output lacks after an entry was dropped, such as the ids of rules
	Most   string // the bound on the number of entries, see Budget.Bound; "": only memory bounds them
}

// A Keeper keeps entries on a budget. It reports the bytes of its entries with Budget.Spend.
type Keeper interface {
	// Oldest returns the turn in which the keeper's least recently used entry was used. ok is false if the keeper has
	// no entry. The turn must not be earlier than one that Oldest returned before.
	Oldest() (turn uint64, ok bool)

	// Forget drops the least recently used entry. It reports whether Budget.Forgotten must count that.
	Forget() (loss bool)
}

type member struct {
	Keeper
	kind      Kind
	forgotten atomic.Int64
}

// Forgotten counts the entries of a kind that were dropped because the budget was full.
type Forgotten struct {
	Kind
	Count int64
}

// NewBudget makes a budget of limit bytes.
func NewBudget(limit int) *Budget { return &Budget{limit: limit, turn: 1} }

// Part makes a budget that is a part of this one. The entries of its keepers count in both. When the part is full, only
// its own entries are dropped, so they cannot push out all others.
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
		b.members, b.since = append(b.members, m), append(b.since, b.turn)
		b.choose()
	}
	return m
}

// Bound registers a bound on the number of entries, which the caller enforces. For each entry beyond it, the caller
// must call leaveOut, which counts and reports the entry as dropped. On a nil budget Bound does nothing.
func (b *Budget) Bound(kind Kind) (leaveOut func()) {
	if b == nil {
		return func() {}
	}
	m := b.join(nothing{}, kind)
	return func() { b.lose(m) }
}

// nothing is a keeper without entries.
type nothing struct{}

func (nothing) Oldest() (turn uint64, ok bool) { return 0, false }
func (nothing) Forget() (loss bool)            { return false }

// Spend takes bytes from the budget. It returns bytes to the budget if the number is negative.
func (b *Budget) Spend(bytes int) {
	for ; b != nil; b = b.whole {
		b.used += bytes
	}
}

// Used returns the bytes in use.
func (b *Budget) Used() int { return b.used }

// Limit returns the maximum number of bytes.
func (b *Budget) Limit() int { return b.limit }

// Resize changes the limit, from the next turn on.
func (b *Budget) Resize(limit int) { b.limit = limit }

// Now returns the current turn. Keepers store it with each entry that they use.
func (b *Budget) Now() uint64 { return b.turn }

// Turn begins the next turn. It drops entries until the budget is within its limit.
func (b *Budget) Turn() { b.begin(b.turn + 1) }

// begin begins a turn in the parts and then in the budget.
func (b *Budget) begin(turn uint64) {
	b.turn = turn
	for _, p := range b.parts {
		if p.turn = turn; p.used > p.limit || len(p.parts) > 0 {
			p.begin(turn)
		}
	}
	for forgot := true; forgot && b.used > b.limit; {
		forgot = b.forget()
	}
}

// forget drops the least recently used entry. Among entries of the same turn, it chooses one of the keeper that joined
// last, because that entry may depend on entries of earlier keepers. forget returns false if no entry of an earlier
// turn is left.
func (b *Budget) forget() bool {
	for b.victim < len(b.members) {
		m := b.members[b.victim]
		turn, ok := m.Oldest()
		if !ok {
			turn = b.turn
		}
		if b.since[b.victim] = turn; turn < b.turn && b.before(b.victim, b.rival) {
			if m.Forget() && m.kind.Name != "" {
				b.lose(m)
			}
			return true
		}
		if b.choose(); b.since[b.victim] == b.turn {
			return false
		}
	}
	return false
}

// before reports whether, as far as is known, one member must drop an entry before another.
func (b *Budget) before(one, other int) bool {
	return b.since[one] < b.since[other] || b.since[one] == b.since[other] && one >= other
}

// choose sets victim and rival.
func (b *Budget) choose() {
	b.victim, b.rival = 0, 0
	for i := range b.since {
		switch {
		case b.before(i, b.victim):
			b.victim, b.rival = i, b.victim
		case b.rival == b.victim || b.before(i, b.rival):
			b.rival = i
		}
	}
}

// lose counts a lost entry. It reports the first lost entry of each kind.
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

// Forgotten returns the counts of dropped entries so far. Kinds with the same name are counted together. Any goroutine
// may call it.
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
