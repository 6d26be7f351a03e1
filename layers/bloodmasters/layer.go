package bloodmasters

import (
	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// LayerType is the type of this layer in gopacket.
const LayerType gopacket.LayerType = 6969

var _ = wire.Register(LayerType, "Bloodmasters", newLayer)

// Port is the default port of a server.
const Port = 6969

// Layer is one message: a header, and a body that depends on the code. A datagram may contain several messages. The
// payload of a Layer is the rest of the datagram, beginning with the next message.
type Layer struct {
	wire.Base
	Length   uint16 // bytes of the message, including length and code
	Code     Code
	PacketID uint32 // only if the code is 0, or at least 128

	texts textRule
}

const headerSize = 3

// Walk lists the fields of the header and of the body.
func (l *Layer) Walk(c *wire.Cursor) {
	if l.isHTTP(c) {
		l.walkHTTP(c)
		return
	}
	c.LittleEndian()
	wire.U16(c, "length", &l.Length)
	c.BigEndian()
	wire.Enum8(c, "code", &l.Code, codeNames)
	fits := l.limit(c)
	if l.Code.hasPacketID() {
		wire.U32(c, "packet_id", &l.PacketID)
	}
	body := l.body(c)
	if r, ok := body.(*ServerInfoReply); ok {
		r.texts = l.texts
	}
	body.Walk(c)
	if fits {
		explain(c, body)
	}
}

// limit limits the message to the length in the length field. It reports whether the length field is valid.
func (l *Layer) limit(c *wire.Cursor) bool {
	if !c.Reading() {
		return true
	}
	length, size := int(l.Length), c.Size()
	if size > maxDatagram && l.Code == CodeServerInfo && l.Context.Direction != wire.FromServer {
		c.ReportRange(ruleOversized, 0, headerSize, "a datagram of %d bytes, servers read at most %d", size, maxDatagram)
	}
	switch {
	case c.Failed() && c.Truncated():
	case c.Failed():
		c.ReportRange(ruleLength, 0, size, "%d bytes cannot hold a length and a code", size)
	case length < headerSize:
		c.ReportRange(ruleLength, 0, 2, "length is %d, at least %d are needed", length, headerSize)
	case length > size:
		c.ReportRange(ruleLength, 0, 2, "length is %d, but the datagram has %d bytes left", length, size)
	default:
		c.Limit(length)
		return true
	}
	return false
}

// explain reports the rule that a decoding error breaks.
func explain(c *wire.Cursor, body wire.Body) {
	if !c.Failed() || c.Truncated() {
		return
	}
	fault := c.Fault()
	rule := ruleLength
	switch r, _ := body.(*ServerInfoReply); {
	case r != nil && r.reportClientCount(c):
		return
	case fault.Text:
		rule = ruleString
	case r != nil && (fault.Group == "clients" || fault.Field == "build" && len(r.Clients) < int(r.NumClients)):
		rule = ruleClientCount
	case r != nil && r.tail > 0:
		rule = ruleVersionFields
	}
	c.ReportRange(rule, fault.Offset, fault.Have, "%s", fault.Error())
}

// body returns an empty body for the code.
func (l *Layer) body(c *wire.Cursor) wire.Body {
	t := unknown
	switch {
	case c.Failed() && c.Reading():
	case l.Code == CodeServerInfo || l.Code == CodeReliableServerInfo:
		t = request
		if l.isReply() {
			t = reply
		}
	default:
		if g := gateway[l.Code]; g != nil {
			t = g
		} else {
			c.ReportRange(ruleCode, 2, 1, "code %d is not a message of the game", l.Code)
		}
	}
	return l.Use(c, messages, t)
}

// isReply reports whether the message is an answer. Requests and answers have the same code, so the direction decides.
// If the direction is unknown, the length decides: every answer is longer than a request.
func (l *Layer) isReply() bool {
	switch l.Context.Direction {
	case wire.ToServer:
		return false
	case wire.FromServer:
		return true
	}
	return l.Length > headerSize+4+4
}

func (l *Layer) LayerType() gopacket.LayerType { return LayerType }

func (l *Layer) CanDecode() gopacket.LayerClass { return LayerType }

// NextLayerType returns the type of the next message, if one follows.
func (l *Layer) NextLayerType() gopacket.LayerType { return l.More(LayerType) }

// DecodeFromBytes decodes a message. If the two ways to read a text's length lead to different messages, it chooses the
// one that uses all bytes. If the snap length cut the message, it keeps the first reading.
func (l *Layer) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	first, second := realTexts, documentTexts
	if l.Context.Dialect == wire.Document {
		first, second = second, first
	}
	l.Length, l.Code, l.PacketID, l.texts = 0, 0, 0, first
	err := l.Decode(l, data, df)
	if r, ok := l.Body.(*ServerInfoReply); !ok || !r.ambiguous || l.exact(r) || l.Truncated() {
		return err
	}
	l.texts = second
	if err := l.Decode(l, data, df); err == nil && l.exact(l.Body.(*ServerInfoReply)) {
		return nil
	}
	l.texts = first
	return l.Decode(l, data, df)
}

func (l *Layer) exact(r *ServerInfoReply) bool { return l.Fault() == nil && len(r.Trailing) == 0 }

// SerializeTo writes the message. If FixLengths is set, it computes the length and the number of clients.
func (l *Layer) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	if err := l.FixLength(l, opts, &l.Length, 0); err != nil {
		return err
	}
	return l.Encode(l, b, opts)
}

func newLayer() wire.Layer { return new(Layer) }
