package stats

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// shortcuts find what a message is counted under without a look into maps, which would take longer
// than all the rest. They hold pointers into the maps, which stay: nothing is ever deleted there.
type shortcuts struct {
	kinds []kindShortcut
	talks []talkShortcut
}

// Both have a power of two of places. What meets another in its place takes it.
const (
	kindPlaces = 64
	talkPlaces = 4096
)

// kindShortcut leads to a kind of message.
type kindShortcut struct {
	protocol *wire.Protocol
	name     string
	counts   *Message
}

// talkShortcut leads to what one endpoint says to another.
type talkShortcut struct {
	src, dst       netip.AddrPort
	transport      wire.Transport
	conversation   *Conversation
	way            *Side // of the conversation
	sent, received *Side
}

func (c *shortcuts) kind(s *Stats, m *decode.Message) *Message {
	if c.kinds == nil {
		c.kinds = make([]kindShortcut, kindPlaces)
	}
	n := len(m.Name)
	k := &c.kinds[0]
	if n > 2 {
		k = &c.kinds[(n+int(m.Name[n-1])+3*int(m.Name[n-2])+int(m.Direction))%kindPlaces]
	}
	if k.protocol == m.Protocol && k.name == m.Name {
		return k.counts
	}
	p := s.protocol(m.Protocol.Name)
	counts := p.Messages[m.Name]
	if counts == nil {
		counts = new(Message)
		p.Messages[m.Name] = counts
	}
	*k = kindShortcut{m.Protocol, m.Name, counts}
	return counts
}

func (c *shortcuts) talk(s *Stats, m *decode.Message) *talkShortcut {
	if c.talks == nil {
		c.talks = make([]talkShortcut, talkPlaces)
	}
	t := &c.talks[uint(2*m.Conversation+int(m.Direction))%talkPlaces]
	if t.conversation != nil && t.src == m.Src && t.dst == m.Dst && t.transport == m.Transport {
		return t
	}
	a, b := m.Src, m.Dst
	turned := b.Compare(a) < 0
	if turned {
		a, b = b, a
	}
	*t = talkShortcut{src: m.Src, dst: m.Dst, transport: m.Transport}
	t.conversation = s.conversation(Pair{m.Transport, a, b}, m.Protocol.Name, m.Time)
	t.way = &t.conversation.AB
	if turned {
		t.way = &t.conversation.BA
	}
	t.sent = &s.end(End{m.Transport, m.Src}, m.Protocol.Name).Sent
	t.received = &s.end(End{m.Transport, m.Dst}, m.Protocol.Name).Received
	return t
}
