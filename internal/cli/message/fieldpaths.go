package message

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// fieldPaths makes the names of message fields for display filters, such as bzflag24.killed.victim.
type fieldPaths struct {
	messages map[*wire.MessageType]string
	scratch  []byte
}

// message returns the name of a message. If the message type is unknown, it returns the name of the protocol.
func (p *fieldPaths) message(m *decode.Message) string {
	kind := m.Layer.Core().Message
	if kind == nil {
		return m.Protocol.Name
	}
	path, ok := p.messages[kind]
	if !ok {
		if p.messages == nil {
			p.messages = make(map[*wire.MessageType]string)
		}
		path = filter.MessagePath(m.Protocol, kind)
		p.messages[kind] = path
	}
	return path
}

// networkOf returns Wireshark's name for the network layer of an address.
func networkOf(a netip.Addr) string {
	if a.Is6() && !a.Is4In6() {
		return "ipv6"
	}
	return "ip"
}

// below returns the path of a node. above is the path of the node's parent. An element of a list has the same path as
// the list.
func (p *fieldPaths) below(above string, n *wire.Node) string {
	if n.Element > 0 || n.Name == "" {
		return above
	}
	p.scratch = append(append(append(p.scratch[:0], above...), '.'), n.Name...)
	return string(p.scratch)
}
