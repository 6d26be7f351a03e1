package tribes

import (
	"encoding/binary"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// repeated looks for servers that stand in an earlier packet of the list, and remembers those of
// this one. What a packet repeats by itself is found when it is read.
func (t *tracker) repeated(l wire.Layer, s *list, m *MasterListReply) {
	if m.Total < 2 {
		return
	}
	var again tally
	for i := range m.Servers {
		if s.seen.has(&m.Servers[i]) {
			again.add(i)
		}
	}
	if again.n > 0 {
		off := l.Core().Size() - len(m.Trailing) - (len(m.Servers)-again.first)*serverSize
		l.Core().Report(ruleRepeated, off, serverSize, "%d of %d entries stand in an earlier packet already, the first is %d: %s",
			again.n, len(m.Servers), again.first, m.Servers[again.first].AddrPort())
	}
	if n := len(t.tables); n > 0 && s.seen.places == nil {
		s.seen.places, t.tables = t.tables[n-1], t.tables[:n-1]
	}
	before := len(s.seen.places)
	s.seen.reserve(len(m.Servers), mostServers-t.servers)
	t.servers += len(s.seen.places) - before
	for i := range m.Servers {
		s.seen.add(&m.Servers[i])
	}
}

// forgetServers gives up what is remembered of the servers in a list.
func (t *tracker) forgetServers(l *list) {
	t.servers -= len(l.seen.places)
	if places := l.seen.places; places != nil && len(t.tables) < mostFree && cap(places) <= mostFreePlaces {
		t.tables = append(t.tables, places[:0])
	}
	l.seen = serverTable{}
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
	return uint64(binary.BigEndian.Uint32(s.IP[:]))<<16 | uint64(s.Port)
}

// serverTable is a hash table of servers. There are always empty places.
type serverTable struct {
	places []uint64 // a power of two; taken and the server, or 0
	used   int
}

const taken = 1 << 63

// reserve makes room for more servers, if so many more places may be had.
func (t *serverTable) reserve(more, places int) {
	size := max(len(t.places), 128)
	for size < 2*(t.used+more) {
		size *= 2
	}
	if t.used == 0 {
		size = max(size, cap(t.places))
	}
	if size == len(t.places) || size-len(t.places) > places {
		return
	}
	if t.used == 0 && size <= cap(t.places) {
		t.places = t.places[:size]
		clear(t.places)
		return
	}
	old := t.places
	t.places = make([]uint64, size)
	for _, v := range old {
		if v != 0 {
			t.places[t.find(v)] = v
		}
	}
}

// find gives the place of a server, or where it would be.
func (t *serverTable) find(v uint64) uint64 {
	last := uint64(len(t.places) - 1)
	at := v * 0x9e3779b97f4a7c15 >> 32 & last
	for t.places[at] != 0 && t.places[at] != v {
		at = (at + 1) & last
	}
	return at
}

func (t *serverTable) has(s *Server) bool {
	return len(t.places) > 0 && t.places[t.find(taken|s.number())] != 0
}

// add adds a server, if there is room.
func (t *serverTable) add(s *Server) {
	if 2*(t.used+1) > len(t.places) {
		return
	}
	v := taken | s.number()
	if at := t.find(v); t.places[at] == 0 {
		t.places[at] = v
		t.used++
	}
}
