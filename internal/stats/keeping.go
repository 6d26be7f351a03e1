package stats

import (
	"unsafe"
)

// Approximate memory of rows in bytes: the rows, and their entries in a map and a heap.
const (
	conversationCost = int(unsafe.Sizeof(Conversation{})) + (int(unsafe.Sizeof(ConversationKey{}))+9)*3/2 + 24
	endpointCost     = int(unsafe.Sizeof(Endpoint{})) + (int(unsafe.Sizeof(EndpointKey{}))+9)*3/2 + 24
	rowCost          = int(unsafe.Sizeof(Row{})) + (int(unsafe.Sizeof(RowKey{}))+9)*3/2 + 24
)

// keeping bounds the lists of Stats, and finds the counters for a message or a value without map lookups, which would
// take most of the time.
type keeping struct {
	conversations list[ConversationKey, *Conversation]
	endpoints     list[EndpointKey, *Endpoint]
	senders       list[Sender, *Broken]
	tables        []*table
	memory        *memory // shared by all lists

	pairs      []*Conversation // by lane, see wire.Place; both directions share an entry
	kinds      []kindSlot
	values     []valueSlot
	texts      texts
	lastBroken *Broken // the row used last

	misses int // number of times that a value replaced another in its slot, since the slots were made
}

// A table is the list of rows for a protocol's table.
type table struct {
	list[RowKey, *Row]

	protocol, title string
}

// keeping returns the lists. The first call makes them from the maps.
func (s *Stats) keeping() *keeping {
	if s.kept != nil {
		return s.kept
	}
	if s.Conversations == nil {
		s.Conversations = make(map[ConversationKey]*Conversation)
	}
	if s.Endpoints == nil {
		s.Endpoints = make(map[EndpointKey]*Endpoint)
	}
	if s.Senders == nil {
		s.Senders = make(map[Sender]*Broken)
	}
	k := &keeping{memory: newMemory(s.Memory)}
	s.kept = k
	beginList(s, &k.conversations, "conversations", &s.Conversations, conversationCost)
	beginList(s, &k.endpoints, "endpoints", &s.Endpoints, endpointCost)
	beginList(s, &k.senders, "senders", &s.Senders, brokenCost)
	k.conversations.drop = func(c *Conversation) {
		if int(c.pair) < len(k.pairs) && k.pairs[c.pair] == c {
			k.pairs[c.pair] = nil
		}
	}
	for name, p := range s.Protocols {
		for of := range p.Tables {
			k.addTable(s, name, of)
		}
	}
	if k.memory.used > k.memory.size {
		k.memory.share()
	}
	s.lower(s.Full)
	return k
}

// beginList makes a list of rows that all have the same cost.
func beginList[K key, V any, R interface {
	*V
	row[K, R]
}](s *Stats, l *list[K, R], name string, rows *map[K]R, cost int) {
	*l = list[K, R]{
		name: name, memory: s.kept.memory, fresh: func() R { return new(V) }, cost: func(K) int { return cost }, full: s.full,
		moved: func(to map[K]R) { *rows = to },
	}
	l.begin(*rows, func(K, R) int { return cost })
}

// This method records that a list counts rows with this hash or a larger one among the others.
func (s *Stats) full(name string, beyond uint64) {
	if s.Full == nil {
		s.Full = make(map[string]uint64)
	}
	s.Full[name] = beyond
}

// lower drops the rows that other Stats dropped, according to their Full.
func (s *Stats) lower(full map[string]uint64) {
	k := s.keeping()
	fixed := map[string]sharer{"conversations": &k.conversations, "endpoints": &k.endpoints, "senders": &k.senders}
	for name, beyond := range full {
		l := fixed[name]
		if l == nil {
			protocol, table, _ := cut(name)
			l = k.table(s, protocol, table)
		}
		l.lower(beyond)
	}
}

// table returns the list for a table.
func (k *keeping) table(s *Stats, protocol, title string) *table {
	for i, t := range k.tables {
		if t.title == title && t.protocol == protocol {
			k.tables[0], k.tables[i] = t, k.tables[0] // it is probably requested again
			return t
		}
	}
	return k.addTable(s, protocol, title)
}

// addTable adds a table that is missing.
func (k *keeping) addTable(s *Stats, protocol, title string) *table {
	p := s.protocol(protocol)
	rows := p.Tables[title]
	if rows == nil {
		rows = make(Table)
		p.Tables[title] = rows
	}
	cost := func(of RowKey) int { return rowCost + len(of.Who) + len(of.Whom) }
	t := &table{protocol: protocol, title: title}
	t.list = list[RowKey, *Row]{
		name: protocol + "," + title, memory: k.memory, fresh: func() *Row { return new(Row) }, cost: cost, full: s.full,
		moved: func(to map[RowKey]*Row) { p.Tables[title] = to },
		drop: func(r *Row) {
			for _, x := range r.Series {
				*x = Series{} // a valueSlot may still refer to it
			}
			r.Series = nil
		},
	}
	t.begin(rows, func(of RowKey, r *Row) int { return cost(of) + r.bytes() })
	k.tables = append(k.tables, t)
	return t
}

// series returns the series of a row by its name.
func (t *table) series(r *Row, what string) *Series {
	x, isNew := r.make(what)
	if isNew {
		t.grow(r, seriesCost)
	}
	return x
}
