package bpf

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/gamedissect/gamedissect/capture"
)

// Packets and filters use the same few values, so that filters often match.
var (
	someHosts4 = []uint32{0x0a000001, 0x0a000002, 0x0a010203, 0xc0a80107, 0xe0000105, 0xffffffff, 0}
	someHosts6 = [][16]byte{
		{0xfe, 0x80, 15: 1}, {0xfe, 0x80, 15: 2}, {0x20, 0x01, 0x0d, 0xb8, 7: 9, 15: 7}, {0xff, 2, 15: 1}, {},
	}
	someMACs  = []uint64{0x001122aabbcc, 0x001122aabbcd, 0x01005e000105, 0xffffffffffff}
	somePorts = []uint16{0, 22, 52, 53, 54, 80, 6968, 6969, 6970, 27500, 65535}
	someLinks = slices.Sorted(maps.Keys(frames))
)

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// somePacket returns a random frame that is mostly valid.
func somePacket(r *rand.Rand, link capture.LinkType) []byte {
	kind, payload := someNetwork(r)
	f := frames[link]
	if carried := f.carries(0x0800); carried.kind == testNode && carried.test.k == etherIP4 || f.isPPP() {
		kind, payload = encapsulate(r, f, kind, payload)
	}
	b := make([]byte, f.payload)
	switch f.link {
	case linkEthernet:
		binary.BigEndian.PutUint64(b, pick(r, someMACs)<<16)
		binary.BigEndian.PutUint64(b[6:], pick(r, someMACs)<<16)
		binary.BigEndian.PutUint16(b[12:], kind)
	case linkPFLOG:
		family := map[uint16]byte{etherIP4: 2, etherIP6: 10}[kind] // the values of libpcap on Linux
		b = make([]byte, pick(r, []int{48, 64, 64, 64, 100}))
		b[0], b[1], b[2], b[3] = byte(len(b)-r.IntN(4)), family, byte(r.IntN(2)), byte(r.IntN(3))
		if len(b) > 60 {
			b[60] = byte(r.IntN(3))
		}
	case linkNull, linkLoop, linkENC:
		family := map[uint16]uint32{etherIP4: 2, etherIP6: pick(r, []uint32{24, 28, 30})}[kind]
		if r.IntN(20) == 0 {
			family = 7
		}
		if r.IntN(4) == 0 == (f.link == linkLoop) {
			binary.LittleEndian.PutUint32(b, family)
		} else {
			binary.BigEndian.PutUint32(b, family)
		}
	case linkCooked, linkCooked2, linkHDLC:
		binary.BigEndian.PutUint16(b[f.typeAt:], kind)
	}
	if f.isPPP() {
		binary.BigEndian.PutUint16(b[f.typeAt:], pppType(kind))
	}
	return append(b, payload...)
}

func pppType(kind uint16) uint16 {
	if n, ok := pppTypes[uint32(kind)]; ok {
		return uint16(n)
	}
	return kind
}

// encapsulate puts tags, labels and PPPoE headers before a packet's payload.
func encapsulate(r *rand.Rand, f frame, kind uint16, payload []byte) (uint16, []byte) {
	if r.IntN(10) == 0 && (f.link == linkEthernet || f.link == linkPPP || f.link == linkHDLC) {
		last := byte(1)
		for range 1 + r.IntN(2) {
			label := []byte{0, 0, pick(r, []byte{0x50, 0x60}) | last, 64}
			payload, last = append(label, payload...), 0
		}
		kind = etherMPLS
	}
	if r.IntN(10) == 0 && !f.isPPP() {
		header := []byte{0x11, 0, 0, byte(5 + r.IntN(2)), 0, byte(len(payload) + 2)}
		payload = append(binary.BigEndian.AppendUint16(header, pppType(kind)), payload...)
		kind = pick(r, []uint16{etherPPPoES, etherPPPoES, etherPPPoED})
	}
	for range r.IntN(8) / 5 {
		if f.link == linkEthernet {
			tag := binary.BigEndian.AppendUint16(nil, pick(r, []uint16{5, 6, 0xe005}))
			payload = append(binary.BigEndian.AppendUint16(tag, kind), payload...)
			kind = pick(r, []uint16{0x8100, 0x8100, 0x88a8, 0x9100, 0x9200})
		}
	}
	return kind, payload
}

func someNetwork(r *rand.Rand) (kind uint16, packet []byte) {
	switch r.IntN(10) {
	case 0:
		b := make([]byte, 28)
		b[7] = byte(r.IntN(5))
		binary.BigEndian.PutUint32(b[14:], pick(r, someHosts4))
		binary.BigEndian.PutUint32(b[24:], pick(r, someHosts4))
		return pick(r, []uint16{etherARP, etherRARP}), b
	case 1:
		b := make([]byte, r.IntN(70))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return pick(r, []uint16{etherIP4, etherIP6, etherARP, 0x9000, 60}), b
	case 2, 3, 4:
		return etherIP6, some6(r)
	}
	return etherIP4, some4(r)
}

var someProtocols = []byte{6, 6, 6, 17, 17, 17, 132, 1, 58, 44, 0, 2, 50, 51, 103, 112}

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
	b = someTransport(r, b, b[9])
	binary.BigEndian.PutUint16(b[2:], uint16(len(b)))
	return b
}

