package stats

import "math"

// A memory is shared by all lists. As long as all rows fit into it, no list is limited. After that, no list may use
// more than the level: the largest number of bytes such that all lists fit into the memory if each is cut to this
// number. So a flooded list gets only the room that the other lists leave, and takes nothing from a list that uses less
// than an equal share.
//
// The level does not depend on the order of counting. Costs only rise, so the level only falls. A list drops rows if
// and only if all of its rows together cost more than the final level; from then on, its cost counts as endless. If
// Stats are merged, a part has at most the rows of the result, so the level of the part is at least the level of the
// result. The result would therefore also drop every row that the part dropped.
type memory struct {
	size  int // in bytes
	used  int // cost of all rows
	level int // larger than the cost of any list while all rows fit
	lists []sharer
}

// A sharer is a list with rows of any type.
type sharer interface {
	total() int         // cost of its rows; endless if it dropped rows
	trim()              // drops rows above the level
	lower(bound uint64) // drops the rows whose hash is not below a bound
}

// endless is the cost of a list that dropped rows. Its real cost, with those rows, is unknown.
const endless = math.MaxInt

// newMemory makes a memory of a size in bytes, or of DefaultMemory if the size is 0.
func newMemory(size int) *memory {
	if size <= 0 {
		size = DefaultMemory
	}
	return &memory{size: size, level: endless}
}

// share computes the level and cuts all lists to it.
func (m *memory) share() {
	m.level = m.find()
	for _, l := range m.lists {
		l.trim()
	}
}

// find computes the level. It raises the level from zero. Lists that cost less than the level leave the rest of the
// memory to the other lists, in equal parts.
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
