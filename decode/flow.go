package decode

import (
	"encoding/binary"
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// flowKey names a conversation: both ends, the lower one first. It is made of plain bytes and
// numbers without gaps, so that a map hashes it in one go.
type flowKey struct {
	a, b         [16]byte
	portA, portB uint16
	transport    uint16
}

// makeKey makes the key of a packet and reports whether its source is the key's end b.
func makeKey(t wire.Transport, src, dst netip.AddrPort) (k flowKey, fromB bool) {
	s, d := src.Addr().As16(), dst.Addr().As16()
	if less(d, dst.Port(), s, src.Port()) {
		return flowKey{d, s, dst.Port(), src.Port(), uint16(t)}, true
	}
	return flowKey{s, d, src.Port(), dst.Port(), uint16(t)}, false
}

func (k *flowKey) endA() netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom16(k.a).Unmap(), k.portA)
}

func (k *flowKey) endB() netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom16(k.b).Unmap(), k.portB)
}

func less(a [16]byte, portA uint16, b [16]byte, portB uint16) bool {
	for i := 0; i < len(a); i += 8 {
		if x, y := binary.BigEndian.Uint64(a[i:]), binary.BigEndian.Uint64(b[i:]); x != y {
			return x < y
		}
	}
	return portA < portB
}

// end is one of the two ends of a conversation.
type end uint8

const (
	noEnd end = iota
	endA
	endB
)

func endIf(b bool) end {
	if b {
		return endB
	}
	return endA
}

// conversation is what is known of two endpoints that talk.
type conversation struct {
	key        flowKey
	number     int
	protocol   *protocol // nil: not recognised
	server     end
	last       int64 // time of its last packet
	misses     uint8 // datagrams that no protocol took
	held       []held
	tcp        *tcpState
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

// setServer remembers who the server is, from the direction of a packet.
func (c *conversation) setServer(from end, d wire.Direction) {
	switch d {
	case wire.FromServer:
		c.server = from
	case wire.ToServer:
		c.server = endA + endB - from
	}
}

// maxConversations bounds the table. At some 350 bytes each, that is 45 MB at the most.
const maxConversations = 1 << 17

// ends are the endpoints of a conversation in the form that places have. They are those of the
// conversation met last: messages come in trains, and in every conversation they would take much room.
type ends struct {
	key  flowKey
	a, b netip.AddrPort
}

// of gives source and destination of what one end of a conversation sends.
func (x *ends) of(c *conversation, from end) (src, dst netip.AddrPort) {
	if x.key != c.key {
		*x = ends{key: c.key, a: c.key.endA(), b: c.key.endB()}
	}
	if from == endB {
		return x.b, x.a
	}
	return x.a, x.b
}

// flows is the table of conversations. When it is full, the one idle for the longest is forgotten.
type flows struct {
	table   map[flowKey]*conversation
	newest  *conversation // head of the list by last use
	oldest  *conversation
	counts  [2]int // conversations so far, per transport
	maximum int
	evicted func(*conversation) // called before one is forgotten
}

func newFlows() *flows {
	return &flows{table: make(map[flowKey]*conversation), maximum: maxConversations, evicted: func(*conversation) {}}
}

// find gives the conversation of a packet, a new one if need be.
func (f *flows) find(k flowKey) *conversation {
	if c := f.newest; c != nil && c.key == k {
		return c // packets come in trains
	}
	c := f.table[k]
	if c == nil {
		c = f.add(k)
	} else {
		f.unlink(c)
	}
	f.link(c)
	return c
}

func (f *flows) add(k flowKey) *conversation {
	c := new(conversation)
	if len(f.table) >= f.maximum {
		c = f.oldest
		f.evicted(c)
		f.unlink(c)
		delete(f.table, c.key)
	}
	*c = conversation{key: k, number: f.counts[k.transport]}
	f.counts[k.transport]++
	f.table[k] = c
	return c
}

// idleTimeout is how much packet time a conversation may be silent before it is forgotten. No
// game keeps a connection for so long without a word.
const idleTimeout = int64(time.Hour)

// expire forgets conversations that have been silent too long.
func (f *flows) expire(now int64) {
	for c := f.oldest; c != nil && now > c.last && elapsed(c.last, now) > uint64(idleTimeout); c = f.oldest {
		f.evicted(c)
		f.unlink(c)
		delete(f.table, c.key)
	}
}

// renew forgets what is known of the newest conversation and gives it a new number: the same
// ports are used again.
func (f *flows) renew(c *conversation) {
	*c = conversation{key: c.key, number: f.counts[c.key.transport], last: c.last, prev: c.prev, next: c.next}
	f.counts[c.key.transport]++
}

func (f *flows) link(c *conversation) {
	c.prev, c.next = nil, f.newest
	if f.newest != nil {
		f.newest.prev = c
	} else {
		f.oldest = c
	}
	f.newest = c
}

func (f *flows) unlink(c *conversation) {
	if c.prev != nil {
		c.prev.next = c.next
	} else {
		f.newest = c.next
	}
	if c.next != nil {
		c.next.prev = c.prev
	} else {
		f.oldest = c.prev
	}
}
