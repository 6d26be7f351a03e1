package anonymize

import (
	"encoding/binary"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/wire"
)

const (
	ipv4Header = 20
	ipv6Header = 40
	udpHeader  = 8
	tcpHeader  = 20
)

// Rewrite processes the next frame in the second pass. It replaces the frame's data, and reports whether to keep the
// frame. The new data are valid until the next call.
func (a *Anonymizer) Rewrite(f *decode.Frame) bool {
	a.frame(f)
	recognised := a.isRecognised()
	if !recognised && !a.options.KeepOthers {
		a.report.Dropped++
		return false
	}
	at := &a.located
	if recognised && (!at.ok || at.several || a.isTunnelled() && !at.moved) {
		a.report.Dropped++
		if !a.isPart() {
			a.report.Wrapped++
		}
		return false
	}
	a.report.Packets++
	if at.moved && recognised {
		a.buffer = append(a.buffer[:0], at.data...)
		f.Length = len(at.data) + at.layout.Missing
	} else {
		*at = locate(f)
		a.buffer = append(a.buffer[:0], f.Data...)
	}
	f.Data = a.buffer
	if !at.ok {
		clear(f.Data[min(linkHeaders[f.Link], len(f.Data)):])
		a.linkAddresses(f)
		return true
	}
	a.linkAddresses(f)
	a.packet(f.Data, &at.layout, recognised)
	clear(f.Data[at.layout.End:]) // padding
	return true
}

// isRecognised reports whether the current frame belongs to a recognised conversation.
func (a *Anonymizer) isRecognised() bool {
	c := a.info
	switch {
	case c == nil:
		return false
	case c.Datagram > 0:
		return a.lost[c.Datagram] || a.datagrams[c.Datagram].isRecognised(a)
	}
	return a.recognised[conversationOf(c)]
}

// isTunnelled reports whether the current frame contains another packet. If the frame is a fragment, it reports this
// for the datagram.
func (a *Anonymizer) isTunnelled() bool {
	d := a.datagrams[a.info.Datagram]
	return a.info.Tunnels > 0 || d != nil && d.info.Tunnels > 0
}

// isPart reports whether the current frame is a fragment of a datagram that was completed. The datagram is then moved
// to the frame that completed it.
func (a *Anonymizer) isPart() bool { return a.info.Datagram > 0 && a.datagrams[a.info.Datagram] != nil }

func (a *Anonymizer) packet(data []byte, l *ip.Layout, recognised bool) {
	header, content := data[l.Network:l.Transport], data[l.Transport:l.End]
	oldHeader, oldContent := string(header), string(content)
	switch {
	case !recognised:
		blank(l, content)
	case l.Fragment:
		a.fragment(l, content)
	default:
		a.payload(l.Protocol, content, l.Missing, packetKey(a.info, a.serial), a.info)
	}
	if !a.options.SecretsOnly {
		a.header(header, oldHeader)
	}
	if !l.Fragment {
		oldHosts := oldHeader[12:ipv4Header]
		newHosts := string(header[12:ipv4Header])
		if header[0]>>4 == 6 {
			oldHosts, newHosts = oldHeader[8:ipv6Header], string(header[8:ipv6Header])
		}
		ip.UpdateTransport(l.Protocol, content, len(content)+l.Missing, oldHosts, newHosts, oldContent)
	}
}

// header rewrites the addresses of an IP header.
func (a *Anonymizer) header(header []byte, old string) {
	src, dst := ip.Addresses(header)
	a.addresses.bytes(src)
	a.addresses.bytes(dst)
	if header[0]>>4 == 6 {
		extensions(header)
		return
	}
	for i := ipv4Header; i < len(header); i++ {
		header[i] = 1 // no-operation instead of options, because routes contain addresses
	}
	ip.UpdateHeader(header, old)
}

