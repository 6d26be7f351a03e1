package iptest

import (
	"encoding/binary"
	"slices"
)

func join(parts ...[]byte) []byte { return slices.Concat(parts...) }

func isIPv6(packet []byte) bool { return packet[0]>>4 == 6 }

func etherTypeOf(packet []byte) uint16 {
	if isIPv6(packet) {
		return 0x86dd
	}
	return 0x0800
}

// versionProtocol returns the protocol number of an IP packet inside IP.
func versionProtocol(packet []byte) byte {
	if isIPv6(packet) {
		return 41
	}
	return 4
}

func ethernet(etherType uint16, payload []byte) []byte {
	header := []byte{2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1}
	return join(binary.BigEndian.AppendUint16(header, etherType), payload)
}

func frame(packet []byte) []byte { return ethernet(etherTypeOf(packet), packet) }

// tagged returns a frame with two VLAN tags.
func tagged(packet []byte) []byte {
	tags := binary.BigEndian.AppendUint16([]byte{0, 5, 0x81, 0, 0, 6}, etherTypeOf(packet))
	return ethernet(0x88a8, join(tags, packet))
}

func ip4(protocol byte, payload []byte) []byte {
	header := binary.BigEndian.AppendUint16([]byte{0x45, 0}, uint16(20+len(payload)))
	header = append(header, 0x12, 0x34, 0, 0, 64, protocol, 0, 0, 172, 16, 0, 1, 172, 16, 0, 2)
	return join(header, payload)
}

func ip6(next byte, payload []byte) []byte {
	header := make([]byte, 40)
	header[0], header[6], header[7] = 0x60, next, 64
	binary.BigEndian.PutUint16(header[4:], uint16(len(payload)))
	header[8], header[23], header[24], header[39] = 0xfd, 1, 0xfd, 2
	return join(header, payload)
}

func udp(port uint16, payload []byte) []byte {
	header := binary.BigEndian.AppendUint16([]byte{0xc0, 0x01}, port)
	return join(binary.BigEndian.AppendUint16(header, uint16(8+len(payload))), []byte{0, 0}, payload)
}

// asIPv6 returns an IPv6 packet unchanged, and an IPv4 packet inside an IPv6 packet.
func asIPv6(packet []byte) []byte {
	if isIPv6(packet) {
		return packet
	}
	return ip6(4, packet)
}

// pppProtocol returns the second byte of the PPP protocol number of an IP packet. The first byte is 0.
func pppProtocol(packet []byte) []byte {
	if isIPv6(packet) {
		return []byte{0x57}
	}
	return []byte{0x21}
}

func pppoeHeader(packet []byte) []byte {
	size := len(packet) + 2
	return join([]byte{0x11, 0, 0, 7, byte(size >> 8), byte(size), 0}, pppProtocol(packet))
}

// snap returns the LLC and SNAP header before an IP packet.
func snap(packet []byte) []byte {
	return binary.BigEndian.AppendUint16([]byte{0xaa, 0xaa, 3, 0, 0, 0}, etherTypeOf(packet))
}

func wifiHeader(kind, flags byte) []byte {
	return []byte{kind, flags, 0, 0, 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 3, 0x10, 0x01}
}
