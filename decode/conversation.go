package decode

import (
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// conversation is what is known of two endpoints that talk.
type conversation struct {
	key        conversationKey
	number     int
	slot       uint32    // its number among those that are there at the same time, from 0
	protocol   *protocol // nil: not recognised
	server     end
	last       int64         // time of its last packet
	misses     uint8         // datagrams that no protocol took
	held       []held        // datagrams that looked like a protocol's
	tcp        *connection   // nil: nothing came over TCP
	prev, next *conversation // by last use
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
func (c *conversation) lane(from end) uint32 { return 2*c.slot + uint32(from-endA) + 1 }

// setServer remembers who the server is, from the direction of a packet.
func (c *conversation) setServer(from end, d wire.Direction) {
	switch d {
	case wire.FromServer:
		c.server = from
	case wire.ToServer:
		c.server = endA + endB - from
	}
}

// held is a datagram that looked like a protocol's without being proof of it. It becomes a
// message when a later one is.
type held struct {
	wire.Place
	protocol  *protocol
	direction wire.Direction
	from      end
	payload   []byte
	missing   int
	carriers  int
}

// maxConversations bounds the table. At some 350 bytes each, that is 45 MB at the most.
const maxConversations = 1 << 17

// conversations is the table of conversations. When it is full, the one idle for the longest is forgotten.
type conversations struct {
	table   map[conversationKey]*conversation
	newest  *conversation // head of the list by last use
	oldest  *conversation
	counts  [2]int   // conversations so far, per transport
	free    []uint32 // slots
	maximum int
	evicted func(*conversation) // called before one is forgotten
}

func newConversations() *conversations {
	return &conversations{
		table: make(map[conversationKey]*conversation), maximum: maxConversations, evicted: func(*conversation) {},
	}
}

// find gives the conversation of a packet, a new one if need be.
func (t *conversations) find(k conversationKey) *conversation {
	if c := t.newest; c != nil && c.key == k {
		return c // packets come in trains
	}
	c := t.table[k]
	if c == nil {
		c = t.add(k)
	} else {
		t.unlink(c)
	}
	t.link(c)
	return c
}

func (t *conversations) add(k conversationKey) *conversation {
	c := new(conversation)
	if len(t.table) >= t.maximum {
		c = t.oldest
		t.evicted(c)
		t.unlink(c)
		t.free = append(t.free, c.slot)
		delete(t.table, c.key)
	}
	*c = conversation{key: k, number: t.counts[k.transport], slot: uint32(len(t.table))}
	if last := len(t.free) - 1; last >= 0 {
		c.slot, t.free = t.free[last], t.free[:last]
	}
	t.counts[k.transport]++
	t.table[k] = c
	return c
}

// idleTimeout is how much packet time a conversation may be silent before it is forgotten. No
// game keeps a connection for so long without a word.
const idleTimeout = int64(time.Hour)

// expire forgets conversations that have been silent too long.
func (t *conversations) expire(now int64) {
	for c := t.oldest; c != nil && clock.Elapsed(c.last, now) > idleTimeout; c = t.oldest {
		t.evicted(c)
		t.unlink(c)
		t.free = append(t.free, c.slot)
		delete(t.table, c.key)
	}
}

// renew forgets what is known of the newest conversation and gives it a new number: the same
// ports are used again.
func (t *conversations) renew(c *conversation) {
	*c = conversation{key: c.key, slot: c.slot, number: t.counts[c.key.transport], last: c.last, prev: c.prev, next: c.next}
	t.counts[c.key.transport]++
}

func (t *conversations) link(c *conversation) {
	c.prev, c.next = nil, t.newest
	if t.newest != nil {
		t.newest.prev = c
	} else {
		t.oldest = c
	}
	t.newest = c
}

func (t *conversations) unlink(c *conversation) {
	if c.prev != nil {
		c.prev.next = c.next
	} else {
		t.newest = c.next
	}
	if c.next != nil {
		c.next.prev = c.prev
	} else {
		t.oldest = c.prev
	}
}
