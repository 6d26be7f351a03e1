package decode

import (
	"encoding/binary"
	"net/netip"
)

// A packet is an IP packet found in a frame, or a whole one joined from fragments.
type packet struct {
	src, dst netip.Addr
	protocol uint8  // 6 TCP, 17 UDP ...; for IPv6 the one after the extension headers
	payload  []byte // from the transport header on, without padding of the frame
	missing  int    // bytes at the end of the payload that were sent but not captured

	// A fragment of IPv6 may hold extension headers still: protocol may be that of one.
	fragment bool
	more     bool // not the last fragment
	offset   int  // of the payload in its datagram
	id       uint32

	carriers int // of one joined: the frames that brought its fragments

	left   int // bytes of the frame from the IP header on
	header int // bytes before the payload: of the IP header and IPv6 extension headers
}

// Numbers of protocols and of IPv6 extension headers.
const (
	hopByHopOptions      = 0
	routingHeader        = 43
	fragmentHeader       = 44
	encapsulatedSecurity = 50 // ESP
	authenticationHeader = 51 // AH
	noNextHeader         = 59
	destinationOptions   = 60
	mobilityHeader       = 135
)

const (
	ipv4HeaderSize = 20 // without options
	ipv6HeaderSize = 40

	// maxExtensions is how many IPv6 extension headers a packet may have. RFC 8200 knows
	// no use for more than seven.
	maxExtensions = 8
)

// findIP reads an IP packet. Its own version counts, not what the frame announced.
// Checksums are left alone: offloading makes them wrong in honest captures.
func findIP(data []byte, length int, p *packet) verdict {
	if len(data) == 0 {
		return tooShort(data, length)
	}
	switch data[0] >> 4 {
	case 4:
		return findIPv4(data, length, p)
	case 6:
		return findIPv6(data, length, p)
	}
	return malformed
}

func findIPv4(data []byte, length int, p *packet) verdict {
	if len(data) < ipv4HeaderSize {
		return tooShort(data, length)
	}
	header := int(data[0]&0x0f) * 4
	total := int(binary.BigEndian.Uint16(data[2:]))
	if total == 0 {
		total = length // captured before segmentation offload filled it in
	}
	if header < ipv4HeaderSize || header > total {
		return malformed
	}
	if len(data) < header {
		return tooShort(data, length)
	}
	if data[9] == encapsulatedSecurity {
		return otherTraffic
	}
	const moreFragments, offsetMask = 0x2000, 0x1fff
	flags := binary.BigEndian.Uint16(data[6:])
	p.src, p.dst = netip.AddrFrom4([4]byte(data[12:16])), netip.AddrFrom4([4]byte(data[16:20]))
	p.protocol = data[9]
	p.fragment, p.more = flags&(moreFragments|offsetMask) != 0, flags&moreFragments != 0
	p.offset, p.id = int(flags&offsetMask)*8, uint32(binary.BigEndian.Uint16(data[4:]))
	p.begin(data, header, total-header)
	return found
}

func findIPv6(data []byte, length int, p *packet) verdict {
	if len(data) < ipv6HeaderSize {
		return tooShort(data, length)
	}
	size := int(binary.BigEndian.Uint16(data[4:]))
	next := data[6]
	if size == 0 {
		if next == hopByHopOptions {
			return otherTraffic // a jumbogram: its length is an option
		}
		size = length - ipv6HeaderSize // segmentation offload, as with IPv4
	}
	p.src, p.dst = netip.AddrFrom16([16]byte(data[8:24])), netip.AddrFrom16([16]byte(data[24:40]))
	p.protocol = next
	p.fragment, p.more, p.offset, p.id = false, false, 0, 0
	p.begin(data, ipv6HeaderSize, size)
	return p.skipExtensions()
}

// begin takes the payload of some size behind the header. The data may hold padding behind it or end
// too early. Packets are used again, field by field: a whole new one for each would take longer than
// to read it.
func (p *packet) begin(data []byte, header, size int) {
	p.left, p.header, p.carriers = len(data), header, 0
	p.setPayload(data[header:], size)
}

func (p *packet) setPayload(data []byte, size int) {
	p.payload = data[:min(size, len(data))]
	p.missing = size - len(p.payload)
}

// skipExtensions moves an IPv6 packet on from its first extension header to the transport
// header, or to the content of the fragment that it is.
func (p *packet) skipExtensions() verdict {
	for headers := 0; ; headers++ {
		switch p.protocol {
		case hopByHopOptions, routingHeader, destinationOptions, mobilityHeader,
			authenticationHeader, fragmentHeader:
		case encapsulatedSecurity, noNextHeader:
			return otherTraffic
		default:
			return found
		}
		if headers == maxExtensions {
			return malformed
		}
		size := p.extensionSize()
		if size > len(p.payload) {
			return tooShort(p.payload, len(p.payload)+p.missing)
		}
		header := p.payload[:size]
		isFragment := p.protocol == fragmentHeader
		p.protocol, p.payload = header[0], p.payload[size:]
		p.header += size
		if isFragment && p.readFragment(header) {
			return found
		}
	}
}

// extensionSize is the size of the extension header at the start of the payload. Each has
// at least 8 bytes; the second one counts those beyond, except in a fragment header.
func (p *packet) extensionSize() int {
	if len(p.payload) < 8 {
		return 8
	}
	extra := int(p.payload[1])
	switch p.protocol {
	case fragmentHeader:
		return 8
	case authenticationHeader:
		return 8 + 4*extra
	}
	return 8 + 8*extra
}

// readFragment reads an IPv6 fragment header. One at offset 0 with nothing to follow, an
// atomic fragment (RFC 6946), is a whole packet.
func (p *packet) readFragment(header []byte) bool {
	const moreFragments, offsetMask = 0x0001, 0xfff8
	flags := binary.BigEndian.Uint16(header[2:])
	p.more = flags&moreFragments != 0
	p.offset = int(flags & offsetMask)
	p.fragment = p.more || p.offset > 0
	p.id = binary.BigEndian.Uint32(header[4:])
	return p.fragment
}
