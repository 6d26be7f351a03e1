package decode

import (
	"hash/maphash"
	"time"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// conversation is what is known of two endpoints that talk. There may be hundreds of thousands: it is small, and has
// no pointers, so that the garbage collector need not look at it.
type conversation struct {
	endpoints
	transport    uint8
	protocol     uint8 // see protocolList.of; 0: not recognised
	server       end
	misses       uint8  // datagrams that no protocol took
	number       int    // per transport, from 0
	last         int64  // time of its last packet
	turn         uint64 // of the budget, when it was used last
	place        uint32 // in the table, from 1
	newer, older uint32 // places of its neighbours by last use; 0: none
	connection   uint32 // place of the connection; 0: nothing came over TCP
}

// direction is that of a packet from one of the ends.
func (c *conversation) direction(from end) wire.Direction {
	switch c.server {
	case noEnd:
		return wire.Unknown
	case from:
		return wire.FromServer
	}
	return wire.ToServer
}

// lane is the number of what one of the ends says, see wire.Place.
func (c *conversation) lane(from end) uint32 { return 2*c.place + uint32(from-endA) - 1 }

// setServer remembers who the server is, from the direction of a packet.
func (c *conversation) setServer(from end, d wire.Direction) {
	switch d {
	case wire.FromServer:
		c.server = from
	case wire.ToServer:
		c.server = endA + endB - from
	}
}

// is reports whether a key is that of the conversation.
func (c *conversation) is(k *conversationKey) bool {
	return c.endpoints == k.endpoints && uint16(c.transport) == k.transport
}

func (c *conversation) key() conversationKey {
	return conversationKey{c.endpoints, uint16(c.transport)}
}

// conversations is the table of conversations, on a budget. Those that are there at the same time have places, which
// are used again when they are forgotten.
type conversations struct {
	budget  *bounded.Budget
	seed    maphash.Seed // strangers choose addresses
	byKey   index
	byHosts index // the conversations of each two hosts that were recognised last
	slabs   []*slab
	free    []uint32      // places
	newest  *conversation // head of the list by last use; nil: the table is empty
	oldest  uint32
	counts  [2]int              // conversations so far, per transport
	evicted func(*conversation) // called before one is forgotten

	connections     []*connection // by place, the first is nil
	freeConnections []uint32
}

// slab is memory for conversations, a whole number of pages.
type slab struct {
	conversations [slabSize]conversation
	used          int
}

const (
	slabSize = 511

	// What one takes in the table besides its buckets. What a connection holds is not looked up each time: most
	// hold next to nothing, and what waits in streams is bounded elsewhere.
	conversationCost = int(unsafe.Sizeof(conversation{})) + 4
	connectionCost   = int(unsafe.Sizeof(connection{})) + 96
)

func newConversations(b *bounded.Budget) *conversations {
	t := &conversations{
		budget: b, seed: maphash.MakeSeed(), connections: make([]*connection, 1), evicted: func(*conversation) {},
	}
	b.Join(t, bounded.Kind{Name: "conversations"})
	return t
}

// at gives the conversation at a place, nil for none.
func (t *conversations) at(place uint32) *conversation {
	if place == 0 {
		return nil
	}
	return &t.slabs[(place-1)/slabSize].conversations[(place-1)%slabSize]
}

func (t *conversations) hash(k *conversationKey) uint32 {
	return uint32(maphash.Comparable(t.seed, *k))
}

func (t *conversations) hashPair(p *hostPair) uint32 { return uint32(maphash.Comparable(t.seed, *p)) }

// len is how many conversations there are.
func (t *conversations) len() int { return t.byKey.used }

// find gives the conversation of a packet, a new one if need be. That is its use.
func (t *conversations) find(k *conversationKey) *conversation {
	c := t.newest
	if c != nil && c.is(k) { // packets come in trains
		c.turn = t.budget.Now()
		return c
	}
	hash := t.hash(k)
	if c = t.look(k, hash); c == nil {
		c = t.add(k, hash)
	} else {
		t.unlink(c)
	}
	c.turn = t.budget.Now()
	t.link(c)
	return c
}

// look gives the conversation of a key, nil if there is none.
func (t *conversations) look(k *conversationKey, hash uint32) *conversation {
	return t.at(t.byKey.find(hash, func(place uint32) bool { return t.at(place).is(k) }))
}

// add makes a conversation.
func (t *conversations) add(k *conversationKey, hash uint32) *conversation {
	if len(t.free) == 0 {
		t.slabs = append(t.slabs, nil)
		for place := uint32(len(t.slabs) * slabSize); len(t.free) < slabSize; place-- {
			t.free = append(t.free, place)
		}
	}
	last := len(t.free) - 1
	place := t.free[last]
	t.free = t.free[:last]
	s := &t.slabs[(place-1)/slabSize]
	if *s == nil {
		*s = new(slab)
	}
	(*s).used++
	c := t.at(place)
	*c = conversation{endpoints: k.endpoints, transport: uint8(k.transport), number: t.counts[k.transport], place: place}
	t.counts[k.transport]++
	t.put(&t.byKey, hash, place)
	t.budget.Spend(conversationCost)
	return c
}

func (t *conversations) put(x *index, hash, place uint32) {
	before := x.bytes()
	x.put(hash, place)
	t.budget.Spend(x.bytes() - before)
}

// noteHosts remembers that the hosts of a conversation speak its protocol.
func (t *conversations) noteHosts(c *conversation) {
	hash := t.hashPair(&c.hosts)
	if other := t.ofHosts(&c.hosts); other != nil {
		t.byHosts.remove(hash, other.place)
	}
	t.put(&t.byHosts, hash, c.place)
}

// ofHosts gives the conversation of two hosts that was noted last, nil if there is none.
func (t *conversations) ofHosts(p *hostPair) *conversation {
	return t.at(t.byHosts.find(t.hashPair(p), func(place uint32) bool { return t.at(place).hosts == *p }))
}

// idleTimeout is how much packet time a conversation may be silent before it is forgotten. No
// game keeps a connection for so long without a word.
const idleTimeout = int64(time.Hour)

// expire forgets conversations that have been silent too long.
func (t *conversations) expire(now int64) {
	for c := t.at(t.oldest); c != nil && clock.Elapsed(c.last, now) > idleTimeout; c = t.at(t.oldest) {
		t.Forget()
	}
}

// Oldest implements bounded.Keeper.
func (t *conversations) Oldest() (turn uint64, ok bool) {
	if t.oldest == 0 {
		return 0, false
	}
	return t.at(t.oldest).turn, true
}

// Forget implements bounded.Keeper.
func (t *conversations) Forget() {
	c := t.at(t.oldest)
	t.evicted(c)
	t.disconnect(c)
	t.unlink(c)
	k := c.key()
	t.byKey.remove(t.hash(&k), c.place)
	if c.protocol != 0 && c.transport == uint8(wire.UDP) {
		t.byHosts.remove(t.hashPair(&c.hosts), c.place)
	}
	t.free = append(t.free, c.place)
	t.budget.Spend(-conversationCost)
	s := &t.slabs[(c.place-1)/slabSize]
	if (*s).used--; (*s).used == 0 && len(t.free) > 2*slabSize {
		*s = nil
	}
}

// renew forgets what is known of a conversation and gives it a new number: the same ports are used again.
func (t *conversations) renew(c *conversation) {
	t.disconnect(c)
	*c = conversation{
		endpoints: c.endpoints, transport: c.transport, number: t.counts[c.transport],
		last: c.last, turn: c.turn, place: c.place, newer: c.newer, older: c.older,
	}
	t.counts[c.transport]++
}

// connect gives a conversation a connection.
func (t *conversations) connect(c *conversation, to *connection) {
	if last := len(t.freeConnections) - 1; last >= 0 {
		c.connection, t.freeConnections = t.freeConnections[last], t.freeConnections[:last]
	} else {
		c.connection = uint32(len(t.connections))
		t.connections = append(t.connections, nil)
	}
	t.connections[c.connection] = to
	t.budget.Spend(connectionCost)
}

// tcp is the connection of a conversation, nil if nothing came over TCP.
func (t *conversations) tcp(c *conversation) *connection { return t.connections[c.connection] }

func (t *conversations) disconnect(c *conversation) {
	if c.connection != 0 {
		t.connections[c.connection] = nil
		t.freeConnections = append(t.freeConnections, c.connection)
		c.connection = 0
		t.budget.Spend(-connectionCost)
	}
}

func (t *conversations) link(c *conversation) {
	c.newer, c.older = 0, 0
	if t.newest != nil {
		t.newest.newer, c.older = c.place, t.newest.place
	} else {
		t.oldest = c.place
	}
	t.newest = c
}

func (t *conversations) unlink(c *conversation) {
	newer, older := t.at(c.newer), t.at(c.older)
	if newer != nil {
		newer.older = c.older
	} else {
		t.newest = older
	}
	if older != nil {
		older.newer = c.newer
	} else {
		t.oldest = c.newer
	}
}
