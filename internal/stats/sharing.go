package stats

import "math"

// A memory is what all lists share. Each takes what its rows cost, as long as all of them fit. From then on none takes
// more than the level: the largest number for which the lists, each up to the level, fit. So a list that is flooded has
// what the others leave, and takes nothing from a list that takes less than an equal share.
//
// The level does not depend on the order of counting. Costs only grow, so the level only falls. A list that dropped
// rows cost more than some earlier level, thus more than the last one: it drops rows if and only if all of it would
// cost more than the last level, and counts as endless from then on. The level of a part that is merged is at least that of the
// sum, since a part has no more of anything: so what the part dropped would be dropped of the sum as well.
type memory struct {
	size  int // bytes
	used  int // what all rows cost
	level int // nothing that lists reach, as long as all fit
	lists []sharer
}

// A sharer is a list, whatever is in it.
type sharer interface {
	total() int         // what its rows cost; endless if it dropped rows
	trim()              // drops rows that are above the level
	lower(bound uint64) // drops rows whose hash is not below a bound
}

// endless is the cost of a list that dropped rows: what it would cost with them is not known.
const endless = math.MaxInt

// newMemory makes a memory of a size in bytes; 0: DefaultMemory.
func newMemory(size int) *memory {
	if size <= 0 {
		size = DefaultMemory
	}
	return &memory{size: size, level: endless}
}

// share finds the level, and brings all lists below it.
func (m *memory) share() {
	m.level = m.find()
	for _, l := range m.lists {
		l.trim()
	}
}

// find gives the level. It rises from zero: lists below it leave the rest to the others, in equal parts.
func (m *memory) find() (level int) {
	for {
		rest, above := m.size, 0
		for _, l := range m.lists {
			if cost := l.total(); cost <= level {
				rest -= cost
			} else {
				above++
			}
		}
		if above == 0 {
			return endless
		}
		if rest/above <= level {
			return level
		}
		level = rest / above
	}
}
