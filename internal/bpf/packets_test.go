package bpf

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"github.com/gamedissect/gamedissect/capture"
)

// What packets hold and filters ask for comes from the same few values, so that they often meet.
var (
	someHosts4 = []uint32{0x0a000001, 0x0a000002, 0x0a010203, 0xc0a80107, 0xffffffff, 0}
	someHosts6 = [][16]byte{
		{0xfe, 0x80, 15: 1}, {0xfe, 0x80, 15: 2}, {0x20, 0x01, 0x0d, 0xb8, 7: 9, 15: 7}, {},
	}
	somePorts = []uint16{0, 22, 52, 53, 54, 80, 6968, 6969, 6970, 27500, 65535}
	someLinks = []capture.LinkType{linkNull, linkEthernet, linkRaw, linkLoop, linkCooked, linkCooked2}
)

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// somePacket makes a frame that is mostly sound.
func somePacket(r *rand.Rand, link capture.LinkType) []byte {
	kind, payload := someNetwork(r)
	b := make([]byte, headerSizes[link])
	switch link {
	case linkEthernet:
		for range r.IntN(8) / 5 {
			b = binary.BigEndian.AppendUint16(b[:len(b)-2], pick(r, []uint16{0x8100, 0x8100, 0x88a8, 0x9100, 0x9200}))
			b = binary.BigEndian.AppendUint16(b, pick(r, []uint16{5, 6, 0xe005}))
			b = append(b, 0, 0)
		}
		binary.BigEndian.PutUint16(b[len(b)-2:], kind)
	case linkCooked:
		binary.BigEndian.PutUint16(b[14:], kind)
	case linkCooked2:
		binary.BigEndian.PutUint16(b, kind)
	case linkNull, linkLoop:
		family := map[uint16]uint32{etherIP4: 2, etherIP6: 10}[kind]
		if r.IntN(20) == 0 {
			family = pick(r, []uint32{24, 28, 30})
		}
		if r.IntN(4) == 0 == (link == linkLoop) {
			binary.LittleEndian.PutUint32(b, family)
		} else {
			binary.BigEndian.PutUint32(b, family)
		}
	}
	return append(b, payload...)
}

func someNetwork(r *rand.Rand) (kind uint16, packet []byte) {
	switch r.IntN(10) {
	case 0:
		b := make([]byte, 28)
		binary.BigEndian.PutUint32(b[14:], pick(r, someHosts4))
		binary.BigEndian.PutUint32(b[24:], pick(r, someHosts4))
		return pick(r, []uint16{etherARP, etherRARP}), b
	case 1:
		b := make([]byte, r.IntN(70))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return pick(r, []uint16{etherIP4, etherIP6, etherARP, 0x88cc, 60}), b
	case 2, 3, 4:
		return etherIP6, some6(r)
	}
	return etherIP4, some4(r)
}

var someProtocols = []byte{6, 6, 17, 17, 17, 132, 1, 58, 44, 0}

func some4(r *rand.Rand) []byte {
	b := make([]byte, 20+4*(r.IntN(16)/10)*r.IntN(11))
	b[0] = 0x40 | byte(len(b)/4)
	if r.IntN(30) == 0 {
		b[0] = byte(r.Uint32())
	}
	if r.IntN(4) == 0 {
		binary.BigEndian.PutUint16(b[6:], pick(r, []uint16{0x2000, 0x2001, 0x0001, 0x1000, 0x1fff, 0x4000, 0x8000}))
	}
	b[9] = pick(r, someProtocols)
	binary.BigEndian.PutUint32(b[12:], pick(r, someHosts4))
	binary.BigEndian.PutUint32(b[16:], pick(r, someHosts4))
	return someTransport(r, b)
}

func some6(r *rand.Rand) []byte {
	b := make([]byte, 40)
	b[0], b[6] = 0x60, pick(r, someProtocols)
	from, to := pick(r, someHosts6), pick(r, someHosts6)
	copy(b[8:], from[:])
	copy(b[24:], to[:])
	if b[6] == protocolFragment {
		b = append(b, pick(r, someProtocols), 0, 0, byte(r.IntN(2)), 0, 0, 0, 9)
	}
	return someTransport(r, b)
}

