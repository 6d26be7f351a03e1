package ip

import (
	"encoding/binary"
	"fmt"
)

// IEEE 802.11 frames from a receiver in monitor mode. Only complete, unencrypted data frames are read.

func isWiFi(link uint16) bool { return link == LinkWiFi || link == LinkRadiotap || link == LinkPPI }

// Flags that the receiver sets in the radiotap header.
const (
	receivedChecksum = 0x10 // the frame ends with a checksum
	receivedPadded   = 0x20 // the frame's header is padded to a multiple of four bytes
	receivedDamaged  = 0x40 // the checksum is wrong
)

// findInRadiotap reads a frame after a radiotap header. Bits of the header show which fields are present. The fields
// have a fixed order, and each is aligned to its size.
func findInRadiotap(data []byte, length int, p *Packet) Outcome {
	const header, timed, flagged, more = 8, 1 << 0, 1 << 1, 1 << 31
	if len(data) < header {
		return p.tooShort(InLink, data, length)
	}
	size := int(binary.LittleEndian.Uint16(data[2:]))
	if data[0] != 0 || size < header || size > length {
		return p.broken(InLink)
	}
	if len(data) < size {
		return p.tooShort(InLink, data, length)
	}
	at := 4
	for announced := binary.LittleEndian.Uint32(data[at:]); ; announced = binary.LittleEndian.Uint32(data[at:]) {
		if at += 4; announced&more == 0 {
			break
		}
		if at+4 > size {
			return p.broken(InLink)
		}
	}
	flags, announced := byte(0), binary.LittleEndian.Uint32(data[4:])
	if announced&timed != 0 {
		at = (at+7)&^7 + 8
	}
	if announced&flagged != 0 {
		if at >= size {
			return p.broken(InLink)
		}
		flags = data[at]
	}
	return findInWiFi(data[size:], length-size, flags, p)
}

// findInPPI reads a frame after a Per-Packet Information header.
func findInPPI(data []byte, length int, p *Packet) Outcome {
	const header = 8
	if len(data) < header {
		return p.tooShort(InLink, data, length)
	}
	size, link := int(binary.LittleEndian.Uint16(data[2:])), binary.LittleEndian.Uint32(data[4:])
	if size < header || size > length {
		return p.broken(InLink)
	}
	if link != LinkWiFi {
		return p.other(OtherTraffic, InLink, uint16(link))
	}
	if len(data) < size {
		return p.tooShort(InLink, data, length)
	}
	return findInWiFi(data[size:], length-size, 0, p)
}

func findInWiFi(data []byte, length int, flags byte, p *Packet) Outcome {
	const (
		control, header, address, checksum = 2, 24, 6, 4

		dataFrame, noData, withQuality             = 0x08, 0x40, 0x80 // flags in the first byte
		toAP, fromAP, moreFragments, encrypted     = 0x01, 0x02, 0x04, 0x40
		ordered                                    = 0x80
		sequenceAt, fragmentMask, several, quality = 22, 0x0f, 0x80, 2
	)
	if flags&receivedChecksum != 0 && length >= checksum {
		length -= checksum
		data = data[:min(len(data), length)]
	}
	if len(data) < control {
		return p.tooShort(InWiFi, data, length)
	}
	kind, way := data[0], data[1]
	switch {
	case kind&0x0c != dataFrame || kind&noData != 0:
		return p.other(OtherTraffic, InWiFi, uint16(kind)&0x0c<<2|uint16(kind)>>4)
	case flags&receivedDamaged != 0:
		return p.other(OtherTraffic, InWiFi, wifiDamaged)
	case way&encrypted != 0:
		return p.other(OtherTraffic, InWiFi, wifiEncrypted)
	case len(data) < header:
		return p.tooShort(InWiFi, data, length)
	case way&moreFragments != 0 || data[sequenceAt]&fragmentMask != 0:
		return p.other(OtherTraffic, InWiFi, wifiFragment)
	}
	size := header
	if way&toAP != 0 && way&fromAP != 0 {
		size += address // a fourth address, between access points
	}
	aggregate := false
	if kind&withQuality != 0 {
		if len(data) < size+quality {
			return p.tooShort(InWiFi, data, length)
		}
		aggregate = data[size]&several != 0
		size += quality
		if way&ordered != 0 {
			size += 4 // high throughput control field
		}
	}
	if flags&receivedPadded != 0 {
		size = (size + 3) &^ 3
	}
	if len(data) < size {
		return p.tooShort(InWiFi, data, length)
	}
	data, length = data[size:], length-size
	if aggregate {
		return Rest{data, length}.find(p)
	}
	return findByEtherType(0, data, length, p)
}

// A Rest is the part of a frame after the packet that Find found. A Wi-Fi frame may contain several packets. The zero
// Rest is empty.
type Rest struct {
	data   []byte
	length int
}

// Rest returns the rest of the frame after the packet.
func (p *Packet) Rest() Rest { return p.rest }

// Empty reports whether the rest is empty.
func (r Rest) Empty() bool { return len(r.data) == 0 }

// Find finds the next packet, like the function Find. The packet's Carriers is 0, because its frame is already counted.
func (r Rest) Find(p *Packet) Outcome {
	p.Tunnels = 0
	v := r.find(p)
	p.Carriers = 0
	return v
}

// find reads the next packet of a frame with several packets. Each packet has a header with addresses and its size. All
// but the last are padded to a multiple of four bytes.
func (r Rest) find(p *Packet) Outcome {
	const header, sizeAt = 14, 12
	p.rest = Rest{}
	if len(r.data) < header {
		return p.tooShort(InWiFi, r.data, r.length)
	}
	size := int(binary.BigEndian.Uint16(r.data[sizeAt:]))
	end := header + size
	if end > r.length {
		return p.broken(InWiFi)
	}
	if next := (end + 3) &^ 3; next < len(r.data) {
		p.rest = Rest{r.data[next:], r.length - next}
	}
	return findByEtherType(0, r.data[header:min(end, len(r.data))], size, p)
}

func wifiName(kind uint16) string {
	names := [...]string{"management", "control", "without data", "of other types"}
	if kind == 0x08 {
		return "beacon"
	}
	return fmt.Sprintf("%s (subtype %d)", names[kind>>4&3], kind&0x0f)
}
