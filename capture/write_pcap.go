package capture

import (
	"encoding/binary"
	"math"
)

// ethernet is the link type of a pcap file without packets.
const ethernet LinkType = 1

// lastPcapTime is the last nanosecond whose seconds fit in 32 bits.
const lastPcapTime = (math.MaxUint32+1)*1e9 - 1

// writeOrder is the byte order of written files. Most machines use it.
var writeOrder = binary.LittleEndian

// appendHeader appends the header of a pcap file: draft-ietf-opsawg-pcap section 4.
func appendHeader(b []byte, link LinkType, snap uint32) []byte {
	b = writeOrder.AppendUint32(b, magicNano)
	b = writeOrder.AppendUint16(b, 2)
	b = writeOrder.AppendUint16(b, 4)
	b = writeOrder.AppendUint64(b, 0) // time zone and accuracy
	b = writeOrder.AppendUint32(b, snap)
	return writeOrder.AppendUint32(b, uint32(link))
}

// appendRecord appends a packet to a pcap file: section 5.
func appendRecord(b []byte, p *Packet) []byte {
	b = writeOrder.AppendUint32(b, uint32(p.Time/1e9))
	b = writeOrder.AppendUint32(b, uint32(p.Time%1e9))
	b = writeOrder.AppendUint32(b, uint32(len(p.Data)))
	b = writeOrder.AppendUint32(b, claimedLength(p))
	return append(b, p.Data...)
}

// claimedLength returns the packet's length on the wire as files store it.
func claimedLength(p *Packet) uint32 {
	return uint32(min(max(p.Length, len(p.Data)), math.MaxInt32))
}
