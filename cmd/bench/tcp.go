package main

import (
	"math/rand/v2"
	"net"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
)

// The sides of a connection.
const (
	client = iota
	server
)

const (
	maxPayload = 1460 // of a segment on Ethernet
	ackEvery   = 2    // segments that wait for an answer are acknowledged without one

	// One of so many segments.
	cutEvery   = 25   // ends anywhere, mostly within a message
	againEvery = 200  // is sent once more
	lateEvery  = 500  // arrives behind the one that follows it
	lostEvery  = 1000 // is not in a lossy capture
)

// A link is a TCP connection.
type link struct {
	sides [2]side
	again segment // to be sent once more; nothing without a payload
	open  bool
}

// A side is one of the two ends of a link.
type side struct {
	ip    net.IP
	port  uint16
	start uint32  // sequence number of the first byte
	sent  int     // bytes; what the other side has said of them does not matter
	owed  int     // segments that the other side has not acknowledged
	out   []byte  // said, but not sent yet
	late  segment // on its way still; nothing without a payload
}

// A segment is a part of what a side sends.
type segment struct {
	from    int
	offset  int // of the payload among all that the side sends; -1 for a SYN
	ack     int // the side has so many bytes of the other one
	payload []byte
}

// copyOf makes a segment that stays when the payload of the other one is overwritten.
func (s *segment) copyOf(o *segment) {
	payload := append(s.payload[:0], o.payload...)
	*s = *o
	s.payload = payload
}

// arrived counts the bytes that the other side has without a hole.
func (s *side) arrived() int {
	if len(s.late.payload) > 0 {
		return s.late.offset
	}
	return s.sent
}

// A network carries links, and a capture is made of it. After an error nothing is carried.
type network struct {
	recorder *recorder
	rng      *rand.Rand
	lossy    bool                  // segments are missing in the capture
	lost     func(*link, *segment) // is told of them; may be nil
	err      error

	ethernet layers.Ethernet
	ip       layers.IPv4
	tcp      layers.TCP
	buf      gopacket.SerializeBuffer
}

func newNetwork(r *recorder, rng *rand.Rand) *network {
	return &network{
		recorder: r, rng: rng,
		ethernet: layers.Ethernet{EthernetType: layers.EthernetTypeIPv4},
		ip:       layers.IPv4{Version: 4, TTL: 64, Protocol: layers.IPProtocolTCP},
		buf:      gopacket.NewSerializeBuffer(),
	}
}

// oneOf is true once in n times.
func (n *network) oneOf(times int) bool { return n.rng.IntN(times) == 0 }

// connect opens a link between two addresses.
func (n *network) connect(l *link, c, s net.IP, from, to uint16) {
	for i := range l.sides {
		me := &l.sides[i]
		*me = side{ip: c, port: from, start: n.rng.Uint32(), out: me.out[:0], late: segment{payload: me.late.payload[:0]}}
	}
	l.sides[server].ip, l.sides[server].port = s, to
	l.again.payload = l.again.payload[:0]
	l.open = true
	n.write(l, &segment{from: client, offset: -1}, layers.TCP{SYN: true})
	n.write(l, &segment{from: server, offset: -1}, layers.TCP{SYN: true, ACK: true})
	n.acknowledge(l, client)
}

// disconnect sends what waits and ends a link, the client first.
func (n *network) disconnect(l *link) {
	for from := range l.sides {
		n.send(l, from, true)
		n.deliverLate(l, from)
	}
	n.repeat(l)
	for _, from := range []int{client, server} {
		me, other := &l.sides[from], &l.sides[1-from]
		n.write(l, &segment{from: from, offset: me.sent, ack: other.sent}, layers.TCP{FIN: true, ACK: true})
		me.sent++ // the FIN has a number
		n.acknowledge(l, 1-from)
	}
	l.open = false
}

// send sends what a side has said: all of it at once, or so that some may wait for what comes.
func (n *network) send(l *link, from int, all bool) {
	me := &l.sides[from]
	rest := me.out
	for cut := false; len(rest) > 0 && (all || !cut); {
		size := min(len(rest), maxPayload)
		if cut = n.oneOf(cutEvery); cut {
			size = 1 + n.rng.IntN(size)
		}
		n.sendSegment(l, from, rest[:size], all)
		rest = rest[size:]
	}
	me.out = append(me.out[:0], rest...)
}

// sendSegment sends a segment in its turn, or behind the next one. The other side acknowledges
// it with what it says, or without words.
func (n *network) sendSegment(l *link, from int, payload []byte, now bool) {
	me, other := &l.sides[from], &l.sides[1-from]
	s := segment{from: from, offset: me.sent, ack: other.arrived(), payload: payload}
	other.owed = 0
	if !now && len(me.late.payload) == 0 && n.oneOf(lateEvery) {
		me.late.copyOf(&s)
		me.sent += len(payload)
		return
	}
	me.sent += len(payload)
	n.carry(l, &s)
	n.deliverLate(l, from)
	if me.owed++; me.owed >= ackEvery {
		n.acknowledge(l, 1-from)
	}
}

// deliverLate carries what was overtaken.
func (n *network) deliverLate(l *link, from int) {
	if late := &l.sides[from].late; len(late.payload) > 0 {
		n.carry(l, late)
		late.payload = late.payload[:0]
	}
}

// carry brings a segment to the other side, and into the capture unless that has lost it.
func (n *network) carry(l *link, s *segment) {
	if n.lossy && n.oneOf(lostEvery) {
		if n.lost != nil {
			n.lost(l, s)
		}
		return
	}
	if len(l.again.payload) == 0 && n.oneOf(againEvery) {
		l.again.copyOf(s)
	}
	n.write(l, s, layers.TCP{ACK: true, PSH: true})
}

// repeat sends once more what is to be.
func (n *network) repeat(l *link) {
	if s := &l.again; len(s.payload) > 0 {
		s.ack = l.sides[1-s.from].arrived()
		n.write(l, s, layers.TCP{ACK: true, PSH: true})
		s.payload = s.payload[:0]
	}
}

// acknowledge says that a side has all there is.
func (n *network) acknowledge(l *link, from int) {
	me, other := &l.sides[from], &l.sides[1-from]
	other.owed = 0
	n.write(l, &segment{from: from, offset: me.sent, ack: other.arrived()}, layers.TCP{ACK: true})
}

// write puts a segment into the capture.
func (n *network) write(l *link, s *segment, flags layers.TCP) {
	if n.err != nil {
		return
	}
	from, to := &l.sides[s.from], &l.sides[1-s.from]
	n.ip.SrcIP, n.ip.DstIP = from.ip, to.ip
	n.ip.Id++
	n.ethernet.SrcMAC, n.ethernet.DstMAC = mac(from.ip), mac(to.ip)
	n.tcp = flags
	n.tcp.SrcPort, n.tcp.DstPort = layers.TCPPort(from.port), layers.TCPPort(to.port)
	n.tcp.Seq, n.tcp.Window = from.start+uint32(s.offset), 32120
	if n.tcp.ACK {
		n.tcp.Ack = to.start + uint32(s.ack)
	}
	_ = n.tcp.SetNetworkLayerForChecksum(&n.ip) // IPv4 can always be one
	n.err = gopacket.SerializeLayers(n.buf, gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true},
		&n.ethernet, &n.ip, &n.tcp, gopacket.Payload(s.payload))
	if n.err == nil {
		n.err = n.recorder.frame(n.buf.Bytes())
	}
}
