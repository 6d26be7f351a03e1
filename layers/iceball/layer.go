package iceball

import (
	"encoding/hex"
	"strings"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// LayerType is the type of this layer in gopacket.
const LayerType gopacket.LayerType = 27790

var _ = wire.Register(LayerType, "Iceball", newLayer)

// Port is the heartbeat server's port.
const Port = 27790

// Layer is one message: four letters that name it, and a body.
type Layer struct {
	wire.Base
	Magic [4]byte

	short bool // the decoded message is too short for the four letters
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
		l.checkContext(c, t)
	}
	l.Use(c, messages, t).Walk(c)
}

// checkContext checks the letters, the direction and the IP version of a message.
func (l *Layer) checkContext(c *wire.Cursor, t *wire.MessageType) {
	if c.Context().IPv6 {
		c.ReportRange(ruleIPv6, 0, 0, "the heartbeat knows IPv4 addresses only")
	}
	switch {
	case t == unknown && c.Direction() != wire.FromServer && c.Size() >= len(l.Magic) && !c.Truncated():
		c.ReportRange(ruleMagic, 0, len(l.Magic), "%q is not a message of the heartbeat", l.Magic)
	case t == unknown:
	case c.Direction() == wire.Unknown:
		c.SetDirection(t.Direction)
	case c.Direction() != t.Direction:
		problem := "sent to the heartbeat server, which only sends it"
		if t.Direction == wire.ToServer {
			problem = "sent by the heartbeat server, which only receives it"
		}
		c.ReportRange(ruleDirection, 0, len(l.Magic), "%s was %s", t.Code, problem)
	}
}

func (l *Layer) LayerType() gopacket.LayerType { return LayerType }

func (l *Layer) CanDecode() gopacket.LayerClass { return LayerType }

func (l *Layer) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	l.Magic, l.short = [4]byte{}, false
	return l.Decode(l, data, df)
}

func (l *Layer) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	return l.Encode(l, b, opts)
}

// UnknownCode returns the four letters of an unknown message, or "" if some are missing. If the letters are not
// printable, it returns them in hex.
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
