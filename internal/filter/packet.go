package filter

import (
	"bytes"
	"encoding/binary"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// maxFrames limits the bytes of kept packets. Packets are kept because a message may be decoded after later packets,
// for example after a gap in a TCP stream.
const maxFrames = 16 << 20

// frameCost is the approximate memory of a kept frame in addition to its bytes.
const frameCost = 400

// A frameID identifies a packet of a capture.
type frameID struct {
	file   string
	number int
}

// frames has the newest packets of a capture.
type frames struct {
	all   map[frameID]*packet
	queue []frameID // oldest first
	size  int       // memory of the kept packets, in bytes
	last  int64     // time of the newest packet
}

// A packet is the frame that carries a message, and its layers.
type packet struct {
	frame   decode.Frame
	delta   int64 // nanoseconds since the previous packet; 0 for the first
	parsed  bool
	headers []header
}

// A layerKind is a protocol whose headers are decoded.
type layerKind uint8

const (
	ethernet layerKind = iota
	ipv4
	ipv6
	udp
	tcp
)

// A header is the header of a layer.
type header struct {
	kind layerKind
	size int
	data []byte // from the start of the header to the end of the packet
}

// Frame adds the next packet. If Schema.AsksPackets returns true, the caller must call Frame before passing the
// packet's messages. The caller must also call Packet.
func (h *History) Frame(f *decode.Frame) {
	if h.frames == nil {
		h.frames = &frames{all: make(map[frameID]*packet), last: unmeasured}
	}
	h.frames.add(f)
}

func (f *frames) add(frame *decode.Frame) {
	p := &packet{frame: *frame}
	p.frame.Data = bytes.Clone(frame.Data)
	if f.last != unmeasured {
		p.delta = frame.Time - f.last
	}
	f.last = frame.Time
	id := frameID{frame.File, frame.Number}
	f.all[id] = p
	f.queue = append(f.queue, id)
	f.size += len(frame.Data) + frameCost
	for f.size > maxFrames && len(f.queue) > 1 {
		f.size -= len(f.all[f.queue[0]].frame.Data) + frameCost
		delete(f.all, f.queue[0])
		f.queue = f.queue[1:]
	}
}

// packet returns the packet that carries the subject, or nil if that packet is no longer kept.
func (x *Subject) packet() *packet {
	if x.frames == nil {
		return nil
	}
	p := x.frames.all[frameID{x.Place.File, x.Place.Frame}]
	if p != nil && !p.parsed {
		p.parse()
	}
	return p
}

// parse finds the layers of the packet and of the packets in its tunnels, each with its transport header.
func (p *packet) parse() {
	p.parsed = true
	f := &p.frame
	if f.Link == ip.LinkEthernet && len(f.Data) >= ethernetHeader {
		p.headers = append(p.headers, header{ethernet, ethernetHeader, f.Data})
	}
	var outer, inner ip.Packet
	for found := ip.Find(f.Link, f.Data, f.Length, &outer); found == ip.Found; outer = inner {
		p.add(&outer)
		found = ip.Open(&outer, &inner)
	}
}

const (
	ethernetHeader = 14
	udpHeader      = 8
	tcpHeader      = 20
)

// add adds the layers of an IP packet.
func (p *packet) add(in *ip.Packet) {
	data := p.frame.Data
	at := cap(data) - cap(in.Payload) - in.Header // both slices end where their common array ends
	if at < 0 || at+in.Header+len(in.Payload) > len(data) || in.Src.Is4() && in.Header > 60 {
		return
	}
	kind := ipv6
	if in.Src.Is4() {
		kind = ipv4
	}
	whole := data[at : at+in.Header+len(in.Payload)]
	p.headers = append(p.headers, header{kind, in.Header, whole})
	if in.Fragment && in.Offset > 0 {
		return
	}
	switch b := in.Payload; {
	case in.Protocol == ip.ProtocolUDP && len(b) >= udpHeader:
		p.headers = append(p.headers, header{udp, udpHeader, b})
	case in.Protocol == ip.ProtocolTCP && len(b) >= tcpHeader:
		if size := int(b[12]>>4) * 4; size >= tcpHeader && size <= len(b) {
			p.headers = append(p.headers, header{tcp, size, b})
		}
	}
}

// layersOf appends the values that read returns for headers of the given kind in the given layers.
func (x *Subject) layersOf(kind layerKind, layers []span, v []Value, read func(*header) (Value, bool)) []Value {
	p := x.packet()
	if p == nil {
		return v
	}
	count, n := 0, 0
	for i := range p.headers {
		if p.headers[i].kind == kind {
			count++
		}
	}
	for i := range p.headers {
		if p.headers[i].kind != kind {
			continue
		}
		if inLayers(layers, n, count) {
			if value, ok := read(&p.headers[i]); ok {
				v = append(v, value)
			}
		}
		n++
	}
	return v
}

// payload returns the data after the UDP or TCP header.
func (h *header) payload() []byte {
	b := h.data
	if h.kind == udp {
		if n := int(binary.BigEndian.Uint16(b[4:])); n >= udpHeader && n < len(b) {
			b = b[:n]
		}
	}
	return b[h.size:]
}

// addPacketFields adds the fields that need the bytes of packets.
func (s *catalogue) addPacketFields() {
	s.packets = true
	s.addProtocolBytes()
	number := func(name string, kind wire.Kind, get func(p *packet) (int64, bool)) {
		s.addNumber(name, kind, func(x *Subject) (int64, bool) {
			if p := x.packet(); p != nil {
				return get(p)
			}
			return 0, false
		})
		s.fields[name].fromPacket = true
	}
	number("frame.len", wire.Uint, func(p *packet) (int64, bool) {
		return int64(max(p.frame.Length, len(p.frame.Data))), true
	})
	number("frame.cap_len", wire.Uint, func(p *packet) (int64, bool) { return int64(len(p.frame.Data)), true })
	number("frame.time_delta", Duration, func(p *packet) (int64, bool) { return p.delta, true })
	for i := range headerFields {
		s.addHeaderField(&headerFields[i])
	}
	s.addTCPLength()
	s.addBothEnds("eth.addr", "eth.src", "eth.dst", MAC)
	s.addBothEnds("ip.addr", "ip.src", "ip.dst", wire.Address)
	s.addBothEnds("ipv6.addr", "ipv6.src", "ipv6.dst", wire.Address)
	s.addBothEnds("udp.port", "udp.srcport", "udp.dstport", wire.Uint)
	s.addBothEnds("tcp.port", "tcp.srcport", "tcp.dstport", wire.Uint)
}

// addProtocolBytes lets filters search and compare the bytes of frame, eth, ip, ipv6, udp and tcp.
func (s *catalogue) addProtocolBytes() {
	frame := func(x *Subject, v []Value) []Value {
		if p := x.packet(); p != nil {
			v = append(v, Value{Kind: wire.Bytes, Bytes: p.frame.Data})
		}
		return v
	}
	s.fields["frame"].carrier.span = frame
	s.addPresence("eth", func(x *Subject) bool { return len(x.layersOf(ethernet, everyLayer, nil, wholeOf)) > 0 })
	s.fields["eth"].fromPacket = true
	for name, kind := range map[string]layerKind{"eth": ethernet, "ip": ipv4, "ipv6": ipv6, "udp": udp, "tcp": tcp} {
		bytesOf := func(read func(*header) (Value, bool)) source {
			return func(x *Subject, v []Value) []Value { return x.layersOf(kind, everyLayer, v, read) }
		}
		f := s.fields[name]
		f.carrier = carrier{span: bytesOf(headerOf), whole: bytesOf(wholeOf)}
		presence := f.fromSubject
		f.carrier.layers = func(x *Subject, layers []span, raw bool, v []Value) []Value {
			if raw {
				return x.layersOf(kind, layers, v, headerOf)
			}
			if len(layers) == 1 && layers[0] == everyLayer[0] {
				return presence(x, v)
			}
			return x.layersOf(kind, layers, v, func(*header) (Value, bool) { return Value{Kind: wire.Group}, true })
		}
	}
}

func wholeOf(h *header) (Value, bool) { return Value{Kind: wire.Bytes, Bytes: h.data}, true }

// headerOf returns the bytes that Wireshark assigns to the layer. For TCP, they include the payload.
func headerOf(h *header) (Value, bool) {
	if h.kind == tcp {
		return wholeOf(h)
	}
	return Value{Kind: wire.Bytes, Bytes: h.data[:min(h.size, len(h.data))]}, true
}
