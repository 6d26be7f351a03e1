package ip

import "encoding/binary"

// Tunnels over UDP. Other programs may use their ports, so a datagram counts as a tunnel only if every field is valid
// and a plausible IP packet follows.

const (
	udpHeader  = 8
	portL2TP   = 1701
	portTeredo = 3544
)

// findInUDP reads the content of a datagram to a tunnel's port.
func findInUDP(outer, p *Packet) Outcome {
	data, length := outer.Payload, len(outer.Payload)+outer.Missing
	if size := int(binary.BigEndian.Uint16(data[4:])); size >= udpHeader && size < length {
		data, length = data[:min(size, len(data))], size
	}
	tunnel := outer.Tunnel()
	data, length = data[udpHeader:], length-udpHeader
	const minHeader = 8 // bytes
	if len(data) < minHeader {
		return p.tooShort(InIP, data, length)
	}
	switch tunnel {
	case VXLAN:
		return findInVXLAN(data, length, p)
	case Geneve:
		return findInGeneve(data, length, p)
	case GTP:
		return findInGTP(data, length, p)
	case VXLANGPE:
		return findInVXLANGPE(data, length, p)
	case TZSP:
		return findInTZSP(data, length, p)
	case L2TP:
		return findInL2TP(data, length, p)
	default:
		return findInTeredo(data, length, p)
	}
}

// findInVXLAN reads a frame after a VXLAN header (RFC 7348). The group policy extension uses bits that the RFC
// reserves.
func findInVXLAN(data []byte, length int, p *Packet) Outcome {
	const header, valid, policy, policyBits, reservedAt = 8, 0x08, 0x80, 0x48, 7
	withPolicy := data[0]&policy != 0
	switch {
	case data[0]&^policy != valid, data[reservedAt] != 0,
		withPolicy && data[1]&^policyBits != 0, !withPolicy && data[1]|data[2]|data[3] != 0:
		return p.broken(InIP)
	}
	return findFrame(data[header:], length-header, p)
}

// findInGeneve reads the content after a Geneve header and its options (RFC 8926).
func findInGeneve(data []byte, length int, p *Packet) Outcome {
	const header, version, words, flags, reservedAt = 8, 0xc0, 0x3f, 0xc0, 7
	size := header + 4*int(data[0]&words)
	carries := binary.BigEndian.Uint16(data[2:])
	switch {
	case data[0]&version != 0, data[1]&^flags != 0, data[reservedAt] != 0, size > length:
		return p.broken(InIP)
	case len(data) < size:
		return p.tooShort(InIP, data, length)
	case carries != etherTypeBridge && carries != etherTypeIPv4 && carries != etherTypeIPv6:
		return p.other(OtherTraffic, InEtherType, carries)
	}
	return findCarried(carries, data[size:], length-size, p)
}

// findInGTP reads a mobile user's packet after a GTP-U header, version 1 (3GPP TS 29.281).
func findInGTP(data []byte, length int, p *Packet) Outcome {
	const header, more, packet, typeAt, lengthAt = 8, 4, 0xff, 1, 2
	const version, optional, extended = 0x30, 0x07, 0x04 // version 1 of the user protocol, not the charging protocol
	if data[0]&^optional != version || data[typeAt] != packet ||
		int(binary.BigEndian.Uint16(data[lengthAt:])) != length-header {
		return p.broken(InIP)
	}
	flags := data[0]
	data, length = data[header:], length-header
	if flags&optional == 0 {
		return findIP(data, length, p)
	}
	for size := more; ; size = 4 * int(data[0]) {
		if size == 0 || size > length {
			return p.broken(InIP)
		}
		if size > len(data) {
			return p.tooShort(InIP, data, length)
		}
		next := data[size-1] // type of the next extension header; 0: none
		data, length = data[size:], length-size
		if next == 0 || flags&extended == 0 {
			return findIP(data, length, p)
		}
		if len(data) == 0 {
			return p.tooShort(InIP, data, length)
		}
	}
}

// findInTeredo reads an IPv6 packet after optional authentication and origin indications (RFC 4380).
func findInTeredo(data []byte, length int, p *Packet) Outcome {
	const authentication, origin, authenticationHeader, originHeader = 1, 0, 13, 8
	if data[0] == 0 && data[1] == authentication {
		size := authenticationHeader + int(data[2]) + int(data[3])
		if len(data) < size+2 {
			return p.tooShort(InIP, data, length)
		}
		data, length = data[size:], length-size
	}
	if data[0] == 0 && data[1] == origin {
		if len(data) < originHeader {
			return p.tooShort(InIP, data, length)
		}
		data, length = data[originHeader:], length-originHeader
	}
	if len(data) < ipv6HeaderSize {
		return p.tooShort(InIP, data, length)
	}
	if data[0]>>4 != 6 || int(binary.BigEndian.Uint16(data[4:])) != length-ipv6HeaderSize {
		return p.broken(InIPv6)
	}
	return findIPv6(data, length, p)
}
