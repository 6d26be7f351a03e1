package ip

import (
	"hash/maphash"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// joined is the set of recently joined datagrams. It prevents a repeated fragment from being reported as a lost
// datagram. It stores hashes in a young and an old set, and drops the whole old set when the young set becomes old.
type joined struct {
	seed       maphash.Seed
	young, old map[uint64]struct{}
	since      int64 // when the young set began
}

// joinedCost is the approximate memory of one entry in bytes.
const joinedCost = 24

// bytes returns the approximate memory of both sets in bytes.
func (j *joined) bytes() int { return (len(j.young) + len(j.old)) * joinedCost }

// has reports whether a datagram with a key was joined less than fragmentTimeout ago.
func (j *joined) has(k *datagramKey, now int64) bool {
	j.age(now)
	if len(j.young)+len(j.old) == 0 {
		return false
	}
	hash := maphash.Comparable(j.seed, *k)
	_, young := j.young[hash]
	_, old := j.old[hash]
	return young || old
}

// add records a datagram. most is the maximum number of entries of each set.
func (j *joined) add(k *datagramKey, now int64, most int) {
	j.age(now)
	if len(j.young) >= most {
		j.young, j.old, j.since = nil, j.young, now
	}
	if j.young == nil {
		if j.seed == (maphash.Seed{}) {
			j.seed = maphash.MakeSeed()
		}
		j.young = make(map[uint64]struct{})
	}
	j.young[maphash.Comparable(j.seed, *k)] = struct{}{}
}

// age begins a new young set if the current one is older than the timeout.
func (j *joined) age(now int64) {
	switch past := clock.Elapsed(j.since, now); {
	case past > 2*fragmentTimeout, past < -fragmentTimeout:
		j.young, j.old, j.since = nil, nil, now
	case past > fragmentTimeout:
		j.young, j.old, j.since = nil, j.young, now
	}
}
