package stats

import (
	"math"
	"unsafe"
)

// About what rows take in memory: themselves, and their places in a map and a heap.
const (
	conversationCost = int(unsafe.Sizeof(Conversation{})) + (int(unsafe.Sizeof(Pair{}))+9)*3/2 + 24
	endpointCost     = int(unsafe.Sizeof(Endpoint{})) + (int(unsafe.Sizeof(End{}))+9)*3/2 + 24
	rowCost          = int(unsafe.Sizeof(Row{})) + (int(unsafe.Sizeof(Subject{}))+9)*3/2 + 24
)

// keeping bounds the lists of Stats, and finds what a message or a value is counted under without a look into maps,
// which would take longer than all the rest.
type keeping struct {
	conversations list[Pair, *Conversation]
	endpoints     list[End, *Endpoint]
	senders       list[Sender, *Broken]
	tables        []*table
	memory        *memory // of all lists

	pairs      []*Conversation // by lane: those of both directions are one
	kinds      []kindSlot
	values     []valueSlot
	texts      texts
	lastBroken *Broken // the one met last

	misses int // how often a value took the slot of another since the slots were made
}

// A table is the list of a table of a protocol.
type table struct {
	list[Subject, *Row]

	protocol, name string
}

// keeping gives the lists, which it makes of the maps if it is called for the first time.
func (s *Stats) keeping() *keeping {
	if s.kept != nil {
		return s.kept
	}
	memory := s.Memory
	if memory <= 0 {
		memory = DefaultMemory
	}
	if s.Conversations == nil {
		s.Conversations = make(map[Pair]*Conversation)
	}
	if s.Endpoints == nil {
		s.Endpoints = make(map[End]*Endpoint)
	}
	if s.Senders == nil {
		s.Senders = make(map[Sender]*Broken)
	}
	for _, b := range s.Senders {
		b.cost = brokenCost
	}
	for _, c := range s.Conversations {
		c.cost = conversationCost
	}
	for _, e := range s.Endpoints {
		e.cost = endpointCost
	}
	k := &keeping{memory: newMemory(memory)}
	k.conversations = list[Pair, *Conversation]{memory: k.memory, fresh: newConversation, drop: func(c *Conversation) {
		k.dropConversation(s, c)
	}}
	k.endpoints = list[End, *Endpoint]{memory: k.memory, fresh: newEndpoint, drop: func(e *Endpoint) {
		k.endpoints.rest().merge(e)
		s.full("endpoints", k.endpoints.beyond)
	}}
	k.senders = list[Sender, *Broken]{memory: k.memory, fresh: newBroken, drop: func(b *Broken) {
		k.senders.rest().merge(b)
		s.full("senders", k.senders.beyond)
	}}
	k.conversations.fillFrom(s.Conversations, Pair.hash)
	k.endpoints.fillFrom(s.Endpoints, End.hash)
	k.senders.fillFrom(s.Senders, Sender.hash)
	s.kept = k
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

// full notes from which hash on rows of a list are among the others.
func (s *Stats) full(name string, beyond uint64) {
	if s.Full == nil {
		s.Full = make(map[string]uint64)
	}
	s.Full[name] = beyond
}

// lower drops those rows that other Stats have no room for.
func (s *Stats) lower(full map[string]uint64) {
	k := s.keeping()
	for name, beyond := range full {
		switch name {
		case "conversations":
			k.conversations.lower(beyond)
			s.full(name, k.conversations.beyond)
		case "endpoints":
			k.endpoints.lower(beyond)
			s.full(name, k.endpoints.beyond)
		case "senders":
			k.senders.lower(beyond)
			s.full(name, k.senders.beyond)
		default:
			protocol, table, _ := cut(name)
			t := k.table(s, protocol, table)
			t.lower(beyond)
			s.full(name, t.beyond)
		}
	}
}

func (k *keeping) dropConversation(s *Stats, c *Conversation) {
	k.conversations.rest().merge(c)
	s.full("conversations", k.conversations.beyond)
	if int(c.pair) < len(k.pairs) && k.pairs[c.pair] == c {
		k.pairs[c.pair] = nil
	}
}

// table gives the list of a table.
func (k *keeping) table(s *Stats, protocol, name string) *table {
	for i, t := range k.tables {
		if t.name == name && t.protocol == protocol {
			k.tables[0], k.tables[i] = t, k.tables[0] // mostly it is asked for again
			return t
		}
	}
	return k.addTable(s, protocol, name)
}

// addTable adds a table that there was not.
func (k *keeping) addTable(s *Stats, protocol, name string) *table {
	p := s.protocol(protocol)
	rows := p.Tables[name]
	if rows == nil {
		rows = make(Table)
		p.Tables[name] = rows
	}
	for subject, r := range rows {
		r.cost = rowCost + len(subject.Who) + len(subject.Whom)
		for _, x := range r.Series {
			r.cost += seriesCost + x.cost()
		}
	}
	t := &table{protocol: protocol, name: name}
	t.list = list[Subject, *Row]{memory: k.memory, fresh: func() *Row { return new(Row) }, drop: func(r *Row) {
		t.rest().merge(r)
		for _, x := range r.Series {
			*x = Series{} // who has a pointer to it keeps little
		}
		r.Series = nil
		s.full(protocol+","+name, t.beyond)
	}}
	t.fillFrom(rows, Subject.hash)
	k.tables = append(k.tables, t)
	return t
}

// row gives the row of a subject.
func (t *table) row(who Subject) *Row {
	hash := who.hash()
	r := t.find(who, hash)
	if r == nil {
		r = t.add(new(Row), who, hash, rowCost+len(who.Who)+len(who.Whom))
	}
	return r
}

// series gives what was measured of one.
func (t *table) series(r *Row, what string) *Series {
	x, isNew := r.make(what)
	if isNew {
		t.grow(r, seriesCost)
	}
	return x
}

func newConversation() *Conversation {
	return &Conversation{First: math.MaxInt64, Last: math.MinInt64, Stream: math.MaxInt}
}

func (k *keeping) conversation(key Pair) *Conversation {
	hash := key.hash()
	c := k.conversations.find(key, hash)
	if c == nil {
		c = k.conversations.add(newConversation(), key, hash, conversationCost)
	}
	return c
}

func newEndpoint() *Endpoint { return new(Endpoint) }

func (k *keeping) endpoint(key End) *Endpoint {
	hash := key.hash()
	e := k.endpoints.find(key, hash)
	if e == nil {
		e = k.endpoints.add(newEndpoint(), key, hash, endpointCost)
	}
	return e
}
