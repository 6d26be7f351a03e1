package anonymize

import (
	"slices"
	"sort"
)

// retransmitted finds the ranges of streams that came more than once. A retransmission may differ from the earlier
// segment, but messages contain the bytes that came first. So in the second pass, retransmitted stores the bytes that
// came first in these ranges.
type retransmitted struct {
	come   map[int64]extent // received range of each stream
	whole  map[int64]extent // received range in segments that came in one packet
	ranges map[int64][]repeated
}

type extent struct{ from, to int64 }

// overlap returns the intersection of two extents, which may be empty.
func (e extent) overlap(other extent) extent {
	return extent{max(e.from, other.from), min(e.to, other.to)}
}

// union returns the smallest extent that contains both. The zero extent is empty.
func (e extent) union(other extent) extent {
	if other == (extent{}) {
		return e
	}
	return extent{min(e.from, other.from), max(e.to, other.to)}
}

// repeated is an extent that came more than once.
type repeated struct {
	extent
	first []byte // bytes that came first
	known []bool // whether each byte of first is known
}

// costOfRepeated is the approximate cost of a repeated byte: one byte in first and one in known.
const costOfRepeated = 2

func newRetransmitted() retransmitted {
	return retransmitted{
		come: make(map[int64]extent), whole: make(map[int64]extent), ranges: make(map[int64][]repeated),
	}
}

// learn records a segment, which came in one packet or was joined from fragments. If it was joined, learn returns the
// part of it that an earlier packet may also have contained in one piece. learn also returns how much memory it uses.
func (r *retransmitted) learn(key int64, segment extent, joined bool) (before extent, cost int) {
	come, seen := r.come[key]
	if !seen {
		cost = costOfConversation
	}
	r.come[key] = segment.union(come)
	if again := segment.overlap(come); again.from < again.to {
		r.ranges[key] = append(r.ranges[key], repeated{extent: again})
		cost += costOfPiece
	}
	if joined {
		return segment.overlap(r.whole[key]), cost
	}
	r.whole[key] = segment.union(r.whole[key])
	return extent{}, cost
}

// sort ends the first pass. It sorts the repeated ranges, joins overlapping ranges, and returns the memory that they
// take in the second pass.
func (r *retransmitted) sort(read func(key int64) bool) (cost int) {
	for key, list := range r.ranges {
		if !read(key) {
			delete(r.ranges, key)
			continue
		}
		slices.SortFunc(list, func(a, b repeated) int { return int(a.from - b.from) })
		joined := list[:1]
		for _, x := range list[1:] {
			if last := &joined[len(joined)-1]; x.from <= last.to {
				last.to = max(last.to, x.to)
			} else {
				joined = append(joined, x)
			}
		}
		r.ranges[key] = joined
		for _, x := range joined {
			cost += costOfRepeated * int(x.to-x.from)
		}
	}
	clear(r.come)
	clear(r.whole)
	return cost
}

// restore replaces bytes of a segment that differ from the bytes that came first. It returns the offsets of the
// replaced bytes.
func (r *retransmitted) restore(key, at int64, b []byte) (others []int) {
	list := r.ranges[key]
	first := sort.Search(len(list), func(i int) bool { return list[i].to > at })
	for i := first; i < len(list) && list[i].from < at+int64(len(b)); i++ {
		x := &list[i]
		if x.first == nil {
			x.first, x.known = make([]byte, x.to-x.from), make([]bool, x.to-x.from)
		}
		for p := max(x.from, at); p < min(x.to, at+int64(len(b))); p++ {
			own, came := &x.first[p-x.from], &b[p-at]
			if !x.known[p-x.from] {
				x.known[p-x.from], *own = true, *came
			} else if *own != *came {
				*came = *own
				others = append(others, int(p-at))
			}
		}
	}
	return others
}

// otherFiller replaces a byte if filler is equal to the byte that came first.
const otherFiller = 'y'

// fillOthers overwrites the bytes that restore replaced, so that they still differ from the bytes that came first.
func fillOthers(b []byte, others []int) {
	for _, i := range others {
		if b[i] == filler {
			b[i] = otherFiller
		} else {
			b[i] = filler
		}
	}
}
