package bzflag17

import (
	"math"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// LayerType is the type of this layer in gopacket.
const LayerType gopacket.LayerType = 5155

var _ = gopacket.RegisterLayerType(int(LayerType), gopacket.LayerTypeMetadata{
	Name:    "BZFlag17",
	Decoder: gopacket.DecodeFunc(decode),
})

// The usual ports: of the server, for connections and pings, and of the multicast group to which
// players send their updates.
const (
	ServerPort    = 5155
	BroadcastPort = 5154
)

const (
	headerSize = 4
	// MaxBody is the largest body: a packet of 1024 bytes has its header in it.
	MaxBody = 1024 - headerSize
)

// Layer is one message: the header of four bytes and the body. The hello has no header.
type Layer struct {
	wire.Base
	Length   uint16 // of the body alone; of all in a ping reply
	Code     Code
	Trailing []byte // what the body's fields do not cover

	// World is the world database that a MsgGetWorld completes. It is joined by the session.
	World []byte
}

// Walk lists the fields of the header and of the body.
func (l *Layer) Walk(c *wire.Cursor) {
	if l.hello(c) {
		return
	}
	wire.U16(c, "length", &l.Length)
	l.Code.walk(c)
	t, way := l.Message, c.Direction()
	if c.Reading() {
		t, way = l.choose(c)
	}
	// A message that went the wrong way is laid out as if it had gone the right one.
	if t != nil && t.Direction != wire.Unknown && (c.Reading() || t.Code == l.Code.String()) {
		c.SetDirection(t.Direction)
	}
	body := l.Use(c, messages, t)
	body.Walk(c)
	wire.Trailing(c, &l.Trailing)
	if _, ok := body.(*WorldPart); ok && c.When(l.World != nil) {
		wire.Embed(c, "world", l.World, new(World))
	}
	c.SetDirection(way)
}

// hello walks the message that has no header, if that is what stands here.
func (l *Layer) hello(c *wire.Cursor) bool {
	if !c.Reading() {
		_, ok := l.Body.(*ServerHello)
		if ok {
			l.Body.Walk(c)
		}
		return ok
	}
	size := c.Size()
	if !greets(c.Peek(), size) {
		return false
	}
	if size < helloSize {
		c.ReportRange(ruleLength, 0, size, "%d bytes, a hello has %d", size, helloSize)
	}
	c.Limit(helloSize)
	switch c.Direction() {
	case wire.Unknown:
		c.SetDirection(wire.FromServer)
	case wire.FromServer:
	default:
		c.ReportRange(ruleDirection, 0, min(size, helloSize), "only a server says hello")
	}
	l.Use(c, messages, hello).Walk(c)
	return true
}

// choose tells which message the header announces and which way it goes, ends it where the header
// says, and reports what is wrong with that.
func (l *Layer) choose(c *wire.Cursor) (*wire.MessageType, wire.Direction) {
	way := c.Direction()
	if c.Failed() {
		if !c.Cut() {
			c.ReportRange(ruleLength, 0, c.Size(), "%d bytes cannot hold a length and a code", c.Size())
		}
		return unknown.MessageType, way
	}
	body := l.body()
	k := lookup(l.Code, body, c.Dialect())
	if k == nil || l.Code == CodeNull {
		c.Report(ruleCode, "nobody defined code %s", l.Code)
	}
	if k == nil {
		l.limit(c, unknown, body)
		return unknown.MessageType, way
	}
	f := k.form(way, body)
	l.limit(c, f, body)
	switch {
	case way == wire.Unknown && f.fits(body), l.Code.ping():
		way = f.Direction
	case !k.allows(way):
		c.ReportRange(ruleDirection, 2, 2, "%s does not go%s", f.Name, ways[way])
	}
	return f.MessageType, way
}

// body is the length of the body, as far as the header tells. In ping replies, and in no other
// message, the length counts the header; one that does not is taken for what it means.
func (l *Layer) body() int {
	if l.Code == CodePingReply && l.Length != pingReplySize-headerSize {
		return max(int(l.Length)-headerSize, 0)
	}
	return int(l.Length)
}

// limit ends the message where its header says and reports a length that cannot be right. A
// multicast datagram is a message and nothing else, whatever the header says.
func (l *Layer) limit(c *wire.Cursor, f *form, body int) {
	present, alone := c.Size()-headerSize, c.Direction() == wire.PeerToPeer
	switch {
	case l.Length > MaxBody:
		c.ReportRange(ruleTooLong, 0, 2, "length is %d, at most %d are possible", l.Length, MaxBody)
	case body > present, alone && body < present:
		c.ReportRange(ruleLength, 0, 2, "length is %d, %d bytes follow the header", l.Length, present)
	case !f.fits(body):
		c.ReportRange(ruleLength, 0, 2, "length is %d, %s has %s", l.Length, f, f.lengths)
	case l.Code == CodePingReply && int(l.Length) == body:
		c.ReportRange(ruleLength, 0, 2, "length is %d, in a ping reply it counts the header and is %d", l.Length, pingReplySize)
	case f == drawnTeamUpdate.fromServer && c.Dialect() == wire.Wire:
		c.ReportRange(ruleLength, 0, 2, "length is %d, code to has 2 in real programs", l.Length)
	}
	if !alone {
		c.Limit(headerSize + body)
	}
}

// LayerType implements gopacket.Layer.
func (l *Layer) LayerType() gopacket.LayerType { return LayerType }

// CanDecode implements gopacket.DecodingLayer.
func (l *Layer) CanDecode() gopacket.LayerClass { return LayerType }

// NextLayerType implements gopacket.DecodingLayer: another message may follow.
func (l *Layer) NextLayerType() gopacket.LayerType {
	if len(l.Payload) > 0 {
		return LayerType
	}
	return gopacket.LayerTypeZero
}

// DecodeFromBytes implements gopacket.DecodingLayer.
func (l *Layer) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	l.Length, l.Code, l.Trailing, l.World = 0, 0, nil, nil
	return l.Decode(l, data, df)
}

// SerializeTo implements gopacket.SerializableLayer. With FixLengths the length is computed. Where
// the two sides write a message differently, the direction of the context decides.
func (l *Layer) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	if opts.FixLengths {
		n, err := l.EncodedLen(l, opts)
		if err != nil {
			return err
		}
		if l.Code != CodePingReply {
			n -= headerSize
		}
		if n > math.MaxUint16 {
			return &wire.FieldError{Index: -1, Field: "length", Need: math.MaxUint16, Have: n, Write: true}
		}
		l.Length = uint16(n)
	}
	return l.Encode(l, b, opts)
}

// UnknownCode implements wire.Coder. The hello has no code, nor has a header that ends before it.
func (l *Layer) UnknownCode() string {
	if l.Message == hello || len(l.Contents) < headerSize {
		return ""
	}
	return l.Code.String()
}

func decode(data []byte, p gopacket.PacketBuilder) error {
	l := new(Layer)
	err := l.DecodeFromBytes(data, p)
	p.AddLayer(l)
	if err != nil {
		return err
	}
	if next := l.NextLayerType(); next != gopacket.LayerTypeZero {
		return p.NextDecoder(next)
	}
	return nil
}
