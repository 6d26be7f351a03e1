package tcp

import "encoding/binary"

// Flags are those of a TCP header that matter here.
type Flags uint8

// The flags.
const (
	FIN Flags = 0x01
	SYN Flags = 0x02
	RST Flags = 0x04
	ACK Flags = 0x10
)

// Has reports whether a flag is set.
func (f Flags) Has(flag Flags) bool { return f&flag != 0 }

// A Segment is a TCP segment in place. The window and the urgent pointer are left alone: windows do not matter
// to who only listens, and programs read urgent data where it stands or lose it.
type Segment struct {
	SrcPort, DstPort uint16
	Seq, Ack         uint32
	Flags            Flags
	Payload          []byte
	Missing          int   // bytes at the end of the payload that were sent but not captured
	At               int64 // position of the payload in its stream, which Connection.Add sets; 0: of none
}

const (
	tcpHeader = 20 // without options

	// maxSegment is the size of the largest payload believed. IPv6 with offloading (BIG TCP)
	// makes half of that; more comes from a capture file that lies about the size of a frame.
	maxSegment = 1 << 20
)

// Parse reads the packet from its TCP header on, of which so many bytes at the end are missing. It fails when
// the header is not whole or contradicts itself.
func (s *Segment) Parse(data []byte, missing int) bool {
	if len(data) < tcpHeader {
		return false
	}
	header := int(data[12]>>4) * 4
	size := len(data) + missing - header
	if header < tcpHeader || size < 0 || size > maxSegment {
		return false
	}
	s.SrcPort, s.DstPort = binary.BigEndian.Uint16(data), binary.BigEndian.Uint16(data[2:])
	s.Seq, s.Ack = binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	s.Flags = Flags(data[13])
	s.Payload = data[min(header, len(data)):] // the snap length may have cut the options
	s.Missing, s.At = size-len(s.Payload), 0
	return true
}

// Size is how much of the stream a segment takes, without the numbers of SYN and FIN.
func (s *Segment) Size() int { return len(s.Payload) + s.Missing }
