package bzflag17

import (
	"encoding/binary"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// The first and the last two bytes of a datagram of the UDP link.
const (
	linkMagic = 0xfeed
	linkEnd   = 0xffff
)

// A UDPLink is a datagram of the link that 1.07e opens in addition to the connection. The datagram begins with 0xfeed
// and the number Ack. Messages follow, each preceded by its length and a sequence number. The datagram ends with
// 0xffff. Real programs send one message per datagram. The protocol document does not describe the link.
type UDPLink struct {
	Ack uint16 // last sequence number that the sender received

	data []byte
	next int // offset of the next message's length in the datagram
}

// A LinkMessage is a message in a UDPLink, including the message's own header.
type LinkMessage struct {
	Sequence uint16
	Offset   int // offset of Data in the datagram
	Data     []byte
	Missing  int // number of bytes that are missing at the end
}

// OpenUDPLink reads the header of a datagram. It reports whether the datagram belongs to the UDP link.
func OpenUDPLink(datagram []byte) (UDPLink, bool) {
	const head = 4
	if len(datagram) < head || binary.BigEndian.Uint16(datagram) != linkMagic {
		return UDPLink{}, false
	}
	return UDPLink{Ack: binary.BigEndian.Uint16(datagram[2:]), data: datagram, next: head}, true
}

// Next returns the next message. If the datagram ends within the message, Missing is the number of bytes that are
// missing at its end.
func (l *UDPLink) Next() (m LinkMessage, ok bool) {
	const head = 4
	rest := l.data[l.next:]
	if len(rest) < head || binary.BigEndian.Uint16(rest) == linkEnd {
		return m, false
	}
	size := int(binary.BigEndian.Uint16(rest))
	m = LinkMessage{Sequence: binary.BigEndian.Uint16(rest[2:]), Offset: l.next + head}
	have := min(size, len(rest)-head)
	m.Data, m.Missing = rest[head:head+have:head+have], size-have
	l.next += head + have
	return m, true
}

// Closed reports whether 0xffff follows the messages read so far, and nothing follows 0xffff.
func (l *UDPLink) Closed() bool {
	rest := l.data[l.next:]
	return len(rest) == 2 && binary.BigEndian.Uint16(rest) == linkEnd
}

func probeLink(datagram []byte, missing int) wire.Confidence {
	l, ok := OpenUDPLink(datagram)
	if !ok {
		return wire.No
	}
	messages := 0
	for {
		m, ok := l.Next()
		if !ok {
			break
		}
		if len(m.Data) < headerSize || m.Missing > 0 || !framing.LengthFits(wire.Unknown, m.Data) {
			return wire.Likely
		}
		messages++
	}
	if messages > 0 && (l.Closed() || missing > 0) {
		return wire.Sure
	}
	return wire.Likely
}

// unwrap returns the next message in a datagram of the link. Other datagrams are returned as a whole.
func unwrap(d *wire.Datagram, at int) (data []byte, missing, next int) {
	l, ok := OpenUDPLink(d.Payload)
	if !ok {
		return d.Payload[at:], d.Missing, len(d.Payload)
	}
	l.next = max(l.next, at)
	m, ok := l.Next()
	if !ok {
		return nil, 0, len(d.Payload)
	}
	return m.Data, m.Missing, l.next
}
