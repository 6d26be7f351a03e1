package bloodmasters

import (
	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// LayerType is the type of this layer in gopacket.
const LayerType gopacket.LayerType = 6969

var _ = wire.Register(LayerType, "Bloodmasters", newLayer)

// Port is the one that a server listens on when nothing else is configured.
const Port = 6969

// Layer is one message: the header, and the body that its code calls for. A datagram may
// hold several; the next one is then the payload of this one.
type Layer struct {
	wire.Base
	Length   uint16 // bytes of the message, these two and the code included
	Code     Code
	PacketID uint32 // only with code 0 and codes from 128 on

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

// limit ends the message where its length field says, if that is possible.
func (l *Layer) limit(c *wire.Cursor) bool {
	if !c.Reading() {
		return true
	}
	length, size := int(l.Length), c.Size()
	if size > maxDatagram && l.Code == CodeServerInfo && l.Context.Direction != wire.FromServer {
		c.ReportRange(ruleOversized, 0, headerSize, "a datagram of %d bytes, servers take %d at most", size, maxDatagram)
	}
	switch {
	case c.Failed() && c.Truncated():
	case c.Failed():
		c.ReportRange(ruleLength, 0, size, "%d bytes cannot hold a length and a code", size)
	case length < headerSize:
		c.ReportRange(ruleLength, 0, 2, "length is %d, at least %d are needed", length, headerSize)
	case length > size:
		c.ReportRange(ruleLength, 0, 2, "length is %d, %d bytes are here", length, size)
	default:
		c.Limit(length)
		return true
	}
	return false
}

// explain turns the error that ended a message into the rule that it breaks.
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

// body chooses what the code calls for.
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
			c.ReportRange(ruleCode, 2, 1, "code %d is no message of the game", l.Code)
		}
	}
	return l.Use(c, messages, t)
}

// isReply tells requests and answers apart, which share their code: by the direction, and
// where that is unknown by the length, since no answer is as short as a request.
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

// NextLayerType reports that another message may follow.
func (l *Layer) NextLayerType() gopacket.LayerType { return l.More(LayerType) }

// DecodeFromBytes takes the message that uses up all bytes if the two ways of writing a text's length lead to
// different ones. No receiver can tell when some of them were cut off.
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

// SerializeTo computes the length and the count of clients if FixLengths is set.
func (l *Layer) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	if err := l.FixLength(l, opts, &l.Length, 0); err != nil {
		return err
	}
	return l.Encode(l, b, opts)
}

func newLayer() wire.Layer { return new(Layer) }
