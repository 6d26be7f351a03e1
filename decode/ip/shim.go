package ip

// integrityCheck is the size of the value that MACsec appends to a frame.
const integrityCheck = 16

// macsecHeader returns the size of the MACsec header at the start of data, including the EtherType with which it ends.
// It returns 0 if the content is encrypted or changed. If data is too short, the result is larger than len(data).
func macsecHeader(data []byte) int {
	const version, withChannel, changed, least, channel = 0x80, 0x20, 0x0c, 6, 8
	if len(data) == 0 {
		return least + 2
	}
	switch flags := data[0]; {
	case flags&(version|changed) != 0:
		return 0
	case flags&withChannel != 0:
		return least + channel + 2
	}
	return least + 2
}

// Content types. VXLAN-GPE and NSH use the same numbers.
const (
	carriesIPv4 = iota + 1
	carriesIPv6
	carriesFrame
	carriesNSH
	carriesMPLS
)

// findNumbered reads content by its type, which is one of the numbers above.
func findNumbered(carries byte, data []byte, length int, p *Packet) Outcome {
	switch carries {
	case carriesIPv4, carriesIPv6:
		return findIP(data, length, p)
	case carriesFrame:
		return findInnerFrame(data, length, p)
	case carriesNSH:
		return findInNSH(data, length, p)
	case carriesMPLS:
		return findInMPLS(data, length, p)
	}
	return p.other(OtherTraffic, InIP, uint16(carries))
}

// findInNSH reads the content after a Network Service Header (RFC 8300).
func findInNSH(data []byte, length int, p *Packet) Outcome {
	const least, version, words, nextAt = 8, 0xc0, 0x3f, 3
	if len(data) < least {
		return p.tooShort(InEtherType, data, length)
	}
	size := 4 * int(data[1]&words)
	if data[0]&version != 0 || size < least || size > length {
		return p.broken(InEtherType)
	}
	if len(data) < size {
		return p.tooShort(InEtherType, data, length)
	}
	if !p.enter() {
		return TooDeep
	}
	return findNumbered(data[nextAt], data[size:], length-size, p)
}
