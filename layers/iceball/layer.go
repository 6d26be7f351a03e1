package iceball

import (
	"encoding/hex"
	"net/netip"
	"strings"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// LayerType is the type of this layer in gopacket.
const LayerType gopacket.LayerType = 27790

var _ = wire.Register(LayerType, "Iceball", newLayer)

// Port is the heartbeat server's.
const Port = 27790

// Layer is one message: four letters that name it, and the body.
type Layer struct {
	wire.Base
	Magic [4]byte

	short bool // what was read is too short for them
}

// Walk lists the fields of the header and of the body.
func (l *Layer) Walk(c *wire.Cursor) {
	if l.isHTTP(c) {
		l.walkHTTP(c)
		return
	}
	c.LittleEndian()
	t := unknown
	if c.Reading() {
		l.short = c.Left() < len(l.Magic)
	}
	if !l.short {
		wire.Tag(c, "magic", l.Magic[:])
		if known := byMagic(string(l.Magic[:])); known != nil {
			t = known
		}
	}
	if c.Reading() {
		l.judge(c, t)
	}
	l.Use(c, messages, t).Walk(c)
}

// judge checks what only the context of the message tells.
func (l *Layer) judge(c *wire.Cursor, t *wire.MessageType) {
	if c.Context().IPv6 {
		c.ReportRange(ruleIPv6, 0, 0, "the heartbeat knows IPv4 addresses only")
	}
	switch {
	case t == unknown && c.Direction() != wire.FromServer && c.Size() >= len(l.Magic) && !c.Truncated():
		c.ReportRange(ruleMagic, 0, len(l.Magic), "%q is no message of the heartbeat", l.Magic)
	case t == unknown:
	case c.Direction() == wire.Unknown:
		c.SetDirection(t.Direction)
	case c.Direction() != t.Direction:
		way := "sent to the heartbeat server, which only sends it"
		if t.Direction == wire.ToServer {
			way = "sent by the heartbeat server, which only receives it"
		}
		c.ReportRange(ruleDirection, 0, len(l.Magic), "%s was %s", t.Code, way)
	}
}

// LayerType implements gopacket.Layer.
func (l *Layer) LayerType() gopacket.LayerType { return LayerType }

// CanDecode implements gopacket.DecodingLayer.
func (l *Layer) CanDecode() gopacket.LayerClass { return LayerType }

// DecodeFromBytes implements gopacket.DecodingLayer.
func (l *Layer) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	l.Magic, l.short = [4]byte{}, false
	return l.Decode(l, data, df)
}

// SerializeTo implements gopacket.SerializableLayer.
func (l *Layer) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	return l.Encode(l, b, opts)
}

// UnknownCode implements wire.Coder: the four letters, in hex if they are none, "" if not all
// of them are there.
func (l *Layer) UnknownCode() string {
	if l.short || l.Message != unknown {
		return ""
	}
	s := string(l.Magic[:])
	if strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }) < 0 {
		return s
	}
	return hex.EncodeToString(l.Magic[:])
}

func newLayer() wire.Layer { return new(Layer) }

// The messages.
var (
	announce = &wire.MessageType{Name: "Announce", Code: "1CEB", Direction: wire.ToServer,
		Body: wire.Like(Announce{})}
	accepted = &wire.MessageType{Name: "Accepted", Code: "MSOK", Direction: wire.FromServer,
		Body: wire.Like(Cookie{})}
	handshake = &wire.MessageType{Name: "Handshake", Code: "HSHK", Direction: wire.ToServer,
		Body: wire.Like(Cookie{})}
	badVersion = &wire.MessageType{Name: "BadVersion", Code: "BADV", Direction: wire.FromServer,
		Body: wire.Like(BadVersion{})}
	badFormat = &wire.MessageType{Name: "BadFormat", Code: "BADF", Direction: wire.FromServer,
		Body: wire.Like(BadFormat{})}
	httpRequest = &wire.MessageType{Name: "HTTPRequest", Direction: wire.ToServer,
		Body: wire.Like(HTTPRequest{})}
	httpResponse = &wire.MessageType{Name: "HTTPResponse", Direction: wire.FromServer,
		Body: wire.Like(HTTPResponse{})}
	unknown = &wire.MessageType{Name: "Unknown", Body: wire.Like(wire.Undefined{})}

	messages = wire.NewMessages(announce, accepted, handshake, badVersion, badFormat, httpRequest, httpResponse, unknown)
)

func byMagic(magic string) *wire.MessageType {
	switch magic {
	case "1CEB":
		return announce
	case "MSOK":
		return accepted
	case "HSHK":
		return handshake
	case "BADV":
		return badVersion
	case "BADF":
		return badFormat
	}
	return nil
}

// Protocol is what the engine has to know.
var Protocol = &wire.Protocol{
	Name:        "iceball",
	Title:       "Iceball heartbeat",
	Type:        LayerType,
	UDP:         []uint16{Port},
	Messages:    messages,
	New:         newLayer,
	Probe:       probe,
	TCP:         []uint16{Port},
	ProbeStream: probeStream,
	NewSplitter: func() wire.Splitter { return new(stream) },
	NewTracker:  newTracker,
	NewSession:  func() wire.Session { return &session{hosts: make(map[netip.Addr]bool)} },
	Rules: []*wire.Rule{
		ruleAnnounceLength, ruleTruncated, ruleMagic, ruleDirection, ruleByteOrder, rulePadding,
		rulePlayers, rulePortZero, ruleIPv6, ruleHTTPHeader,

		ruleUnasked, ruleWrongCookie, ruleStaleCookie, ruleAcceptUnanswered, ruleBurstSize, ruleSpacing, rulePeriod,
		ruleAfterBadVersion, ruleAfterBadFormat, ruleSameVersion, ruleMasterJSON, ruleNoHandshake, ruleStaleList,
		ruleListedTooLong, ruleUnlistedEarly, ruleHTTPPort,
	},
	Private: private,
	Roles:   roles,
	Differences: []string{
		"The document marks the texts as NUL-terminated (.z); those that fill their field are not.",
		"A cookie may have any length in the document; the real server always sends four bytes.",
		"BADF answers everything malformed in the document; the real server sends it only for an announce of the right version with the wrong length, and looks at the version first.",
		"\"Too old and/or new\" leaves the last part of the version (z) out of the comparison.",
	},
}

// probe recognises the protocol by the letters a message begins with. What begins otherwise is
// taken for an attempt at it when it goes to a known heartbeat server, or when it has the letters
// in another case.
func probe(p *wire.Probe) wire.Verdict {
	if len(p.Payload) < 4 {
		return wire.Verdict{}
	}
	letters := string(p.Payload[:4])
	t := byMagic(letters)
	size := len(p.Payload) + p.Missing
	switch {
	case t == nil && p.ToPort && (p.Known || byMagic(strings.ToUpper(letters)) != nil):
		return wire.Verdict{Confidence: wire.Likely}
	case t == nil:
		return wire.Verdict{}
	}
	v := wire.Verdict{Confidence: wire.Likely}
	if t == announce && size == announceSize || t == badVersion && size == badVersionSize {
		v.Confidence = wire.Sure
	}
	if !p.OnPort() {
		v.Direction = t.Direction
	}
	return v
}
