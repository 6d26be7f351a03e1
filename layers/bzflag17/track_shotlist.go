package bzflag17

import (
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// shot is a shot that began.
type shot struct {
	shooter PlayerID
	when    int64
	id      uint16
	flag    FlagID // flag of the shooter's tank
}

// shotMemory is longer than the maximum lifetime of a shot plus the time until all players know of its end.
const shotMemory = 10 * second

// The number of shots that are kept per connection. There is always room for fewShots. Up to manyShots are kept if they
// began within shotMemory.
const (
	fewShots  = 64
	manyShots = 4096
)

// shots are the last shots on a connection.
type shots struct {
	ring  []shot
	first int // index of the oldest shot
	count int
}

// get returns the last shot with a number, or nil if there is none.
func (s *shots) get(shooter PlayerID, id uint16) *shot {
	for i := s.count - 1; i >= 0; i-- {
		if k := &s.ring[(s.first+i)&(len(s.ring)-1)]; k.id == id && k.shooter == shooter {
			return k
		}
	}
	return nil
}

// add adds a shot that begins now. It reports whether it drops another shot that messages may still name.
func (s *shots) add(k shot, now int64) (lost bool) {
	k.when = now
	if s.count == len(s.ring) {
		recent := s.count > 0 && clock.Elapsed(s.ring[s.first].when, now) < shotMemory
		if s.count < fewShots || recent && s.count < manyShots {
			s.grow()
		} else {
			s.first = (s.first + 1) & (len(s.ring) - 1)
			s.count--
			lost = recent
		}
	}
	s.ring[(s.first+s.count)&(len(s.ring)-1)] = k
	s.count++
	return lost
}

// grow doubles the ring, whose length is a power of two.
func (s *shots) grow() {
	ring := make([]shot, max(2*len(s.ring), 8))
	n := copy(ring, s.ring[s.first:])
	copy(ring[n:], s.ring[:s.first])
	s.ring, s.first = ring, 0
}

// held returns the number of bytes that the shots occupy.
func (s *shots) held() int { return len(s.ring) * int(unsafe.Sizeof(shot{})) }
