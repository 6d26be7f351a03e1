package decode

import "encoding/binary"

// tcpFlags are the flags of a TCP header that matter here.
type tcpFlags uint8

const (
	flagFIN tcpFlags = 0x01
	flagSYN tcpFlags = 0x02
	flagRST tcpFlags = 0x04
	flagACK tcpFlags = 0x10
)

func (f tcpFlags) has(flag tcpFlags) bool { return f&flag != 0 }

// A segment is a TCP segment in place. The window and the urgent pointer are left alone: the
// receiver's window is his affair, and programs read urgent data where it stands or lose it.
type segment struct {
	srcPort, dstPort uint16
	seq, ack         uint32
	flags            tcpFlags
	payload          []byte
	missing          int   // bytes at the end of the payload that were sent but not captured
	at               int64 // position of the payload in its stream; 0: of none
}

const (
	tcpHeader = 20 // without options

	// maxSegment is the size of the largest payload believed. IPv6 with offloading (BIG TCP)
	// makes half of that; more comes from a capture file that lies about the size of a frame.
	maxSegment = 1 << 20
)

// parseSegment reads the TCP header of a packet. It fails when the header is not whole or
// contradicts itself.
func parseSegment(p *packet, s *segment) bool {
	data := p.payload
	if len(data) < tcpHeader {
		return false
	}
	header := int(data[12]>>4) * 4
	size := len(data) + p.missing - header
	if header < tcpHeader || size < 0 || size > maxSegment {
		return false
	}
	s.srcPort, s.dstPort = binary.BigEndian.Uint16(data), binary.BigEndian.Uint16(data[2:])
	s.seq, s.ack = binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	s.flags = tcpFlags(data[13])
	s.payload = data[min(header, len(data)):] // the snap length may have cut the options
	s.missing, s.at = size-len(s.payload), 0
	return true
}

// size is how much of the stream a segment takes, without the numbers of SYN and FIN.
func (s *segment) size() int { return len(s.payload) + s.missing }
