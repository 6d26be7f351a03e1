package ip

import "encoding/binary"

// Addresses returns the source and destination addresses of an IP header, 4 or 16 bytes each. They are slices of
// header.
func Addresses(header []byte) (src, dst []byte) {
	if header[0]>>4 == 4 {
		return header[12:16], header[16:20]
	}
	return header[8:24], header[24:40]
}

// UpdateHeader updates the checksum of an IPv4 header after a change. old is the header before the change. A wrong
// checksum stays wrong. IPv6 headers have no checksum and stay unchanged.
func UpdateHeader(header []byte, old string) {
	if header[0]>>4 == 4 {
		at := header[10:12]
		binary.BigEndian.PutUint16(at, UpdateChecksum(binary.BigEndian.Uint16(at), old, string(header)))
	}
}

// UpdateTransport updates the checksum of a UDP, TCP or ICMPv6 packet after a change. A wrong checksum stays wrong. An
// unfinished checksum, which the sender left to its network device, stays unfinished.
//
// content is the packet from its transport header on; the first fragment of an IPv6 packet may begin with extension
// headers. length is the length of the whole packet in bytes, or 0 if unknown. oldHosts and newHosts contain the source
// and destination addresses, before and after the change. oldContent is the content before the change, or empty if only
// the addresses changed.
func UpdateTransport(protocol uint8, content []byte, length int, oldHosts, newHosts, oldContent string) {
	p := Packet{Protocol: protocol, Payload: content}
	if p.skipExtensions() != Found {
		return
	}
	at, ok := checksumAt(p.Protocol)
	if !ok || len(p.Payload) < at+2 {
		return
	}
	field := p.Payload[at : at+2]
	sum := binary.BigEndian.Uint16(field)
	if p.Protocol == ProtocolUDP && sum == 0 {
		return // no checksum
	}
	switch {
	case isUnfinished(sum, p.Protocol, len(p.Payload), length, oldHosts):
		sum = ^UpdateChecksum(^sum, oldHosts, newHosts)
	case oldContent == "":
		sum = UpdateChecksum(sum, oldHosts, newHosts)
	default:
		sum = UpdateChecksum(sum, oldHosts+oldContent, newHosts+string(content))
	}
	if p.Protocol == ProtocolUDP && sum == 0 {
		sum = 0xffff
	}
	binary.BigEndian.PutUint16(field, sum)
}

// FillChecksum completes the checksum of a whole UDP, TCP or ICMPv6 packet if the sender left it to its network device.
func FillChecksum(protocol uint8, content []byte, src, dst []byte) {
	at, ok := checksumAt(protocol)
	hosts := string(src) + string(dst)
	if !ok || len(content) < at+2 {
		return
	}
	field := content[at : at+2]
	if !isUnfinished(binary.BigEndian.Uint16(field), protocol, len(content), len(content), hosts) {
		return
	}
	clear(field)
	right := ^fold(uint64(protocol) + uint64(len(content)) + sum([]byte(hosts)) + sum(content))
	if right == 0 && protocol == ProtocolUDP {
		right = 0xffff
	}
	binary.BigEndian.PutUint16(field, right)
}

// isUnfinished reports whether a checksum covers only the addresses, the protocol and the length. If a network device
// completes the checksums, a capture on the sender contains such unfinished checksums. If the length of the whole
// packet is unknown, isUnfinished accepts any length above that of the captured part, up to 2,048 bytes.
func isUnfinished(checksum uint16, protocol uint8, captured, length int, hosts string) bool {
	const longest = 2048
	pseudo := uint64(protocol) + sum([]byte(hosts))
	if length > 0 {
		return checksum == fold(pseudo+uint64(length))
	}
	implied := int(fold(uint64(checksum) + uint64(^fold(pseudo))))
	return implied > captured && implied <= longest
}

// Checksum reports whether the checksum of a whole TCP packet is right. known is false if part of the packet was not
// captured, or if the checksum is unfinished.
func (p *Packet) Checksum() (right, known bool) {
	at, ok := checksumAt(p.Protocol)
	if !ok || p.Protocol != ProtocolTCP || p.Fragment || p.Missing > 0 || len(p.Payload) < at+2 {
		return false, false
	}
	pseudo := uint64(p.Protocol) + uint64(len(p.Payload))
	if p.Src.Is4() {
		src, dst := p.Src.As4(), p.Dst.As4()
		pseudo += sum(src[:]) + sum(dst[:])
	} else {
		src, dst := p.Src.As16(), p.Dst.As16()
		pseudo += sum(src[:]) + sum(dst[:])
	}
	if fold(pseudo+sum(p.Payload)) == 0xffff {
		return true, true
	}
	sent := binary.BigEndian.Uint16(p.Payload[at:])
	return false, sent != 0 && sent != fold(pseudo)
}

// sum adds bytes, 32 bits at a time. No packet is large enough to overflow the total.
func sum(b []byte) (total uint64) {
	for ; len(b) >= 16; b = b[16:] {
		x, y := binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])
		total += x>>32 + x&0xffffffff + y>>32 + y&0xffffffff
	}
	for ; len(b) >= 2; b = b[2:] {
		total += uint64(b[0])<<8 | uint64(b[1])
	}
	if len(b) == 1 {
		total += uint64(b[0]) << 8
	}
	return total
}

// fold adds the upper bits of a sum to the lower 16 until 16 are left.
func fold(total uint64) uint16 {
	for total > 0xffff {
		total = total>>16 + total&0xffff
	}
	return uint16(total)
}

// checksumAt returns the offset of the checksum in a transport header. ok is false if the checksum does not cover the
// addresses.
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

// UpdateChecksum returns the checksum of data after some of the data changed (RFC 1624). A wrong checksum stays wrong.
// old and changed contain only the bytes that changed, before and after the change.
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

// word returns the number in the two bytes at i. A missing last byte counts as zero.
func word(b string, i int) uint16 {
	w := uint16(b[i]) << 8
	if i+1 < len(b) {
		w |= uint16(b[i+1])
	}
	return w
}
