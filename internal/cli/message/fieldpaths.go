package message

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// fieldPaths gives what is in messages the names by which display filters know it, such as bzflag24.killed.victim.
type fieldPaths struct {
	messages map[*wire.MessageType]string
	path     []byte
}

// message gives the name of a message, or of its protocol where no message is recognised.
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

// networkOf is how Wireshark calls the layer of an address: its fields begin with that.
func networkOf(a netip.Addr) string {
	if a.Is6() && !a.Is4In6() {
		return "ipv6"
	}
	return "ip"
}

// below gives the name of a node that stands in what has another. Elements of a list, and what a list of bare values
// holds, go by the list's.
func (p *fieldPaths) below(above string, n *wire.Node) string {
	if n.Element > 0 || n.Name == "" {
		return above
	}
	p.path = append(append(append(p.path[:0], above...), '.'), n.Name...)
	return string(p.path)
}
