package ip

import "encoding/binary"

// findInVXLANGPE reads the content after a VXLAN header. With the generic protocol extension, the header may name the
// type of the content. An Ethernet frame in the tunnel does not count as another tunnel.
func findInVXLANGPE(data []byte, length int, p *Packet) Outcome {
	const header, valid, named, nextAt, reservedAt = 8, 0x08, 0x04, 3, 7
	const free = 0x03 // flags for operators, and for broadcast frames
	carries := data[nextAt]
	if data[0]&named == 0 && carries == 0 {
		carries = carriesFrame
	}
	if data[0]&^(named|free) != valid || data[1]|data[2]|data[reservedAt] != 0 {
		return p.broken(InIP)
	}
	if data, length = data[header:], length-header; carries == carriesFrame {
		return findFrame(data, length, p)
	}
	return findNumbered(carries, data, length, p)
}

// findInTZSP reads a frame after the tags in which a sensor describes it.
func findInTZSP(data []byte, length int, p *Packet) Outcome {
	const header, version, received, sent, padding, end, ethernet, wifi = 4, 1, 0, 1, 0, 1, 1, 18
	kind, carries := data[1], binary.BigEndian.Uint16(data[2:])
	switch {
	case data[0] != version, kind != received && kind != sent:
		return p.broken(InIP)
	case carries != ethernet && carries != wifi:
		return p.other(OtherTraffic, InLink, carries)
	}
	for data, length = data[header:], length-header; ; {
		if len(data) < 2 && (len(data) == 0 || data[0] > end) {
			return p.tooShort(InIP, data, length)
		}
		tag, size := data[0], 1
		if tag > end {
			size = 2 + int(data[1])
		}
		if size > length {
			return p.broken(InIP)
		}
		if size > len(data) {
			return p.tooShort(InIP, data, length)
		}
		if data, length = data[size:], length-size; tag == end {
			break
		}
	}
	if carries == wifi {
		return findInWiFi(data, length, 0, p)
	}
	return findFrame(data, length, p)
}

// findInL2TP reads the content of an L2TP packet: a PPP packet in version 2 (RFC 2661), or a frame in version 3 (RFC
// 3931).
func findInL2TP(data []byte, length int, p *Packet) Outcome {
	const (
		least, version, two, three               = 6, 0x0f, 2, 3
		control, withLength, withNumbers, offset = 0x80, 0x40, 0x08, 0x02
		reserved                                 = 0x34
	)
	flags := data[0]
	switch {
	case data[1]&^version != 0 || flags&reserved != 0:
		return p.broken(InIP)
	case flags&control != 0:
		return p.other(OtherTraffic, InIP, uint16(data[1]))
	case data[1] == three && flags == 0:
		const header = 4
		return findInL2TPv3(data[header:], length-header, p)
	case data[1] != two:
		return p.broken(InIP)
	}
	size, lengthAt := least, 2
	if flags&withLength != 0 {
		size += 2
		if total := int(binary.BigEndian.Uint16(data[lengthAt:])); total != length {
			return p.broken(InIP)
		}
	}
	if flags&withNumbers != 0 {
		size += 4
	}
	if flags&offset != 0 {
		if len(data) < size+2 {
			return p.tooShort(InIP, data, length)
		}
		size += 2 + int(binary.BigEndian.Uint16(data[size:]))
	}
	if size > length {
		return p.broken(InIP)
	}
	if len(data) < size {
		return p.tooShort(InIP, data, length)
	}
	return findInPPP(data[size:], length-size, p)
}

// findInL2TPv3 reads a frame after a session number. A cookie and a sublayer header may come between them. Their sizes
// were negotiated earlier and are unknown, so findInL2TPv3 tries several sizes until a frame contains a whole IP
// packet.
func findInL2TPv3(data []byte, length int, p *Packet) Outcome {
	const header, step, most = 4, 4, 12
	if len(data) < header {
		return p.tooShort(InIP, data, length)
	}
	if binary.BigEndian.Uint32(data) == 0 {
		return p.other(OtherTraffic, InIPv4, protocolL2TP) // a control message
	}
	tunnels := p.Tunnels
	for between := 0; between <= most; between += step {
		at := min(header+between, len(data))
		p.Tunnels = tunnels
		v := findFrame(data[at:], length-header-between, p)
		if v == Truncated || v == Found && p.Header+len(p.Payload)+p.Missing <= length-header-between {
			return v
		}
	}
	p.Tunnels = tunnels
	return p.broken(InIP)
}
