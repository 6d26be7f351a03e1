package bzflag

import (
	"hash/maphash"
	"slices"
	"time"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// News are what a server tells several clients of, each by the same bytes: they tell what happens from copies of it.
// Nobody can tell events apart that look alike, but who was told of n of them is told of the next one.
type News struct {
	seed  maphash.Seed
	told  []told
	heard int // by how many these were heard
}

// told is an event.
type told struct {
	sum   uint64 // of the bytes that tell it
	time  int64
	heard []uint32 // the connections on which it was told
}

const (
	mostTold  = 256                     // events that are remembered
	mostHeard = 512                     // connections of each; a game has 200 players
	newsTime  = int64(10 * time.Second) // for how long: copies that TCP sent again take seconds
)

// Hear takes a message that tells of an event, as it comes on a connection with a number of its own, and reports
// whether it is new: no other connection was told of that event before.
func (n *News) Hear(number uint32, message []byte, now int64) bool {
	if n.told == nil {
		n.seed = maphash.MakeSeed()
	}
	n.expire(now)
	n.heard++
	sum := maphash.Bytes(n.seed, message)
	for i := range n.told {
		if t := &n.told[i]; t.sum == sum && len(t.heard) < mostHeard && !slices.Contains(t.heard, number) {
			t.heard = append(t.heard, number)
			return false
		}
	}
	n.told = append(n.told, told{sum, now, []uint32{number}})
	return true
}

// expire forgets what nobody is going to be told of any more, and the oldest event if there are too many.
func (n *News) expire(now int64) {
	old := 0
	for old < len(n.told) && (clock.Elapsed(n.told[old].time, now) > newsTime || len(n.told)-old >= mostTold) {
		n.heard -= len(n.told[old].heard)
		old++
	}
	n.told = slices.Delete(n.told, 0, old)
}

// Held is about how many bytes the news hold besides themselves.
func (n *News) Held() int { return cap(n.told)*int(unsafe.Sizeof(told{})) + 8*n.heard }
