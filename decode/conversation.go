package decode

import (
	"hash/maphash"
	"math"
	"time"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// conversation is the state of two endpoints that talk to each other. It is small, because there may be hundreds of
// thousands of conversations. It contains no pointers, so the garbage collector does not scan it.
type conversation struct {
	endpoints
	last       int64 // time of the last packet
	transport  uint8
	protocol   uint8 // index + 1 of the protocol, see protocolList.named; 0: not recognised
	server     end
	misses     uint8     // UDP: number of unrecognised datagrams; TCP: not 0 if messages may be missing, see noteLoss
	number     uint32    // number among the conversations of its transport, from 0
	pending    uint32    // bytes outside messages so far, which are counted as skipped once the conversation is recognised
	memo       wire.Memo // for the session of the protocol
	place      uint32    // its row in conversations, from 1, see bounded.Rows
	connection uint32    // TCP: index in conversations.connections; UDP: place in few or many, see manyBit; 0: none
}

func (c *conversation) direction(from end) wire.Direction {
	switch c.server {
	case noEnd:
		return wire.Unknown
	case from:
		return wire.FromServer
	}
	return wire.ToServer
}

// service returns the port that identifies the service of a conversation without a game protocol: the server's port if
// a SYN showed which end is the server, and otherwise the lower port.
func (c *conversation) service() uint16 {
	a, b := c.a.Port(), c.b.Port()
	switch c.server {
	case endA:
		return a
	case endB:
		return b
	}
	return min(a, b)
}

// lane returns the number of the direction from the given end, see wire.Place.
func (c *conversation) lane(from end) uint32 { return 2*c.place + uint32(from-endA) - 1 }

// pend adds n to the number of bytes that are not in a message so far. A negative n removes bytes that turned out to be
// in a message.
func (c *conversation) pend(n int) {
	c.pending = uint32(min(max(int64(c.pending)+int64(n), 0), math.MaxUint32))
}

// setServer records which end is the server, given the direction of a packet from one end.
func (c *conversation) setServer(from end, d wire.Direction) {
	switch d {
	case wire.FromServer:
		c.server = from
	case wire.ToServer:
		c.server = endA + endB - from
	}
}

func (c *conversation) is(k *conversationKey) bool {
	return c.endpoints == k.endpoints && uint64(c.transport) == k.transport
}

type conversations struct {
	keyMaker
	bounded.Rows[conversation]
	budget  *bounded.Budget
	seed    maphash.Seed        // secret, because attackers can choose addresses
	byHosts *bounded.Index      // for each pair of hosts, the conversation recognised last; nil until the first fragment
	counts  [2]uint32           // number of conversations so far, per transport
	evicted func(*conversation) // called before a conversation is dropped
	first   clock.Moment        // time of the first packet of the capture
	forgot  bool                // a recognised conversation may have been dropped
	found   [keySlots]uint32    // places of recently found conversations, by conversationKey.slot

	connections     []*connection // by conversation.connection; the first is nil
	freeConnections []uint32
	few             slots[[2]fewRepeats] // recent datagrams of conversations with few of them, by sender
	many            slots[[2]repeats]    // the same for other conversations
}

// connectionCost is the approximate size of a connection in bytes. Bytes that wait in streams are counted elsewhere,
// see memory.streams.
const connectionCost = int(unsafe.Sizeof(connection{})) + 96

func newConversations(b *bounded.Budget) *conversations {
	ends := bounded.NewEndpoints(b, bounded.Kind{}) // joins the budget first, because the keys contain Endpoints
	t := &conversations{
		keyMaker: keyMaker{ends},
		Rows:     bounded.NewRows[conversation](b), budget: b, seed: maphash.MakeSeed(),
		connections: make([]*connection, 1), evicted: func(*conversation) {},
	}
	b.Join(t, bounded.Kind{Name: "conversations"})
	return t
}

func (t *conversations) hash(k *conversationKey) uint32 {
	return uint32(maphash.Comparable(t.seed, *k))
}

func (t *conversations) hashPair(p *hostPair) uint32 { return uint32(maphash.Comparable(t.seed, *p)) }

// find returns the conversation of a packet and marks it as just used. If there is none, find creates it.
func (t *conversations) find(k *conversationKey) *conversation {
	found := &t.found[k.slot()]
	if *found != 0 {
		if c := t.Find(*found); c != nil && c.is(k) {
			t.Use(*found)
			return c
		}
	}
	hash := t.hash(k)
	c := t.look(k, hash)
	if c == nil {
		c = t.make(k, hash)
	} else {
		t.Use(c.place)
	}
	*found = c.place
	return c
}

func (t *conversations) look(k *conversationKey, hash uint32) *conversation {
	return t.At(t.Places().Find(hash, func(place uint32) bool { return t.At(place).is(k) }))
}

func (t *conversations) make(k *conversationKey, hash uint32) *conversation {
	place := t.Add(hash)
	c := t.At(place)
	*c = conversation{
		endpoints: k.endpoints, transport: uint8(k.transport), number: t.number(uint16(k.transport)), place: place,
	}
	return c
}

func (t *conversations) number(transport uint16) (n uint32) {
	n = t.counts[transport]
	t.counts[transport]++
	return n
}

// meetFragments is called for each fragment. The first call begins to record conversations by their hosts, because
// fragments have no ports.
func (t *conversations) meetFragments() {
	if t.byHosts != nil {
		return
	}
	t.byHosts = new(bounded.Index)
	for c := t.At(t.Stalest()); c != nil; c = t.At(t.Newer(c.place)) {
		if c.protocol != 0 && c.transport == uint8(wire.UDP) {
			t.noteHosts(c)
		}
	}
}

// noteHosts records a recognised conversation as the latest one of its two hosts.
func (t *conversations) noteHosts(c *conversation) {
	if t.byHosts == nil {
		return
	}
	hosts := c.hosts()
	before, hash := t.byHosts.Bytes(), t.hashPair(&hosts)
	if other := t.ofHosts(&hosts); other != nil {
		t.byHosts.Remove(hash, other.place)
	}
	t.byHosts.Put(hash, c.place)
	t.budget.Spend(t.byHosts.Bytes() - before)
}

// ofHosts returns the conversation that was recorded last for two hosts, or nil.
func (t *conversations) ofHosts(p *hostPair) *conversation {
	return t.At(t.byHosts.Find(t.hashPair(p), func(place uint32) bool { return t.At(place).hosts() == *p }))
}

// idleTimeout is how long a conversation may be silent, in packet time, before it is dropped. No game is silent for so
// long on an open connection.
const idleTimeout = int64(time.Hour)

// expire drops conversations that have been silent for too long. It sets forgot from the time alone, because engines
// that share a capture have different conversations but must set forgot alike.
func (t *conversations) expire(now int64) {
	if !t.first.Known() {
		t.first = clock.At(now)
	}
	t.forgot = t.forgot || clock.Elapsed(t.first.When(), now) > idleTimeout
	for c := t.At(t.Stalest()); c != nil && clock.Elapsed(c.last, now) > idleTimeout; c = t.At(t.Stalest()) {
		t.Forget()
	}
}

// Forget drops the conversation that was idle longest. Only a recognised one counts as a loss.
func (t *conversations) Forget() (loss bool) {
	c := t.At(t.Stalest())
	loss = c.protocol != 0
	t.forgot = t.forgot || loss
	t.evicted(c)
	t.disconnect(c)
	if t.byHosts != nil && c.protocol != 0 && c.transport == uint8(wire.UDP) {
		before, hosts := t.byHosts.Bytes(), c.hosts()
		t.byHosts.Remove(t.hashPair(&hosts), c.place)
		t.budget.Spend(t.byHosts.Bytes() - before)
	}
	t.Remove(c.place)
	return loss
}

// renew resets a conversation because its ports are used again.
func (t *conversations) renew(c *conversation) {
	t.disconnect(c)
	*c = conversation{
		endpoints: c.endpoints, transport: c.transport, number: t.number(uint16(c.transport)), last: c.last, place: c.place,
	}
}

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

// manyBit is set in conversation.connection if the place is in conversations.many, and not set if it is in
// conversations.few.
const manyBit = 1 << 31

// recentOf returns the recent datagrams from one end.
func (t *conversations) recentOf(c *conversation, from end) recentRing {
	if c.connection&manyBit != 0 {
		return t.many.at(c.connection &^ manyBit)[from-endA].ring()
	}
	return t.few.at(c.connection)[from-endA].ring()
}

func (t *conversations) repeated(c *conversation, from end, f *fingerprint) bool {
	return c.connection != 0 && t.recentOf(c, from).repeated(f)
}

func (t *conversations) remember(c *conversation, from end, f *fingerprint) {
	switch {
	case c.connection == 0:
		c.connection = t.few.take()
		t.budget.Spend(t.few.cost())
	case c.connection&manyBit == 0 && t.recentOf(c, from).full(f):
		few, many := *t.few.at(c.connection), t.many.take()
		t.forgetRecent(c)
		c.connection = many | manyBit
		t.budget.Spend(t.many.cost())
		for i := range few {
			t.recentOf(c, endA+end(i)).add(few[i].ring())
		}
	}
	t.recentOf(c, from).remember(f)
}

func (t *conversations) forgetRecent(c *conversation) {
	if c.connection&manyBit != 0 {
		t.many.release(c.connection &^ manyBit)
		t.budget.Spend(-t.many.cost())
	} else {
		t.few.release(c.connection)
		t.budget.Spend(-t.few.cost())
	}
	c.connection = 0
}

func (t *conversations) tcp(c *conversation) *connection {
	if c.transport != uint8(wire.TCP) {
		return nil
	}
	return t.connections[c.connection]
}

func (t *conversations) disconnect(c *conversation) {
	switch {
	case c.connection == 0:
	case c.transport == uint8(wire.UDP):
		t.forgetRecent(c)
	default:
		n := t.connections[c.connection]
		n.dropCandidates(n.Stream(0))
		n.dropCandidates(n.Stream(1))
		t.connections[c.connection] = nil
		t.freeConnections = append(t.freeConnections, c.connection)
		c.connection = 0
		t.budget.Spend(-connectionCost)
	}
}
