package stats

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// shortcuts find what a message is counted under without a look into maps, which would take longer
// than all the rest. They hold pointers into the maps, which stay: nothing is ever deleted there.
type shortcuts struct {
	messages   []messageShortcut
	directions []directionShortcut
}

// Both have a power of two of places. What meets another in its place takes it.
const (
	messageSlots   = 64
	directionSlots = 4096
)

// messageShortcut leads to a kind of message.
type messageShortcut struct {
	protocol *wire.Protocol
	name     string
	counts   *Message
}

// directionShortcut leads to what one endpoint says to another.
type directionShortcut struct {
	src, dst       netip.AddrPort
	transport      wire.Transport
	conversation   *Conversation
	side           *Side // of the conversation
	sent, received *Side
}

func (c *shortcuts) message(s *Stats, m *decode.Message) *Message {
	if c.messages == nil {
		c.messages = make([]messageShortcut, messageSlots)
	}
	n := len(m.Name)
	k := &c.messages[0]
	if n > 2 {
		k = &c.messages[(n+int(m.Name[n-1])+3*int(m.Name[n-2])+int(m.Direction))%messageSlots]
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
	*k = messageShortcut{m.Protocol, m.Name, counts}
	return counts
}

func (c *shortcuts) direction(s *Stats, m *decode.Message) *directionShortcut {
	if c.directions == nil {
		c.directions = make([]directionShortcut, directionSlots)
	}
	t := &c.directions[uint(2*m.Conversation+int(m.Direction))%directionSlots]
	if t.conversation != nil && t.src == m.Src && t.dst == m.Dst && t.transport == m.Transport {
		return t
	}
	a, b := m.Src, m.Dst
	turned := b.Compare(a) < 0
	if turned {
		a, b = b, a
	}
	*t = directionShortcut{src: m.Src, dst: m.Dst, transport: m.Transport}
	t.conversation = s.conversation(Pair{m.Transport, a, b}, m.Protocol.Name, m.Time)
	t.side = &t.conversation.AB
	if turned {
		t.side = &t.conversation.BA
	}
	t.sent = &s.endpoint(End{m.Transport, m.Src}, m.Protocol.Name).Sent
	t.received = &s.endpoint(End{m.Transport, m.Dst}, m.Protocol.Name).Received
	return t
}
