package ip

import (
	"encoding/binary"
	"net/netip"
)

// A Packet is an IP packet that was found in a frame or joined from fragments.
type Packet struct {
	Src, Dst netip.Addr
	Protocol uint8  // ProtocolTCP, ProtocolUDP ...; for IPv6, the protocol after all extension headers
	Payload  []byte // from the transport header on, without padding
	Missing  int    // bytes at the end of the payload that were sent but not captured
	Header   int    // bytes of the IP header and IPv6 extension headers
	Carriers int    // number of frames that contained it: several if it was joined from fragments
	Tunnels  int    // number of packets and frames around it
	Kind     Kind   // kind of the frame, set if it contains no packet

	// Fragment reports whether this is a fragment. The payload of an IPv6 fragment may begin with an extension header;
	// Protocol is then the number of that header.
	Fragment bool
	More     bool   // more fragments follow
	Offset   int    // offset of the payload in its datagram, in bytes
	ID       uint32 // id that the fragments of a datagram share

	left int  // bytes from the IP header to the end of the frame's memory
	rest Rest // the rest of the frame after this packet
}

// Numbers of IP protocols.
const (
	ProtocolTCP = 6
	ProtocolUDP = 17

	protocolIPv4     = 4 // IP in IP
	protocolIPv6     = 41
	protocolGRE      = 47
	protocolICMPv6   = 58
	protocolEthernet = 97 // EtherIP
	protocolL2TP     = 115
	protocolMPLS     = 137
)

// Numbers of IPv6 extension headers, and of protocols after which no header can be read.
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

	// maxExtensions is the maximum number of extension headers in an IPv6 packet. RFC 8200 defines no use for more than
	// seven.
	maxExtensions = 8
)

// findIP reads an IP packet. It uses the version in the packet, not the version that the frame announces.
func findIP(data []byte, length int, p *Packet) Outcome {
	if len(data) == 0 {
		return p.tooShort(InIP, data, length)
	}
	switch data[0] >> 4 {
	case 4:
		return findIPv4(data, length, p)
	case 6:
		return findIPv6(data, length, p)
	}
	return p.broken(InIP)
}

// fits reports whether a frame of length bytes can hold an IP packet of the length in its header.
func fits(data []byte, length int) bool {
	var p Packet
	v := findIP(data, length, &p)
	return v == Truncated || v == Found && p.Header+len(p.Payload)+p.Missing <= length
}

func findIPv4(data []byte, length int, p *Packet) Outcome {
	if len(data) < ipv4HeaderSize {
		return p.tooShort(InIPv4, data, length)
	}
	header := int(data[0]&0x0f) * 4
	total := int(binary.BigEndian.Uint16(data[2:]))
	if total == 0 {
		total = length // captured before segmentation offload sets the length
	}
	if header < ipv4HeaderSize || header > total {
		return p.broken(InIPv4)
	}
	if len(data) < header {
		return p.tooShort(InIPv4, data, length)
	}
	if data[9] == encapsulatedSecurity {
		return p.other(OtherTraffic, InIPv4, encapsulatedSecurity)
	}
	const moreFragments, offsetMask = 0x2000, 0x1fff
	flags := binary.BigEndian.Uint16(data[6:])
	p.Src, p.Dst = netip.AddrFrom4([4]byte(data[12:16])), netip.AddrFrom4([4]byte(data[16:20]))
	p.Protocol = data[9]
	p.Fragment, p.More = flags&(moreFragments|offsetMask) != 0, flags&moreFragments != 0
	p.Offset, p.ID = int(flags&offsetMask)*8, uint32(binary.BigEndian.Uint16(data[4:]))
	p.begin(data, header, total-header)
	if p.Protocol == authenticationHeader && !p.Fragment {
		return p.skipAuthentication()
	}
	return Found
}

// skipAuthentication skips the authentication headers of an IPv4 packet. The content after them is not encrypted.
func (p *Packet) skipAuthentication() Outcome {
	for headers := 0; p.Protocol == authenticationHeader; headers++ {
		if headers == maxExtensions {
			return p.broken(InIPv4)
		}
		size := p.extensionSize()
		if size > len(p.Payload) {
			return p.tooShort(InIPv4, p.Payload, len(p.Payload)+p.Missing)
		}
		p.skipHeader(size)
	}
	if p.Protocol == encapsulatedSecurity {
		return p.other(OtherTraffic, InIPv4, encapsulatedSecurity)
	}
	return Found
}

// skipHeader skips an extension header, which begins with the number of the next protocol.
func (p *Packet) skipHeader(size int) {
	p.Protocol, p.Payload = p.Payload[0], p.Payload[size:]
	p.Header += size
}

