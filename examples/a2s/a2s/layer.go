package a2s

import (
	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// LayerType is the type of this layer in gopacket.
const LayerType gopacket.LayerType = 27015

var _ = wire.Register(LayerType, "A2S", newLayer)

// single is the prefix of a message in one packet.
const single = 0xffffffff

var prefixes = wire.Symbols{{Value: single, Name: "single"}, {Value: single - 1, Name: "part"}}

// Layer is one message.
type Layer struct {
	wire.Base
	Prefix uint32
	Type   uint8 // a letter
}

// Walk lists the fields of the header and of the body.
func (l *Layer) Walk(c *wire.Cursor) {
	c.LittleEndian()
	wire.Enum32(c, "prefix", &l.Prefix, prefixes)
	t := unknown
	if c.When(l.Prefix == single) {
		wire.U8(c, "type", &l.Type)
		if is := byType[l.Type]; is != nil {
			t = is
		}
	}
	if t == unknown {
		c.Report(ruleType, "%s", "it is read as bytes")
	} else if c.Reading() {
		c.SetDirection(t.Direction)
	}
	l.Use(c, messages, t).Walk(c)
}

// LayerType implements gopacket.Layer.
func (l *Layer) LayerType() gopacket.LayerType { return LayerType }

// CanDecode implements gopacket.DecodingLayer.
func (l *Layer) CanDecode() gopacket.LayerClass { return LayerType }

// DecodeFromBytes implements gopacket.DecodingLayer.
func (l *Layer) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	l.Prefix, l.Type = 0, 0
	return l.Decode(l, data, df)
}

// SerializeTo implements gopacket.SerializableLayer.
func (l *Layer) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	return l.Encode(l, b, opts)
}

func newLayer() wire.Layer { return new(Layer) }
