package tribes

import (
	"github.com/gamedissect/gamedissect/decode/wire"
)

// checkRepeated looks for servers that stand in an earlier packet of the list, and remembers those of
// this one. What a packet repeats by itself is found when it is read.
func (t *tracker) checkRepeated(l wire.Layer, s *list, m *MasterListReply) {
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
		l.Core().Report(ruleRepeated, off, serverSize,
			"%d of %d entries stand in an earlier packet already, the first is %d: %s",
			again.n, len(m.Servers), again.first, m.Servers[again.first].AddrPort())
	}
	if last := len(t.tables) - 1; last >= 0 && s.seen.places == nil {
		s.seen.places, t.tables = t.tables[last], t.tables[:last]
	}
	s.seen.reserve(min(s.seen.used+len(m.Servers), maxServers))
	for i := range m.Servers {
		s.seen.add(&m.Servers[i])
	}
}

// forgetServers gives up what is remembered of the servers in a list. Its table may serve another one.
func (t *tracker) forgetServers(l *list) {
	if n := cap(l.seen.places); n > 0 && n <= maxSparePlaces && len(t.tables) < maxSpare {
		t.tables = append(t.tables, l.seen.places[:0])
	}
	l.seen = serverSet{}
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
