package stats

import "math"

// A memory is what all lists share. Each takes what its rows cost, as long as all of them fit; from then on none takes
// more than the level: the largest number for which the lists, each up to the level, fit. So a flood has what others
// leave, and takes nothing from those that take less than an equal share.
//
// The level does not depend on the order in which things are counted. Costs only grow, so it only falls, and a list
// that let rows go cost more than some earlier level: it lets rows go if and only if all of it costs more than the last
// level, and counts like an endless one from then on. What a part that is merged let go cost more than the level of the
// part, which is at least that of the sum, since a part has no more of anything.
type memory struct {
	size  int // bytes
	used  int // what all rows cost
	level int // nothing that lists reach, as long as all fit
	lists []sharer
}

// A sharer is a list, whatever is in it.
type sharer interface {
	cost() int // endless if it let rows go
	trim()     // lets those go that are above the level
}

// endless is the cost of a list of which nobody knows any more what it would cost.
const endless = math.MaxInt

func newMemory(size int) *memory { return &memory{size: size, level: endless} }

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
			if cost := l.cost(); cost <= level {
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