func some6(r *rand.Rand) []byte {
	b := make([]byte, 40)
	b[0], b[6] = 0x60, pick(r, someProtocols)
	from, to := pick(r, someHosts6), pick(r, someHosts6)
	copy(b[8:], from[:])
	copy(b[24:], to[:])
	protocol := b[6]
	if protocol == protocolFragment {
		protocol = pick(r, someProtocols)
		b = append(b, protocol, 0, 0, byte(r.IntN(2)), 0, 0, 0, 9)
	}
	return someTransport(r, b, protocol)
}

// someTransport appends the payload of an IP protocol. The payload is valid in about half of the packets.
func someTransport(r *rand.Rand, b []byte, protocol byte) []byte {
	ports := binary.BigEndian.AppendUint16(nil, pick(r, somePorts))
	ports = binary.BigEndian.AppendUint16(ports, pick(r, somePorts))
	data := []byte{0x10, 5, 0xff, 0xff, 0xff, 0xff, 0, 0}[:r.IntN(9)]
	switch valid := r.IntN(2) == 0; {
	case valid && protocol == 6:
		flags := pick(r, []byte{1, 2, 4, 16, 18, 20, 24})
		b = append(append(b, ports...), 0, 0, 0, 1, 0, 0, 0, 2, 0x50, flags, 1, 0, 0, 0, 0, 0)
		return append(b, data...)
	case valid && protocol == 17:
		return append(append(append(b, ports...), 0, byte(8+len(data)), 0, 0), data...)
	case valid && (protocol == 1 || protocol == 2 || protocol == 58):
		return append(append(b, pick(r, []byte{0, 1, 3, 8, 0x11, 128, 135, 143}), byte(r.IntN(4))), data...)
	}
	b = append(b, ports...)
	for range r.IntN(24) {
		b = append(b, byte(r.IntN(20)))
	}
	return b
}

// someFilter returns a random filter with several conditions.
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
	switch r.IntN(15) {
	case 0:
		return pick(r, []string{"ip", "ip6", "arp", "rarp", "tcp", "udp", "sctp", "icmp", "icmp6", "igmp", "ah", "esp", "pim",
			"vrrp", "ip multicast", "ip6 multicast"})
	case 1:
		return pick(r, []string{"", "ip ", "ip6 "}) + "proto " +
			pick(r, []string{"6", "17", "132", `\udp`, "44", "(6 or 17)"})
	case 2:
		return fmt.Sprintf("%s %d", pick(r, []string{"less", "greater", "len <", "len >=", "length !="}), r.IntN(120))
	case 3:
		if link == linkEthernet {
			return pick(r, []string{"vlan", "vlan 5", "vlan 6", "mpls", "mpls 5", "pppoes", "pppoes 5", "pppoed"})
		}
		if link == linkPFLOG {
			return pick(r, []string{"inbound", "outbound", "link[2] = 1", "link[1] + 1 = 3"})
		}
		return way + "port 53"
	case 4:
		if link == linkEthernet {
			return pick(r, []string{"broadcast", "ether multicast", "ether host 0:11:22:aa:bb:cc", `ether proto \ip or \arp`,
				"ether src 00-11-22-AA-BB-CC", "ether dst 0011.22aa.bbcd"})
		}
		return "ether proto 0x800"
	case 5, 6:
		return pick(r, []string{"", "", "ip "}) + someHost4(r, way)
	case 7:
		a := pick(r, someHosts6)
		text := fmt.Sprintf("%x::%x:%x", uint32(a[0])<<8|uint32(a[1]), a[14], a[15])
		return pick(r, []string{"", "", "ip6 "}) + way + pick(r, []string{
			"host " + text, "net fe80::/10", "net fe80::/16", "net 2001:db8::/32", "net 2001:db8::/42", "net " + text + "/128",
			"net ::/1", "net ::/0", "net fe80::/97"})
	case 8, 9:
		return someComparison(r)
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

// someComparison uses only one protocol, because libpcap does not check that a packet has all protocols of a
// comparison.
func someComparison(r *rand.Rand) string {
	protocol := pick(r, []string{"ip", "ip6", "tcp", "udp", "icmp", "sctp", "ether", "arp", "icmp6", "igmp"})
	read := func() string {
		return fmt.Sprintf("%s[%d%s]", protocol, r.IntN(12), pick(r, []string{"", ":1", ":2", ":4"}))
	}
	value := read()
	switch r.IntN(5) {
	case 0:
		value += pick(r, []string{" & 0x1fff", " & 1", "&(1|2)", " - 5", ">>4", " / 3", "%7", "^3", " + 1 * 2", " - (2 - 1)"})
	case 1:
		value = fmt.Sprintf("(%s %s %s)", read(), pick(r, []string{"+", "-", "*", "/", "&", "|"}), read())
	case 2:
		value = fmt.Sprintf("%s[%s & 15 + %d]", protocol, read(), r.IntN(4))
	}
	other := fmt.Sprint(pick(r, []int{0, 1, 6, 17, 44, 64, 0x2000}))
	if r.IntN(4) == 0 {
		other = pick(r, []string{read(), "len", read() + " & 7", "-len"})
	}
	return value + " " + pick(r, []string{"=", "==", "!=", "<", "<=", ">", ">="}) + " " + other
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
