// Package other presents packets that belong to no game as messages of a protocol "other", so filters and all output
// formats can use them.
//
// This package must not produce findings about these packets.
package other

import (
	"encoding/binary"
	"net/netip"
	"strings"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// Protocol is the protocol of packets that belong to no game.
var Protocol = &wire.Protocol{
	Name: "other", Title: "Packets of no game", Type: gopacket.LayerTypePayload, Messages: messages,
	New: func() wire.Layer { return new(Layer) }, Private: wire.Privacies{"data": wire.PrivateBytes},
}

var (
	packet   = &wire.MessageType{Name: "Packet", Body: wire.Like(wire.Empty{})}
	messages = wire.NewMessages(packet)
)

// A Layer is a packet that belongs to no game.
type Layer struct {
	wire.Base
	Transport string // "udp", "tcp", "icmp" or "arp"
	Service   string // usual service on the port; "": unknown
	Port      uint16 // the lower port; 0: none
	Bytes     []byte // payload of UDP or TCP, otherwise the whole packet
}

// Walk lists the fields.
func (l *Layer) Walk(c *wire.Cursor) {
	wire.Rest(c, "data", &l.Bytes)
	c.Computed("transport", func(b []byte) []byte { return append(b, l.Transport...) })
	if c.When(l.Port > 0) {
		c.ComputedUint("port", uint64(l.Port))
	}
	if c.When(l.Service != "") {
		c.Computed("service", func(b []byte) []byte { return append(b, l.Service...) })
	}
	l.Use(c, messages, packet).Walk(c)
}

func (l *Layer) LayerType() gopacket.LayerType  { return gopacket.LayerTypePayload }
func (l *Layer) CanDecode() gopacket.LayerClass { return gopacket.LayerTypePayload }
func (l *Layer) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	return l.Decode(l, data, df)
}
func (l *Layer) SerializeTo(b gopacket.SerializeBuffer, o gopacket.SerializeOptions) error {
	return l.Encode(l, b, o)
}

// shownBytes is how many bytes of an unknown packet a line shows.
const shownBytes = 12

// AppendSummary appends the service. If that is unknown, it appends the transport and the first bytes.
func (l *Layer) AppendSummary(b []byte) []byte {
	if l.Service != "" {
		return append(append(b, l.Service...), "  "...)
	}
	b = append(append(b, l.Transport...), "  "...)
	return format.AppendHex(b, l.Bytes, shownBytes)
}

// services are the usual services on ports of UDP or TCP.
var services = map[uint16]string{
	20: "FTP", 21: "FTP", 22: "SSH", 23: "Telnet", 25: "SMTP", 53: "DNS", 67: "DHCP", 68: "DHCP", 69: "TFTP", 80: "HTTP",
	110: "POP3", 123: "NTP", 137: "NetBIOS", 138: "NetBIOS", 139: "NetBIOS", 143: "IMAP", 161: "SNMP", 389: "LDAP",
	443: "HTTPS", 445: "SMB", 500: "IKE", 514: "syslog", 546: "DHCPv6", 547: "DHCPv6", 587: "SMTP", 853: "DNS",
	993: "IMAP", 995: "POP3", 1194: "OpenVPN", 1900: "SSDP", 3306: "MySQL", 3389: "RDP", 3478: "STUN", 4500: "IKE",
	5353: "mDNS", 5355: "LLMNR", 5432: "PostgreSQL", 6379: "Redis", 8080: "HTTP", 51820: "WireGuard",
}

// Service returns the usual service on a port of UDP or TCP, or "" if none is known.
func Service(port uint16) string { return services[port] }

// Message returns the first packet of a frame as a message. It must only be called if no packet of the frame belongs to
// a game.
func Message(f *decode.Frame) *decode.Message {
	l := new(Layer)
	m := &decode.Message{Layer: l, Name: packet.Name, Length: max(f.Length, len(f.Data)), Data: f.Data}
	m.Place = wire.Place{
		Frame: f.Number, File: f.File, Time: f.Time, Transport: wire.NoTransport, Conversation: decode.NoConversation,
		Protocol: Protocol,
	}
	var p ip.Packet
	if ip.Find(f.Link, f.Data, f.Length, &p) != ip.Found {
		l.Transport = strings.ToLower(p.Kind.String())
	} else {
		l.open(m, &p)
	}
	_ = l.DecodeFromBytes(m.Data, gopacket.NilDecodeFeedback) // cannot fail
	return m
}

// open decodes the header of UDP or TCP.
func (l *Layer) open(m *decode.Message, p *ip.Packet) {
	l.Transport, m.Data = strings.ToLower(ip.KindOf(p).String()), p.Payload
	m.Src, m.Dst = netip.AddrPortFrom(p.Src, 0), netip.AddrPortFrom(p.Dst, 0)
	header, _, ok := decode.SplitTransport(p.Protocol, p.Payload, p.Missing)
	if !ok || p.Fragment { // a packet without ports
		return
	}
	m.Data = p.Payload[header:]
	src, dst := binary.BigEndian.Uint16(p.Payload), binary.BigEndian.Uint16(p.Payload[2:])
	m.Src, m.Dst = netip.AddrPortFrom(p.Src, src), netip.AddrPortFrom(p.Dst, dst)
	l.Port = min(src, dst)
	l.Service = services[l.Port]
	m.Transport = wire.TCP
	if p.Protocol == ip.ProtocolUDP {
		m.Transport = wire.UDP
	}
}
