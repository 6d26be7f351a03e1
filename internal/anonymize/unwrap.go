package anonymize

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/ip"
)

// A located packet has the positions of the headers in a frame. A packet in a tunnel, or after headers with personal
// data, is moved to a separate frame.
type located struct {
	data    []byte
	layout  ip.Layout
	ok      bool
	moved   bool
	several bool // its frame has other packets of recognised conversations
}

// locate finds the packet of a frame, if the packet can stay in that frame.
func locate(f *decode.Frame) located {
	l, ok := ip.Locate(f.Link, f.Data, f.Length)
	if !ok || !isPlain(f.Link) {
		return located{}
	}
	const longest = 15 // maximum bytes of tags, labels and PPPoE; MACsec, which has an address, needs more
	header, wordsMask := f.Data[l.Network:l.Transport], byte(0x0f)
	switch {
	case f.Link == ip.LinkEthernet && l.Network > linkHeaders[f.Link]+longest:
		return located{}
	case header[0]>>4 == 4 && len(header) != 4*int(header[0]&wordsMask):
		return located{} // an authentication header
	}
	return located{data: f.Data, layout: l, ok: true}
}

// isPlain reports whether the headers of a link have no personal data, apart from data that linkAddresses changes.
func isPlain(link uint16) bool {
	switch link {
	case ip.LinkPFLOG, ip.LinkNFLOG, ip.LinkPKTAP, ip.LinkBroadcom, ip.LinkBroadcomBefore, ip.LinkDSA, ip.LinkEDSA:
		return false
	}
	return true
}

// move moves the current packet, which is complete, to a separate frame with only the link's header.
func (a *Anonymizer) move(p *ip.Packet) located {
	is6 := p.Src.Is6()
	size := len(p.Payload) + p.Missing
	longest := math.MaxUint16
	if !is6 {
		longest -= ipv4Header
	}
	header, ok := linkHeader(a.at.Link, a.at.Data, is6, size)
	if !ok || p.Fragment || size > longest {
		return located{}
	}
	l := ip.Layout{Network: len(header), Protocol: p.Protocol, Missing: p.Missing}
	if is6 {
		header = appendIPv6(header, p, size)
	} else {
		header = appendIPv4(header, p, size)
	}
	l.Transport = len(header)
	a.moved = append(append(a.moved[:0], header...), p.Payload...)
	l.End = len(a.moved)
	return located{data: a.moved, layout: l, ok: true, moved: true}
}

const hops = 64

func appendIPv4(b []byte, p *ip.Packet, size int) []byte {
	header := binary.BigEndian.AppendUint16([]byte{0x45, 0}, uint16(ipv4Header+size))
	header = binary.BigEndian.AppendUint16(header, uint16(p.ID))
	header = append(header, 0, 0, hops, p.Protocol, 0, 0)
	header = append(append(header, p.Src.AsSlice()...), p.Dst.AsSlice()...)
	zeros := string(make([]byte, ipv4Header)) // their checksum is 0xffff
	binary.BigEndian.PutUint16(header[10:], ip.UpdateChecksum(math.MaxUint16, zeros, string(header)))
	return append(b, header...)
}

func appendIPv6(b []byte, p *ip.Packet, size int) []byte {
	b = binary.BigEndian.AppendUint16(append(b, 0x60, 0, 0, 0), uint16(size))
	b = append(b, p.Protocol, hops)
	return append(append(b, p.Src.AsSlice()...), p.Dst.AsSlice()...)
}

// linkHeader returns the link's header for an IP packet of a given size. It copies the addresses from data, and
// linkAddresses changes them later.
func linkHeader(link uint16, data []byte, is6 bool, size int) (header []byte, ok bool) {
	etherType, ppp, bsd := uint16(0x0800), uint16(0x0021), byte(2)
	size += ipv4Header
	if is6 {
		etherType, ppp, bsd, size = 0x86dd, 0x0057, 24, size+ipv6Header-ipv4Header
	}
	typed := func(before ...byte) []byte {
		return binary.BigEndian.AppendUint16(slices.Clip(before), etherType)
	}
	const ethernetType, sllType, addresses, tag = 12, 14, 12, 4
	const longest = math.MaxUint16 - 4
	wifi := append(make([]byte, 24), 0xaa, 0xaa, 3, 0, 0, 0)
	wifi[0] = 8 // data frame
	switch link {
	case ip.LinkEthernet:
		return typed(data[:ethernetType]...), true
	case ip.LinkSLL:
		return typed(data[:sllType]...), true
	case ip.LinkSLL2:
		return append(typed(), data[2:20]...), true
	case ip.LinkNull:
		return []byte{bsd, 0, 0, 0}, true
	case ip.LinkLoop:
		return []byte{0, 0, 0, bsd}, true
	case ip.LinkPPP, ip.LinkPPPHDLC:
		return binary.BigEndian.AppendUint16([]byte{0xff, 3}, ppp), true
	case ip.LinkPPPoE:
		b := binary.BigEndian.AppendUint16([]byte{0x11, 0, 0, 1}, uint16(size+2))
		return binary.BigEndian.AppendUint16(b, ppp), true
	case ip.LinkHDLC:
		return typed(0x0f, 0), true
	case ip.LinkMPLS:
		return []byte{0, 0, 1, hops}, true
	case ip.LinkWiFi:
		return typed(wifi...), true
	case ip.LinkRadiotap:
		return typed(append([]byte{0, 0, 8, 0, 0, 0, 0, 0}, wifi...)...), true
	case ip.LinkPPI:
		return typed(append([]byte{0, 0, 8, 0, ip.LinkWiFi, 0, 0, 0}, wifi...)...), true
	case ip.LinkENC, ip.LinkPFLOG, ip.LinkNFLOG, ip.LinkPKTAP:
		return logHeader(link, bsd, size), link != ip.LinkNFLOG || size <= longest
	case ip.LinkBroadcom, ip.LinkBroadcomBefore, ip.LinkDSA:
		return typed(make([]byte, addresses+tag)...), true
	case ip.LinkEDSA:
		return typed(make([]byte, addresses)...), true
	case ip.LinkIPv4:
		return nil, !is6
	case ip.LinkIPv6:
		return nil, is6
	}
	return nil, true // raw IP
}

// logHeader returns the link's header as linkHeader does, for the logs of packet filters and of IPsec, and for macOS.
// bsd is the address family in BSD's numbers.
func logHeader(link uint16, bsd byte, size int) []byte {
	switch link {
	case ip.LinkENC:
		return append([]byte{bsd}, make([]byte, 11)...)
	case ip.LinkPFLOG:
		b := make([]byte, 64)
		b[0], b[1] = 61, bsd
		return b
	case ip.LinkNFLOG:
		family := byte(2)
		if bsd != family {
			family = 10
		}
		return append(binary.LittleEndian.AppendUint16([]byte{family, 0, 0, 0}, uint16(size+4)), 9, 0)
	}
	b := make([]byte, 108)
	b[0], b[4], b[8] = 108, 1, ip.LinkRaw
	return b
}
