package ip

import "encoding/binary"

// Addresses returns source and destination of an IP header, as parts of it: 4 or 16 bytes each.
func Addresses(header []byte) (src, dst []byte) {
	if header[0]>>4 == 4 {
		return header[12:16], header[16:20]
	}
	return header[8:24], header[24:40]
}

// UpdateHeader updates the checksum of an IPv4 header that changed. If it was wrong, it stays wrong. IPv6 has none.
func UpdateHeader(header []byte, old string) {
	if header[0]>>4 == 4 {
		at := header[10:12]
		binary.BigEndian.PutUint16(at, UpdateChecksum(binary.BigEndian.Uint16(at), old, string(header)))
	}
}

// UpdateTransport makes the checksum of a UDP, TCP or ICMPv6 packet as right as it was: content is the packet from
// its transport header on, old and changed are what the checksum is about, addresses first, as it was and is. The
// first fragment of an IPv6 packet may begin with extension headers.
func UpdateTransport(protocol uint8, content []byte, old, changed string) {
	p := Packet{Protocol: protocol, Payload: content}
	if p.skipExtensions() != Found {
		return
	}
	protocol, content = p.Protocol, p.Payload
	at, ok := checksumAt(protocol)
	if !ok || len(content) < at+2 {
		return
	}
	sum := binary.BigEndian.Uint16(content[at:])
	if protocol == ProtocolUDP && sum == 0 {
		return // there is none
	}
	sum = UpdateChecksum(sum, old, changed)
	if protocol == ProtocolUDP && sum == 0 {
		sum = 0xffff
	}
	binary.BigEndian.PutUint16(content[at:], sum)
}

// FillChecksum completes the checksum of a whole UDP, TCP or ICMPv6 packet if the sender left that to its network
// device: captures on the sender then show the sum of addresses, protocol and length alone.
func FillChecksum(protocol uint8, content []byte, src, dst []byte) {
	at, ok := checksumAt(protocol)
	if !ok || len(content) < at+2 {
		return
	}
	sum := content[at : at+2]
	pseudo := addUp(addUp(addUp(0, []byte{0, protocol, byte(len(content) >> 8), byte(len(content))}), src), dst)
	if binary.BigEndian.Uint16(sum) != pseudo {
		return
	}
	clear(sum)
	right := ^addUp(pseudo, content)
	if right == 0 && protocol == ProtocolUDP {
		right = 0xffff
	}
	binary.BigEndian.PutUint16(sum, right)
}

// addUp adds bytes to a sum, 16 bits at a time; the carry is added at the end.
func addUp(sum uint16, b []byte) uint16 {
	total := uint64(sum)
	for i, x := range b {
		total += uint64(x) << (8 * (1 - i%2))
	}
	for total > 0xffff {
		total = total>>16 + total&0xffff
	}
	return uint16(total)
}

// checksumAt returns the offset of a checksum in its transport header, if the checksum covers the addresses.
func checksumAt(protocol uint8) (offset int, ok bool) {
	switch protocol {
	case ProtocolTCP:
		return 16, true
	case ProtocolUDP:
		return 6, true
	case protocolICMPv6:
		return 2, true
	}
	return 0, false
}

// UpdateChecksum returns the checksum of changed bytes from the checksum before: RFC 1624. A wrong checksum stays
// wrong. It needs no bytes that the capture lacks.
func UpdateChecksum(sum uint16, old, changed string) uint16 {
	total := uint64(^sum)
	for i := 0; i < len(old); i += 2 {
		total += uint64(^word(old, i)) + uint64(word(changed, i))
	}
	for total > 0xffff {
		total = total>>16 + total&0xffff
	}
	return ^uint16(total)
}

// word is the number in two bytes; after an odd end stands a zero.
func word(b string, i int) uint16 {
	w := uint16(b[i]) << 8
	if i+1 < len(b) {
		w |= uint16(b[i+1])
	}
	return w
}