// extensions clears the options in IPv6 extension headers, and the addresses in routing headers.
func extensions(header []byte) {
	const hopByHop, routing, options, fragment, authentication = 0, 43, 60, 44, 51
	const jumboLength = 0xc2
	next := header[6]
	for rest := header[ipv6Header:]; len(rest) >= 8; {
		size := 8 + 8*int(rest[1])
		keep := size
		switch next {
		case hopByHop, options:
			if keep = 2; size == 8 && rest[2] == jumboLength {
				keep = size
			}
		case routing:
			keep = 4
		case fragment:
			size, keep = 8, 8
		case authentication:
			size = 8 + 4*int(rest[1])
			keep = size
		}
		size = min(size, len(rest))
		clear(rest[min(keep, size):size])
		next, rest = rest[0], rest[size:]
	}
}

// payload rewrites the payload of a UDP or TCP packet of a recognised conversation.
func (a *Anonymizer) payload(protocol uint8, content []byte, missing int, key int64, c *decode.PacketInfo) {
	header, size, ok := decode.SplitTransport(protocol, content, missing)
	if !ok {
		clear(content)
		return
	}
	if protocol == ip.ProtocolTCP && !a.options.SecretsOnly {
		tcpOptions(content[tcpHeader:max(tcpHeader, header)])
	}
	payload := content[header : header+size]
	switch {
	case c.Transport != wire.TCP:
		a.plan.apply(key, c.At, payload)
	case c.At == 0, c.Damaged:
		fill(payload)
	default:
		others := a.again.restore(key, c.At, payload)
		a.plan.apply(key, c.At, payload)
		fillOthers(payload, others)
	}
	clear(content[header+size:])
}

// tcpOptions overwrites all but the basic options with no-operations, because the options of Multipath TCP contain
// addresses and keys, and a Fast Open cookie identifies a host.
func tcpOptions(b []byte) {
	const end, nothing, maximum, scale, mayAcknowledge, acknowledged, timestamps = 0, 1, 2, 3, 4, 5, 8
	for len(b) > 0 && b[0] != end {
		size := 1
		if b[0] != nothing {
			if len(b) < 2 || b[1] < 2 || int(b[1]) > len(b) {
				break
			}
			size = int(b[1])
		}
		switch b[0] {
		case nothing, maximum, scale, mayAcknowledge, acknowledged, timestamps:
		default:
			for i := range size {
				b[i] = nothing
			}
		}
		b = b[size:]
	}
	clear(b)
}

func fill(b []byte) {
	for i := range b {
		b[i] = filler
	}
}

// blank clears the payload of a packet of another protocol. It keeps the ports and flags.
func blank(l *ip.Layout, content []byte) {
	if l.Fragment {
		clear(content)
		return
	}
	header, size, _ := decode.SplitTransport(l.Protocol, content, l.Missing)
	if l.Protocol == ip.ProtocolTCP && header > tcpHeader {
		tcpOptions(content[tcpHeader:header])
	}
	fill(content[header : header+size]) // not with zeros, which may be valid in some protocol
	clear(content[header+size:])
}

var linkHeaders = map[uint16]int{ip.LinkEthernet: 14, ip.LinkSLL: 16, ip.LinkSLL2: 20, ip.LinkNull: 4, ip.LinkLoop: 4}

func (a *Anonymizer) linkAddresses(f *decode.Frame) {
	b := f.Data
	if len(b) < linkHeaders[f.Link] {
		clear(b)
		return
	}
	if a.options.SecretsOnly {
		return
	}
	const size = 6
	switch f.Link {
	case ip.LinkEthernet:
		a.addresses.hardware(b[:size])
		a.addresses.hardware(b[size : 2*size])
	case ip.LinkSLL:
		a.cooked(b[6:14], int(binary.BigEndian.Uint16(b[4:])))
	case ip.LinkSLL2:
		a.cooked(b[12:20], int(b[11]))
	}
}

// cooked maps the address in a Linux cooked header. The field has eight bytes.
func (a *Anonymizer) cooked(field []byte, size int) {
	const mac = 6
	if size != mac {
		clear(field)
		return
	}
	a.addresses.hardware(field[:mac])
	clear(field[mac:])
}
