package tribes

import (
	"net/netip"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// names calls host with each address in a master's list.
func names(_ wire.Transport, d *wire.Datagram, host func(netip.Addr)) {
	if len(d.Payload) < minimum || d.Payload[0] != Version || Type(d.Payload[1]) != TypeMasterListReply {
		return
	}
	l := new(Layer)
	l.Context.Missing = d.Missing
	_ = l.DecodeFromBytes(d.Payload, gopacket.NilDecodeFeedback) // servers before an error are also used
	if m, ok := l.Body.(*MasterListReply); ok {
		for i := range m.Servers {
			host(m.Servers[i].AddrPort().Addr())
		}
	}
}
