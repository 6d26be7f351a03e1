package tribes

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
)

// number packs an address and a port into 48 bits.
func (s *Server) number() uint64 {
	return uint64(binary.BigEndian.Uint32(s.IP[:]))<<16 | uint64(s.Port)
}

// serverSet is a hash set of servers. It fills at most three quarters of its places, and ignores further servers.
type serverSet struct {
	places []uint64 // the length is a power of two; a place is 0 or has the taken bit and the server
	used   int
}

const taken = 1 << 63

// salt differs in each run of the program, so senders cannot choose servers with equal hashes.
var salt = rand.Uint64()

// room returns the maximum number of servers in the set.
func (s *serverSet) room() int { return len(s.places) / 4 * 3 }

// reserve makes room for the given total number of servers.
func (s *serverSet) reserve(servers int) {
	size := max(len(s.places), 16)
	for size/4*3 < servers {
		size *= 2
	}
	if s.used == 0 {
		size = max(size, cap(s.places))
	}
	if size == len(s.places) {
		return
	}
	if s.used == 0 && size == cap(s.places) {
		s.places = s.places[:size]
		clear(s.places)
		return
	}
	old := s.places
	s.places = make([]uint64, size)
	for _, v := range old {
		if v != 0 {
			s.places[s.find(v)] = v
		}
	}
}

// find returns the place of a server, or the place where it would be added.
func (s *serverSet) find(v uint64) uint64 {
	last := uint64(len(s.places) - 1)
	high, low := bits.Mul64(v^salt, 0x9e3779b97f4a7c15)
	at := (high ^ low) & last
	for s.places[at] != 0 && s.places[at] != v {
		at = (at + 1) & last
	}
	return at
}

func (s *serverSet) has(server *Server) bool {
	return len(s.places) > 0 && s.places[s.find(taken|server.number())] != 0
}

// add adds a server if there is room, and reports whether it was new.
func (s *serverSet) add(server *Server) bool {
	if len(s.places) == 0 {
		return true
	}
	v := taken | server.number()
	at := s.find(v)
	if s.places[at] != 0 {
		return false
	}
	if s.used < s.room() {
		s.places[at] = v
		s.used++
	}
	return true
}
