package decode

import (
	"bytes"
	"fmt"
	"net/netip"
	"slices"
	"testing"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// A toy message contains the verdict of its protocol. It consists of a letter for the confidence ('S' sure, 'M' maybe),
// a direction ('>', '<' or '?'), the size of the text, and the text. A datagram may contain several messages.
type toyLayer struct {
	wire.Base
	kind, way, size uint8
}

// toyText is the body of a message.
type toyText struct{ text []byte }

func (b *toyText) Walk(c *wire.Cursor) { wire.Rest(c, "text", &b.text) }

var (
	toyType     = &wire.MessageType{Name: "Toy", Body: wire.Like(toyText{})}
	toyMessages = wire.NewMessages(toyType)
	toyRule     = &wire.Rule{ID: "toy.empty", Severity: wire.Note}
)

// tooLarge is a size that is always invalid.
const tooLarge = 255

func (l *toyLayer) Walk(c *wire.Cursor) {
	wire.U8(c, "kind", &l.kind)
	wire.U8(c, "way", &l.way)
	wire.U8(c, "size", &l.size)
	if !c.Failed() {
		c.Limit(3 + int(l.size))
		if l.size == 0 {
			c.Report(toyRule, "no text")
		}
		if l.size == tooLarge {
			c.Report(toyRule, "too large")
		}
	}
	l.Use(c, toyMessages, toyType).Walk(c)
}

func (l *toyLayer) LayerType() gopacket.LayerType     { return gopacket.LayerTypePayload }
func (l *toyLayer) CanDecode() gopacket.LayerClass    { return gopacket.LayerTypePayload }
func (l *toyLayer) NextLayerType() gopacket.LayerType { return gopacket.LayerTypeZero }

func (l *toyLayer) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	return l.Decode(l, data, df)
}

func (l *toyLayer) SerializeTo(b gopacket.SerializeBuffer, o gopacket.SerializeOptions) error {
	return l.Encode(l, b, o)
}

// toyProtocol returns a protocol with a port. Its Probe returns wire.Sure if a message begins with the letter in sure,
// and wire.Likely if it begins with the letter in maybe.
func toyProtocol(name string, port uint16, sure, maybe byte) *wire.Protocol {
	return &wire.Protocol{
		Name: name, UDP: []uint16{port}, Messages: toyMessages,
		New: func() wire.Layer { return new(toyLayer) },
		Probe: func(p *wire.Probe) (v wire.Verdict) {
			if len(p.Payload) < 3 {
				return v
			}
			switch p.Payload[0] {
			case sure:
				v.Confidence = wire.Sure
			case maybe:
				v.Confidence = wire.Likely
			case 'W': // weak: likely only if one end has already spoken the protocol
				v.Confidence = wire.Maybe
				if p.Known {
					v.Confidence = wire.Likely
				}
			}
			switch p.Payload[1] {
			case '>':
				v.Direction = wire.ToServer
			case '<':
				v.Direction = wire.FromServer
			}
			return v
		},
	}
}

// saying returns a message that begins with its verdict, such as "S>".
func saying(as, text string) string { return as + string(rune(len(text))) + text }

var (
	chess = toyProtocol("chess", 7000, 'S', 'M')
	poker = toyProtocol("poker", 8000, 'P', 'M')
)

// Addresses in tests. The server uses the port of chess.
const (
	client   = "192.0.2.1:40000"
	other    = "192.0.2.3:50000"
	server   = "198.51.100.2:7000"
	offPort  = "198.51.100.2:9000"
	client6  = "[2001:db8::1]:40000"
	server6  = "[2001:db8::2]:7000"
	foreign  = "something else"
	toyStart = int64(1_000_000_000)
)

// udpPacket returns an IP packet that contains a datagram.
func udpPacket(tb testing.TB, src, dst, payload string) []byte {
	tb.Helper()
	s, d := netip.MustParseAddrPort(src), netip.MustParseAddrPort(dst)
	udp := &layers.UDP{SrcPort: layers.UDPPort(s.Port()), DstPort: layers.UDPPort(d.Port())}
	if s.Addr().Is4() {
		return wiretest.Packet(tb, &layers.IPv4{Version: 4, TTL: 64, Protocol: layers.IPProtocolUDP,
			SrcIP: s.Addr().AsSlice(), DstIP: d.Addr().AsSlice()}, udp, gopacket.Payload(payload))
	}
	return wiretest.Packet(tb, &layers.IPv6{Version: 6, HopLimit: 64, NextHeader: layers.IPProtocolUDP,
		SrcIP: s.Addr().AsSlice(), DstIP: d.Addr().AsSlice()}, udp, gopacket.Payload(payload))
}

