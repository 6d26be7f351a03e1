package stats

import (
	"encoding/binary"
	"net/netip"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// The initial sizes of two hash tables, powers of two. The tables are caches: a new entry replaces the one at the same
// index.
const (
	kindSlots     = 256
	valueSlots    = 1 << 10 // grows to at most 1/16 of the memory
	valueSlotSize = int(unsafe.Sizeof(valueSlot{}))
)

// kindSlot is a slot for a kind of message.
type kindSlot struct {
	protocol *wire.Protocol
	name     string
	counts   *Message
}

// valueSlot is a slot for a series of a subject.
type valueSlot struct {
	of     *table
	row    *Row
	series *Series
}

// message returns the counts for the kind of a message.
func (k *keeping) message(s *Stats, m *decode.Message) *Message {
	if k.kinds == nil {
		k.kinds = make([]kindSlot, kindSlots)
	}
	slot := &k.kinds[0]
	if n := len(m.Name); n > 2 {
		at := n + 7*int(m.Name[n-1]) + 31*int(m.Name[n-2]) + 3*int(m.Name[n/2]) + int(m.Direction)
		slot = &k.kinds[at%kindSlots]
	}
	if slot.protocol == m.Protocol && slot.name == m.Name {
		return slot.counts
	}
	p := s.protocol(m.Protocol.Name)
	counts := p.Messages[m.Name]
	if counts == nil {
		counts = new(Message)
		p.Messages[m.Name] = counts
	}
	*slot = kindSlot{m.Protocol, m.Name, counts}
	return counts
}

// exchange counts a message from one endpoint to another.
func (k *keeping) exchange(m *decode.Message, side Side) {
	name := m.Protocol.Name
	c, fromA := k.conversationOf(m)
	c.First, c.Last, c.Stream = min(c.First, m.Time), max(c.Last, m.Time), min(c.Stream, m.Conversation)
	if c.Protocol != name {
		c.Protocol = first(c.Protocol, name)
	}
	src, dst := c.a, c.b
	if src == nil { // c is the row of the others
		src, dst = k.endpoints.row(EndpointKey{m.Transport, m.Src}), k.endpoints.row(EndpointKey{m.Transport, m.Dst})
	} else if !fromA {
		src, dst = dst, src
	}
	if fromA {
		c.AB.add(side)
	} else {
		c.BA.add(side)
	}
	src, dst = k.present(src, EndpointKey{m.Transport, m.Src}), k.present(dst, EndpointKey{m.Transport, m.Dst})
	src.Sent.add(side)
	dst.Received.add(side)
	if src.Protocol != name || dst.Protocol != name {
		src.Protocol, dst.Protocol = first(src.Protocol, name), first(dst.Protocol, name)
	}
}

// present returns the endpoint, or the row of the others if the endpoint with this key was dropped. Another endpoint
// may have reused its row.
func (k *keeping) present(e *Endpoint, key EndpointKey) *Endpoint {
	if e.hash >= k.endpoints.beyond || e.key != key {
		return k.endpoints.rest()
	}
	return e
}

// conversationOf returns the conversation of a message, and whether the message comes from the lower endpoint, A.
func (k *keeping) conversationOf(m *decode.Message) (c *Conversation, fromA bool) {
	pair := (m.Lane + 1) / 2
	if int(pair) < len(k.pairs) {
		if c = k.pairs[pair]; c != nil && c.key.Transport == m.Transport {
			switch {
			case c.key.A == m.Src && c.key.B == m.Dst:
				return c, true
			case c.key.A == m.Dst && c.key.B == m.Src:
				return c, false
			}
		}
	}
	key, fromA := pairOf(m.Transport, m.Src, m.Dst)
	c = k.conversations.row(key)
	if c == k.conversations.others {
		return c, fromA
	}
	if c.a == nil {
		c.a, c.b = k.endpoints.row(EndpointKey{key.Transport, key.A}), k.endpoints.row(EndpointKey{key.Transport, key.B})
		if c.hash >= k.conversations.beyond { // the endpoints took its room
			return k.conversations.rest(), fromA
		}
	}
	if pair > 0 {
		for int(pair) >= len(k.pairs) {
			k.pairs = append(k.pairs, nil)
		}
		if k.pairs[c.pair] == c {
			k.pairs[c.pair] = nil
		}
		k.pairs[pair], c.pair = c, pair
	}
	return c, fromA
}

// pairOf returns the key of a conversation, and whether the source is the lower endpoint.
func pairOf(t wire.Transport, src, dst netip.AddrPort) (p ConversationKey, fromA bool) {
	if dst.Compare(src) < 0 {
		return ConversationKey{t, dst, src}, false
	}
	return ConversationKey{t, src, dst}, true
}

// measured returns the row and the series for a value.
func (k *keeping) measured(s *Stats, v *wire.Value) (*table, *Row, *Series) {
	if k.values == nil {
		k.values = make([]valueSlot, valueSlots)
	}
	t := k.table(s, v.Protocol.Name, v.Table)
	slot := &k.values[placeOf(v)&uint64(len(k.values)-1)]
	if r := slot.row; r != nil && slot.of == t && slot.series.What == v.What &&
		r.key.Who == v.Who && r.key.Whom == v.Whom && r.key.Server == v.Server && r.hash < t.beyond {
		return t, r, slot.series
	}
	r := t.row(RowKey{v.Server, v.Who, v.Whom})
	x := t.series(r, v.What)
	if r != t.others && r.hash >= t.beyond { // the series had no room
		r = t.rest()
		x = t.series(r, v.What)
	}
	if r != t.others {
		if slot.row != nil {
			k.misses++
		}
		*slot = valueSlot{t, r, x}
		if n := 2 * len(k.values); k.misses > n/4 && n*valueSlotSize <= k.memory.size/16 {
			k.values, k.misses = make([]valueSlot, n), 0
		}
	}
	return t, r, x
}

// placeOf returns the index of a value's slot, which depends on the server, the subject and the series.
func placeOf(v *wire.Value) uint64 {
	a := v.Server.Addr().As16()
	n := binary.BigEndian.Uint64(a[8:])*31 + uint64(v.Server.Port())
	for i := range min(len(v.Who), 4) {
		n = n*31 + uint64(v.Who[i])
	}
	for i := range min(len(v.Whom), 4) {
		n = n*31 + uint64(v.Whom[i])
	}
	if last := len(v.What) - 1; last >= 0 {
		n = n*31 + uint64(v.What[last]) + uint64(last)<<4
	}
	n *= 0x9e3779b97f4a7c15
	return n ^ n>>32
}
