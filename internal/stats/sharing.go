package stats

import "math"

// A memory is shared by all lists. While all rows fit, each list uses what its rows cost. After that no list uses more
// than the level: the largest number of bytes such that all lists fit if each is cut to it. So a flooded list gets what
// the others leave, and takes nothing from a list that uses less than an equal share.
//
// The level does not depend on the order of counting. Costs only grow, so the level only falls. A list drops rows if
// and only if all of its rows together cost more than the final level; from then on its cost is endless. A part of
// merged Stats has at most the rows of the sum, so its level is at least that of the sum: the sum would drop what the
// part dropped.
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
	lower(bound uint64) // drops the rows whose hash is not below a bound
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

// find returns the level. It rises from zero: lists below it leave the rest to the others, in equal parts.
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
