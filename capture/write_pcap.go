package capture

import (
	"encoding/binary"
	"math"
)

// ethernet is the link type of a pcap file without packets.
const ethernet LinkType = 1

// lastPcapTime is the last nanosecond that 32 bits of seconds can express.
const lastPcapTime = (math.MaxUint32+1)*1e9 - 1

// writeOrder is the byte order of written files, that of most machines.
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

// claimedLength returns the length on the wire in the form that files use.
func claimedLength(p *Packet) uint32 {
	return uint32(min(max(p.Length, len(p.Data)), math.MaxInt32))
}