func someTransport(r *rand.Rand, b []byte) []byte {
	b = binary.BigEndian.AppendUint16(b, pick(r, somePorts))
	b = binary.BigEndian.AppendUint16(b, pick(r, somePorts))
	for range r.IntN(20) {
		b = append(b, byte(r.IntN(4)))
	}
	return b
}

// someFilter makes one that the own compiler takes.
func someFilter(r *rand.Rand, link capture.LinkType, depth int) string {
	if depth == 0 || r.IntN(3) == 0 {
		return someCondition(r, link)
	}
	side := func() string {
		s := someFilter(r, link, depth-1)
		if r.IntN(2) == 0 {
			s = "(" + s + ")"
		}
		if r.IntN(4) == 0 {
			s = pick(r, []string{"not ", "! ", "!"}) + s
		}
		return s
	}
	return side() + pick(r, []string{" and ", " or ", " && ", "||"}) + side()
}

func someCondition(r *rand.Rand, link capture.LinkType) string {
	way := pick(r, []string{"", "", "src ", "dst ", "src or dst ", "dst and src "})
	switch r.IntN(12) {
	case 0:
		return pick(r, []string{"ip", "ip6", "arp", "rarp", "tcp", "udp", "sctp", "icmp", "icmp6"})
	case 1:
		return pick(r, []string{"", "ip ", "ip6 "}) + "proto " + pick(r, []string{"6", "17", "132", `\udp`, "44"})
	case 2:
		return fmt.Sprintf("%s %d", pick(r, []string{"less", "greater", "len <", "len >=", "length !="}), r.IntN(120))
	case 3:
		if link == linkEthernet {
			return pick(r, []string{"vlan", "vlan 5", "vlan 6"})
		}
		return way + "port 53"
	case 4:
		return fmt.Sprintf("%s[%d%s] %s%s %d", pick(r, []string{"ip", "ip6", "tcp", "udp", "icmp", "sctp", "ether"}),
			r.IntN(12), pick(r, []string{"", ":1", ":2", ":4"}), pick(r, []string{"", "", "& 0x1fff ", "& 1"}),
			pick(r, []string{"=", "==", "!=", "<", "<=", ">", ">="}), pick(r, []int{0, 1, 6, 17, 44, 64, 0x2000}))
	case 5, 6:
		return pick(r, []string{"", "", "ip "}) + someHost4(r, way)
	case 7:
		a := pick(r, someHosts6)
		text := fmt.Sprintf("%x::%x:%x", uint32(a[0])<<8|uint32(a[1]), a[14], a[15])
		return pick(r, []string{"", "", "ip6 "}) + way + pick(r, []string{
			"host " + text, "net fe80::/10", "net fe80::/16", "net 2001:db8::/32", "net 2001:db8::/42", "net " + text + "/128",
			"net ::/1", "net ::/0", "net fe80::/97"})
	}
	protocol := pick(r, []string{"", "", "tcp ", "udp ", "sctp "})
	if low := pick(r, somePorts); r.IntN(3) == 0 {
		return fmt.Sprintf("%s%sportrange %d-%d", protocol, way, low, pick(r, somePorts))
	}
	s := fmt.Sprintf("%s%sport %d", protocol, way, pick(r, somePorts))
	for range r.IntN(6) / 4 {
		s += fmt.Sprintf(" or %d", pick(r, somePorts))
	}
	return s
}

func someHost4(r *rand.Rand, way string) string {
	if way == "" {
		way = "host "
	}
	a := pick(r, someHosts4)
	host := fmt.Sprintf("%d.%d.%d.%d", byte(a>>24), byte(a>>16), byte(a>>8), byte(a))
	switch r.IntN(4) {
	case 0:
		return pick(r, []string{"net 10.0.0.0/8", "net 10.1", "net 10", "net 192.168.1", "net 10.0.0.0/30", "net 0.0.0.0/0",
			"net 10.1.0.0 mask 255.255.0.0", "net 10.0/15"})
	case 1:
		return way + host + " and " + host
	}
	return way + host
}
