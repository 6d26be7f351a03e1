package tribes

import "github.com/gamedissect/gamedissect/decode/wire"

// repeated looks for servers that stand in an earlier packet of the list, and remembers those of
// this one. What a packet repeats by itself is found when it is read.
func (t *tracker) repeated(l wire.Layer, s *list, m *MasterListReply) {
	if m.Total < 2 {
		return
	}
	var again tally
	for i := range m.Servers {
		if s.seen.elsewhere(&m.Servers[i], m.Number) {
			again.add(i)
		}
	}
	if again.n > 0 {
		off := l.Part().Size() - len(m.Trailing) - (len(m.Servers)-again.first)*serverSize
		l.Part().Report(ruleRepeated, off, serverSize, "%d of %d entries stand in an earlier packet already, the first is %d: %s",
			again.n, len(m.Servers), again.first, m.Servers[again.first].AddrPort())
	}
	before := len(s.seen.places)
	s.seen.reserve(len(m.Servers), mostServers-t.servers)
	t.servers += len(s.seen.places) - before
	for i := range m.Servers {
		s.seen.add(&m.Servers[i], m.Number)
	}
}

// hash mixes what a packet of a list says. Number, key and id are compared by themselves.
func (r *MasterListReply) hash() uint64 {
	const prime = 0x9e3779b97f4a7c15
	h := uint64(r.Reserved)<<8 | uint64(r.Count)
	mix := func(v uint64) {
		h = (h ^ v) * prime
		h ^= h >> 29
	}
	for _, text := range [...][]byte{r.Name, r.MOTD, r.Trailing} {
		mix(uint64(len(text)))
		for _, c := range text {
			mix(uint64(c))
		}
	}
	for i := range r.Servers {
		mix(r.Servers[i].number()<<8 | uint64(r.Servers[i].Marker))
	}
	return h
}

// number packs address and port into 48 bits.
func (s *Server) number() uint64 {
	return uint64(s.IP[0])<<40 | uint64(s.IP[1])<<32 | uint64(s.IP[2])<<24 | uint64(s.IP[3])<<16 | uint64(s.Port)
}

// serverTable is a hash table of servers and the numbers of the packets that they stand in: 48 bits and
// eight, and a bit to tell them from an empty place. There are always empty places.
type serverTable struct {
	places []uint64 // a power of two
	used   int
}

const taken = 1 << 63

// reserve makes room for more servers, if so many more places may be had.
func (t *serverTable) reserve(more, places int) {
	size := max(len(t.places), 128)
	for size < 2*(t.used+more) {
		size *= 2
	}
	if size == len(t.places) || size-len(t.places) > places {
		return
	}
	old := t.places
	t.places = make([]uint64, size)
	for _, v := range old {
		if v != 0 {
			t.places[t.find(v>>8&(1<<48-1))] = v
		}
	}
}

// find gives the place of a server, or where it would be.
func (t *serverTable) find(server uint64) uint64 {
	last := uint64(len(t.places) - 1)
	at := server * 0x9e3779b97f4a7c15 >> 32 & last
	for t.places[at] != 0 && t.places[at]>>8&(1<<48-1) != server {
		at = (at + 1) & last
	}
	return at
}

// elsewhere tells whether a server stands in a packet of another number.
func (t *serverTable) elsewhere(s *Server, packet uint8) bool {
	if len(t.places) == 0 {
		return false
	}
	v := t.places[t.find(s.number())]
	return v != 0 && uint8(v) != packet
}

// add notes that a server stands in a packet, if there is room.
func (t *serverTable) add(s *Server, packet uint8) {
	if 2*(t.used+1) > len(t.places) {
		return
	}
	at := t.find(s.number())
	if t.places[at] == 0 {
		t.places[at] = taken | s.number()<<8 | uint64(packet)
		t.used++
	}
}
