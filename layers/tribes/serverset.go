package tribes

import "encoding/binary"

// number packs address and port into 48 bits.
func (s *Server) number() uint64 {
	return uint64(binary.BigEndian.Uint32(s.IP[:]))<<16 | uint64(s.Port)
}

// serverSet is a hash set of servers. It takes up to half as many as it has places; of more it is not known
// whether they are there.
type serverSet struct {
	places []uint64 // a power of two; taken and the server, or 0
	used   int
}

const taken = 1 << 63

// reserve makes room for more servers, if so many more places may be had.
func (s *serverSet) reserve(more, places int) {
	size := max(len(s.places), 128)
	for size < 2*(s.used+more) {
		size *= 2
	}
	if s.used == 0 {
		size = max(size, cap(s.places))
	}
	if size == len(s.places) || size-len(s.places) > places {
		return
	}
	if s.used == 0 && size <= cap(s.places) {
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

// find gives the place of a server, or where it would be.
func (s *serverSet) find(v uint64) uint64 {
	last := uint64(len(s.places) - 1)
	at := v * 0x9e3779b97f4a7c15 >> 32 & last
	for s.places[at] != 0 && s.places[at] != v {
		at = (at + 1) & last
	}
	return at
}

func (s *serverSet) has(server *Server) bool {
	return len(s.places) > 0 && s.places[s.find(taken|server.number())] != 0
}

// add adds a server, if there is room, and reports whether it was not there.
func (s *serverSet) add(server *Server) bool {
	if len(s.places) == 0 {
		return true
	}
	v := taken | server.number()
	at := s.find(v)
	if s.places[at] != 0 {
		return false
	}
	if 2*(s.used+1) <= len(s.places) {
		s.places[at] = v
		s.used++
	}
	return true
}
