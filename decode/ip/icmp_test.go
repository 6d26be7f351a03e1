package ip

import (
	"net/netip"
	"slices"
	"testing"
)

// quoting returns an ICMP message about a packet.
func quoting(kind, code byte, packet []byte) []byte {
	return slices.Concat([]byte{kind, code, 0, 0, 0, 0, 0, 0}, packet)
}

func TestUndelivered(t *testing.T) {
	udp4 := []byte{0x45, 0, 0, 200, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2, 0x9c, 0x40, 0x6d, 0x60, 0, 180, 0, 0}
	udp6 := slices.Concat([]byte{0x60, 0, 0, 0, 0, 100, 17, 64}, make([]byte, 15), []byte{1}, make([]byte, 15), []byte{2},
		[]byte{0x9c, 0x40, 0x6d, 0x60, 0, 100, 0, 0})
	for _, c := range []struct {
		name     string
		protocol uint8
		message  []byte
		src      string
	}{
		{"an unreachable IPv4 port", 1, quoting(3, 3, udp4), "10.0.0.1:40000"},
		{"an unreachable IPv4 host, with only the ports quoted", 1, quoting(3, 1, udp4[:24]), "10.0.0.1:40000"},
		{"an unreachable IPv6 port", 58, quoting(1, 4, udp6), "[::1]:40000"},
		{"fragmentation needed", 1, quoting(3, 4, udp4), ""},
		{"an echo", 1, quoting(8, 0, udp4), ""},
		{"ICMPv4 in IPv6", 58, quoting(3, 3, udp4), ""},
		{"without complete ports", 1, quoting(3, 3, udp4[:23]), ""},
		{"nothing", 1, nil, ""},
		{"a later fragment", 1, quoting(3, 3, slices.Concat(udp4[:6], []byte{0, 9}, udp4[8:])), ""},
	} {
		p := Packet{Protocol: c.protocol, Payload: c.message}
		u, ok := p.Undelivered()
		if ok != (c.src != "") || ok && (u.Src != netip.MustParseAddrPort(c.src) || u.Dst.Port() != 28000 || u.Protocol != ProtocolUDP) {
			t.Errorf("%s: %+v, %v", c.name, u, ok)
		}
	}
}
