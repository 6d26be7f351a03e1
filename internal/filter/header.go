package filter

import (
	"encoding/binary"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// A headerField is a field in a header of the packet that carries a message.
type headerField struct {
	name      string
	in        layerKind
	kind      wire.Kind
	off, size int // offset and size in bytes
	shift     int // number of bits to the right of the field
	bits      int // number of bits; 0: all of the bytes
	scale     uint64
	symbols   wire.Symbols
	read      func(*header) []byte // instead of off and size
}

var (
	ipProtocols = wire.Symbols{
		{Value: 1, Name: "ICMP"}, {Value: 2, Name: "IGMP"}, {Value: 4, Name: "IPIP"}, {Value: 6, Name: "TCP"},
		{Value: 17, Name: "UDP"}, {Value: 41, Name: "IPv6"}, {Value: 47, Name: "GRE"}, {Value: 50, Name: "ESP"},
		{Value: 51, Name: "AH"}, {Value: 58, Name: "IPv6-ICMP"},
	}
	etherTypes = wire.Symbols{
		{Value: 0x0800, Name: "IPv4"}, {Value: 0x0806, Name: "ARP"}, {Value: 0x8100, Name: "802.1Q Virtual LAN"},
		{Value: 0x86dd, Name: "IPv6"},
	}
)

// headerFields are the fields of packet headers, under Wireshark's names.
var headerFields = []headerField{
	{name: "eth.dst", in: ethernet, kind: MAC, size: 6},
	{name: "eth.src", in: ethernet, kind: MAC, off: 6, size: 6},
	{name: "eth.type", in: ethernet, kind: wire.Enum, off: 12, size: 2, symbols: etherTypes},

	{name: "ip.version", in: ipv4, size: 1, shift: 4, bits: 4},
	{name: "ip.hdr_len", in: ipv4, size: 1, bits: 4, scale: 4},
	{name: "ip.dsfield", in: ipv4, off: 1, size: 1},
	{name: "ip.dsfield.dscp", in: ipv4, off: 1, size: 1, shift: 2, bits: 6},
	{name: "ip.dsfield.ecn", in: ipv4, off: 1, size: 1, bits: 2},
	{name: "ip.len", in: ipv4, off: 2, size: 2},
	{name: "ip.id", in: ipv4, off: 4, size: 2},
	{name: "ip.flags", in: ipv4, off: 6, size: 1, shift: 5, bits: 3},
	{name: "ip.flags.rb", in: ipv4, kind: wire.Boolean, off: 6, size: 1, shift: 7, bits: 1},
	{name: "ip.flags.df", in: ipv4, kind: wire.Boolean, off: 6, size: 1, shift: 6, bits: 1},
	{name: "ip.flags.mf", in: ipv4, kind: wire.Boolean, off: 6, size: 1, shift: 5, bits: 1},
	{name: "ip.frag_offset", in: ipv4, off: 6, size: 2, bits: 13, scale: 8},
	{name: "ip.ttl", in: ipv4, off: 8, size: 1},
	{name: "ip.proto", in: ipv4, kind: wire.Enum, off: 9, size: 1, symbols: ipProtocols},
	{name: "ip.checksum", in: ipv4, off: 10, size: 2},
	{name: "ip.src", in: ipv4, kind: wire.Address, off: 12, size: 4},
	{name: "ip.dst", in: ipv4, kind: wire.Address, off: 16, size: 4},

	{name: "ipv6.version", in: ipv6, size: 1, shift: 4, bits: 4},
	{name: "ipv6.tclass", in: ipv6, size: 2, shift: 4, bits: 8},
	{name: "ipv6.flow", in: ipv6, size: 4, bits: 20},
	{name: "ipv6.plen", in: ipv6, off: 4, size: 2},
	{name: "ipv6.nxt", in: ipv6, kind: wire.Enum, off: 6, size: 1, symbols: ipProtocols},
	{name: "ipv6.hlim", in: ipv6, off: 7, size: 1},
	{name: "ipv6.src", in: ipv6, kind: wire.Address, off: 8, size: 16},
	{name: "ipv6.dst", in: ipv6, kind: wire.Address, off: 24, size: 16},

	{name: "udp.srcport", in: udp, size: 2},
	{name: "udp.dstport", in: udp, off: 2, size: 2},
	{name: "udp.length", in: udp, off: 4, size: 2},
	{name: "udp.checksum", in: udp, off: 6, size: 2},
	{name: "udp.payload", in: udp, kind: wire.Bytes, read: (*header).payload},

	{name: "tcp.srcport", in: tcp, size: 2},
	{name: "tcp.dstport", in: tcp, off: 2, size: 2},
	{name: "tcp.seq_raw", in: tcp, off: 4, size: 4},
	{name: "tcp.ack_raw", in: tcp, off: 8, size: 4},
	{name: "tcp.hdr_len", in: tcp, off: 12, size: 1, shift: 4, bits: 4, scale: 4},
	{name: "tcp.flags", in: tcp, off: 12, size: 2, bits: 12},
	{name: "tcp.flags.ns", in: tcp, kind: wire.Boolean, off: 12, size: 2, shift: 8, bits: 1},
	{name: "tcp.flags.cwr", in: tcp, kind: wire.Boolean, off: 13, size: 1, shift: 7, bits: 1},
	{name: "tcp.flags.ecn", in: tcp, kind: wire.Boolean, off: 13, size: 1, shift: 6, bits: 1},
	{name: "tcp.flags.urg", in: tcp, kind: wire.Boolean, off: 13, size: 1, shift: 5, bits: 1},
	{name: "tcp.flags.ack", in: tcp, kind: wire.Boolean, off: 13, size: 1, shift: 4, bits: 1},
	{name: "tcp.flags.push", in: tcp, kind: wire.Boolean, off: 13, size: 1, shift: 3, bits: 1},
	{name: "tcp.flags.reset", in: tcp, kind: wire.Boolean, off: 13, size: 1, shift: 2, bits: 1},
	{name: "tcp.flags.syn", in: tcp, kind: wire.Boolean, off: 13, size: 1, shift: 1, bits: 1},
	{name: "tcp.flags.fin", in: tcp, kind: wire.Boolean, off: 13, size: 1, bits: 1},
	{name: "tcp.flags.str", in: tcp, kind: wire.String, read: flagLetters},
	{name: "tcp.window_size_value", in: tcp, off: 14, size: 2},
	{name: "tcp.checksum", in: tcp, off: 16, size: 2},
	{name: "tcp.urgent_pointer", in: tcp, off: 18, size: 2},
	{name: "tcp.payload", in: tcp, kind: wire.Bytes, read: (*header).payload},
}

// flagLetters returns the TCP flags in Wireshark's notation.
func flagLetters(h *header) []byte {
	const letters = "RRRNCEUAPRSF"
	flags := binary.BigEndian.Uint16(h.data[12:])
	var b []byte
	for i := range letters {
		if flags>>(len(letters)-1-i)&1 != 0 {
			b = append(b, letters[i])
		} else {
			b = append(b, "·"...)
		}
	}
	return b
}

// bytes returns the bytes that contain the field.
func (f *headerField) bytes(h *header) []byte {
	if f.read != nil {
		return f.read(h)
	}
	if f.off+f.size > len(h.data) {
		return nil
	}
	return h.data[f.off : f.off+f.size]
}

// value returns the field's value in a header or, if raw is true, the field's bytes.
func (f *headerField) value(h *header, raw bool) (Value, bool) {
	b := f.bytes(h)
	switch {
	case raw:
		return Value{Kind: wire.Bytes, Bytes: b}, len(b) > 0
	case f.kind == MAC || f.kind == wire.Bytes || f.kind == wire.String || f.kind == wire.Address:
		return Value{Kind: f.kind, Bytes: b}, len(b) > 0
	}
	var n uint64
	for _, x := range b {
		n = n<<8 | uint64(x)
	}
	if n >>= f.shift; f.bits > 0 {
		n &= 1<<f.bits - 1
	}
	return Value{Kind: f.kind, Num: n * max(f.scale, 1), Symbols: f.symbols}, len(b) > 0
}

// addHeaderField adds a field of a header. If the schema already has the field, addHeaderField only lets filters select
// its layers, as in ip.src#1.
func (s *catalogue) addHeaderField(f *headerField) {
	if f.kind == 0 {
		f.kind = wire.Uint
	}
	layers := func(x *Subject, layers []span, raw bool, v []Value) []Value {
		return x.layersOf(f.in, layers, v, func(h *header) (Value, bool) { return f.value(h, raw) })
	}
	if have := s.fields[f.name]; have != nil {
		have.carrier.layers = layers
		return
	}
	values := func(x *Subject, v []Value) []Value { return layers(x, everyLayer, false, v) }
	field := s.addSubjectField(f.name, f.kind, values)
	field.Symbols = f.symbols
	field.fromPacket, field.carrier.layers = true, layers
	if field.bits = 8 * f.size; f.bits > 0 && f.scale == 0 {
		field.bits = f.bits
	}
}

// addBothEnds adds a field that combines source and destination. If the schema already has the field, addBothEnds only
// lets filters select its layers.
func (s *catalogue) addBothEnds(name, src, dst string, kind wire.Kind) {
	from, to := s.fields[src].carrier.layers, s.fields[dst].carrier.layers
	layers := func(x *Subject, layers []span, raw bool, v []Value) []Value {
		return to(x, layers, raw, from(x, layers, raw, v))
	}
	f := s.fields[name]
	if f == nil {
		f = s.addSubjectField(name, kind, func(x *Subject, v []Value) []Value { return layers(x, everyLayer, false, v) })
		f.fromPacket = true
	}
	f.carrier.layers = layers
}

// addTCPLength adds the field for the size of the TCP payload, which no header contains.
func (s *catalogue) addTCPLength() {
	length := func(h *header) (Value, bool) { return Value{Kind: wire.Uint, Num: uint64(len(h.payload()))}, true }
	s.addSubjectField("tcp.len", wire.Uint, func(x *Subject, v []Value) []Value {
		return x.layersOf(tcp, everyLayer, v, length)
	}).fromPacket = true
}
