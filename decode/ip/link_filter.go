package ip

import "encoding/binary"

// Link types of packet filters, IPsec and macOS. Each frame has a header about the packet, followed by the packet.

// findInENC reads a packet after a header with its address family, in the host's byte order, and its IPsec state.
func findInENC(data []byte, length int, p *Packet) Outcome {
	const header = 12
	if len(data) < header {
		return p.tooShort(InLink, data, length)
	}
	return findByFamily(familyOf(data), data[header:], length-header, p)
}

// findInPFLOG reads a packet after a header that begins with its own size and the address family. The header is padded
// to a multiple of four bytes.
func findInPFLOG(data []byte, length int, p *Packet) Outcome {
	const least, familyAt = 45, 1 // the header's size in OpenBSD 3.4
	if len(data) == 0 {
		return p.tooShort(InLink, data, length)
	}
	size := int(data[0])
	if size < least {
		return p.broken(InLink)
	}
	if size = (size + 3) &^ 3; len(data) < size {
		return p.tooShort(InLink, data, length)
	}
	return findByFamily(uint16(data[familyAt]), data[size:], length-size, p)
}

// findInNFLOG reads a packet. The frame has an address family and a list of attributes, one of which is the packet.
// Each attribute has a size and a type, and is padded to a multiple of four bytes.
func findInNFLOG(data []byte, length int, p *Packet) Outcome {
	const header, attribute, payload, typeMask = 4, 4, 9, 0x7fff
	if len(data) < header {
		return p.tooShort(InLink, data, length)
	}
	if data[1] != 0 { // the version must be 0
		return p.broken(InLink)
	}
	family := uint16(data[0])
	data, length = data[header:], length-header
	for order := attributeOrder(data); ; {
		if length <= 0 {
			return p.other(OtherTraffic, InLink, LinkNFLOG) // a log without the packet
		}
		if len(data) < attribute {
			return p.tooShort(InLink, data, length)
		}
		size := int(order.Uint16(data))
		if size < attribute || size > length {
			return p.broken(InLink)
		}
		if order.Uint16(data[2:])&typeMask == payload {
			return findByFamily(family, data[attribute:min(size, len(data))], size-attribute, p)
		}
		size = min((size+3)&^3, length)
		if len(data) < size {
			return p.tooShort(InLink, data, length)
		}
		data, length = data[size:], length-size
	}
}

// attributeOrder returns the byte order of the host that wrote the attributes. Attribute types are small numbers, so a
// large type is in the wrong order.
func attributeOrder(b []byte) binary.ByteOrder {
	const typeAt, types = 2, 0x100
	if len(b) >= typeAt+2 && binary.BigEndian.Uint16(b[typeAt:])&0x7fff < types {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// findInPKTAP reads a frame after a header that contains its link type.
func findInPKTAP(data []byte, length int, p *Packet) Outcome {
	const least, kindAt, linkAt, packet = 108, 4, 8, 1
	if len(data) < least {
		return p.tooShort(InLink, data, length)
	}
	size, kind, link := binary.LittleEndian.Uint32(data), binary.LittleEndian.Uint32(data[kindAt:]),
		binary.LittleEndian.Uint32(data[linkAt:])
	switch {
	case size < least || int64(size) > int64(length):
		return p.broken(InLink)
	case kind != packet:
		return p.other(OtherTraffic, InLink, LinkPKTAP)
	case link > 0xffff || link == LinkPKTAP:
		return p.other(OtherTraffic, InLink, uint16(link))
	case len(data) < int(size):
		return p.tooShort(InLink, data, length)
	}
	return Find(uint16(link), data[size:], length-int(size), p)
}

// findAfterTag reads an Ethernet frame with a four-byte tag of a switch chip, before the EtherType or before the
// addresses.
func findAfterTag(data []byte, length int, p *Packet) Outcome {
	const header, typeAt = 18, 16
	if len(data) < header {
		return p.tooShort(InLink, data, length)
	}
	return findByEtherType(binary.BigEndian.Uint16(data[typeAt:]), data[header:], length-header, p)
}