// inFragments splits a packet of IPv4, or of IPv6 without extension headers, into fragments of size bytes. size must be
// a multiple of eight.
func inFragments(packet []byte, id byte, size int) (fragments [][]byte) {
	header := ipv4HeaderSize
	if packet[0]>>4 == 6 {
		header = ipv6HeaderSize
	}
	content := packet[header:]
	for at := 0; at < len(content); at += size {
		part := content[at:min(at+size, len(content))]
		more := byte(0)
		if at+size < len(content) {
			more = 1
		}
		if header == ipv4HeaderSize {
			f := slices.Concat(packet[:header], part)
			total := len(f)
			f[2], f[3], f[5], f[6], f[7] = byte(total>>8), byte(total), id, more<<5|byte(at>>11), byte(at>>3)
			fragments = append(fragments, f)
			continue
		}
		f := slices.Concat(packet[:header], []byte{packet[6], 0, byte(at >> 8), byte(at) | more, 0, 0, 0, id}, part)
		f[4], f[5], f[6] = byte((len(part)+8)>>8), byte(len(part)+8), 44 // a fragment header
		fragments = append(fragments, f)
	}
	return fragments
}

// table is an engine that records its output as text.
type table struct {
	*Engine
	tb       testing.TB
	number   int
	step     int64 // nanoseconds between frames
	messages []string
	findings []string
}

func newTable(tb testing.TB, o Options) *table {
	t := &table{tb: tb, step: 1e9}
	if o.Protocols == nil {
		o.Protocols = []*wire.Protocol{chess, poker}
	}
	o.Message, o.Finding = t.message, t.finding
	t.Engine = New(o)
	return t
}

// message records a message as "frame@seconds protocol#stream source>destination direction text".
func (t *table) message(m *Message) {
	text := m.Layer.Core().Body.(*toyText).text
	s := fmt.Sprintf("%d@%d %s#%d %d>%d %s %s", m.Frame, (m.Time-toyStart)/1e9, m.Protocol.Name, m.Conversation,
		m.Src.Port(), m.Dst.Port(), m.Direction, text)
	for _, f := range m.Findings {
		s += " ! " + f.Rule.ID + ": " + f.Text
	}
	t.messages = append(t.messages, s)
	if n := m.Tree(); len(n.Nodes) == 0 || n != m.Tree() {
		t.tb.Errorf("%s: the tree has %d nodes", s, len(n.Nodes))
	}
}

func (t *table) finding(f *wire.TrafficFinding) {
	name := "" // a finding about the capture has no protocol
	if f.Protocol != nil {
		name = f.Protocol.Name
	}
	t.findings = append(t.findings, fmt.Sprintf("%d@%d %s#%d %v>%v %s: %s", f.Frame, (f.Time-toyStart)/1e9,
		name, f.Conversation, f.Src, f.Dst, f.Rule.ID, f.Text))
}

// frame passes the next frame to the engine. Then it overwrites the frame's memory, as a reader of capture files does.
func (t *table) frame(link uint16, data []byte, length int) {
	t.number++
	given := slices.Clone(data)
	t.Frame(&Frame{Data: given, Length: length, Time: toyStart + int64(t.number)*t.step, Link: link, Number: t.number, File: "toy.pcap"})
	for i := range given {
		given[i] = 0xdb
	}
}

func (t *table) packet(data []byte) { t.frame(ip.LinkRaw, data, len(data)) }

func (t *table) say(src, dst, payload string) {
	t.tb.Helper()
	t.packet(udpPacket(t.tb, src, dst, payload))
}

// expect compares the given messages with those since the last call of expect.
func (t *table) expect(messages ...string) {
	t.tb.Helper()
	if !slices.Equal(t.messages, messages) {
		t.tb.Errorf("messages\n%q\nwant\n%q", t.messages, messages)
	}
	t.messages = nil
}

func (t *table) expectFindings(findings ...string) {
	t.tb.Helper()
	if !slices.Equal(t.findings, findings) {
		t.tb.Errorf("findings\n%q\nwant\n%q", t.findings, findings)
	}
	t.findings = nil
}

// expectOurs compares the numbers of recognised and of other packets.
func (t *table) expectOurs(ours, other int64) {
	t.tb.Helper()
	c := t.Counters()
	if c.Recognised != ours || c.Other != other || c.Packets != ours+other || c.Packets != int64(t.number) {
		t.tb.Errorf("%d packets, %d ours and %d other, want %d and %d", c.Packets, c.Recognised, c.Other, ours, other)
	}
}

// Sizes of headers without options.
const (
	ipv4HeaderSize = 20
	ipv6HeaderSize = 40
)

// patch returns a copy of data with other bytes at an offset.
func patch(data []byte, offset int, replacement ...byte) []byte {
	data = bytes.Clone(data)
	copy(data[offset:], replacement)
	return data
}
