package tcp

import "encoding/binary"

// Flags are the flags of a TCP header.
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

// A Segment is a parsed TCP segment. It does not contain the urgent pointer. Urgent data is treated like other data.
type Segment struct {
	SrcPort, DstPort uint16
	Seq, Ack         uint32
	Flags            Flags
	Window           uint16 // as sent, without scaling
	Payload          []byte
	Missing          int   // number of bytes at the end of the payload that were sent but not captured
	At               int64 // position of the payload in its stream, set by Connection.Add; 0: it has no position
	Late             bool  // the segment arrived after segments with later bytes; set by Connection.Add
	Sum              Sum   // result of checking the checksum, set by the caller after Parse
	Ignored          bool  // the segment has no effect, at least for now; set by Connection.Add
}

// A Sum is the result of checking a segment's checksum.
type Sum uint8

// The results of checking a checksum.
const (
	Unchecked Sum = iota // the checksum is not filled in, or part of the segment was not captured
	Right
	Wrong
)

const (
	tcpHeader = 20 // without options

	// maxSegment is the size of the largest valid payload. Even with BIG TCP, which lets hosts offload the segmentation
	// of very large IPv6 packets, payloads have at most half this size. Larger payloads come from capture files with a
	// wrong frame size.
	maxSegment = 1 << 20
)

// Parse parses a packet that begins with its TCP header. missing bytes at the end of the packet were not captured.
// Parse reports whether the header is complete and valid.
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
	s.Flags, s.Window = Flags(data[13]), binary.BigEndian.Uint16(data[14:])
	s.Payload = data[min(header, len(data)):] // the snap length may have cut off options
	s.Missing, s.At, s.Late = size-len(s.Payload), 0, false
	s.Sum, s.Ignored = Unchecked, false
	return true
}

// Size returns the size of the payload as sent, without the sequence numbers of SYN and FIN.
func (s *Segment) Size() int { return len(s.Payload) + s.Missing }