func findIPv6(data []byte, length int, p *Packet) Outcome {
	if len(data) < ipv6HeaderSize {
		return p.tooShort(InIPv6, data, length)
	}
	size := int(binary.BigEndian.Uint16(data[4:]))
	next := data[6]
	if size == 0 {
		if length < ipv6HeaderSize {
			return p.broken(InIPv6)
		}
		size = length - ipv6HeaderSize // segmentation offload, as for IPv4
		if next == hopByHopOptions {
			var v Outcome
			if size, v = jumboSize(data[ipv6HeaderSize:], size, p); v != Found {
				return v
			}
		}
	}
	p.Src, p.Dst = netip.AddrFrom16([16]byte(data[8:24])), netip.AddrFrom16([16]byte(data[24:40]))
	p.Protocol = next
	p.Fragment, p.More, p.Offset, p.ID = false, false, 0, 0
	p.begin(data, ipv6HeaderSize, size)
	return p.skipExtensions()
}

// maxJumbo is the maximum payload of a jumbogram that this package reads. Linux sends jumbograms of up to half that
// size.
const maxJumbo = 1 << 20

// jumboSize reads the payload size of a jumbogram (RFC 2675) from the hop-by-hop options after the header.
func jumboSize(data []byte, length int, p *Packet) (int, Outcome) {
	const least, pad1, jumbo, jumboLength = 8, 0, 0xc2, 4
	if len(data) < least {
		return 0, p.tooShort(InIPv6, data, length)
	}
	size := least + 8*int(data[1])
	if len(data) < size {
		return 0, p.tooShort(InIPv6, data, length)
	}
	for options := data[2:size]; len(options) >= 2; {
		kind, end := options[0], 2+int(options[1])
		if kind == pad1 {
			end = 1
		}
		if end > len(options) {
			break
		}
		if kind == jumbo && end == 2+jumboLength {
			total := binary.BigEndian.Uint32(options[2:])
			if total > maxJumbo || total < uint32(size) {
				return 0, p.broken(InIPv6)
			}
			return int(total), Found
		}
		options = options[end:]
	}
	return 0, p.other(OtherTraffic, InIPv6, hopByHopOptions)
}

// begin sets the payload, of size bytes, after the IP header. The data may continue with padding, or end too early.
// begin sets only some fields, since clearing a whole Packet would take longer than reading it.
func (p *Packet) begin(data []byte, header, size int) {
	p.left, p.Header, p.Carriers = cap(data), header, 1
	p.setPayload(data[header:], size)
}

func (p *Packet) setPayload(data []byte, size int) {
	p.Payload = data[:min(size, len(data))]
	p.Missing = size - len(p.Payload)
}

// skipExtensions skips the extension headers of an IPv6 packet. It stops at the transport header, or at the content of
// a fragment.
func (p *Packet) skipExtensions() Outcome {
	for headers := 0; ; headers++ {
		switch p.Protocol {
		case hopByHopOptions, routingHeader, destinationOptions, mobilityHeader,
			authenticationHeader, fragmentHeader:
		case encapsulatedSecurity, noNextHeader:
			return p.other(OtherTraffic, InIPv6, uint16(p.Protocol))
		default:
			return Found
		}
		if headers == maxExtensions {
			return p.broken(InIPv6)
		}
		size := p.extensionSize()
		if size > len(p.Payload) {
			return p.tooShort(InIPv6, p.Payload, len(p.Payload)+p.Missing)
		}
		header := p.Payload[:size]
		isFragment := p.Protocol == fragmentHeader
		p.skipHeader(size)
		if isFragment && p.readFragment(header) {
			return Found
		}
	}
}

// extensionSize returns the size of the extension header at the start of the payload. Every header has at least 8
// bytes. Its second byte counts the bytes beyond the first 8, except in a fragment header.
func (p *Packet) extensionSize() int {
	if len(p.Payload) < 8 {
		return 8
	}
	extra := int(p.Payload[1])
	switch p.Protocol {
	case fragmentHeader:
		return 8
	case authenticationHeader:
		return 8 + 4*extra
	}
	return 8 + 8*extra
}

// readFragment reads an IPv6 fragment header, and reports whether the packet is a fragment. An atomic fragment (RFC
// 6946), which is the only fragment of its packet, counts as a whole packet.
func (p *Packet) readFragment(header []byte) bool {
	const moreFragments, offsetMask = 0x0001, 0xfff8
	flags := binary.BigEndian.Uint16(header[2:])
	p.More = flags&moreFragments != 0
	p.Offset = int(flags & offsetMask)
	p.Fragment = p.More || p.Offset > 0
	p.ID = binary.BigEndian.Uint32(header[4:])
	return p.Fragment
}
