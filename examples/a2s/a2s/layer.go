package a2s

import (
	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// LayerType is the type of this layer in gopacket.
const LayerType gopacket.LayerType = 27015

var _ = wire.Register(LayerType, "A2S", newLayer)

// The prefix of a message that fits into one packet, and of a packet with a part of an answer.
const (
	single = 0xffffffff
	parted = 0xfffffffe
)

var prefixes = wire.Symbols{{Value: single, Name: "single"}, {Value: parted, Name: "part"}}

// Layer is one message, or a part of one. If the part completes an answer, the layer also has the fields of the answer.
type Layer struct {
	wire.Base
	wire.State[answers]
	Prefix   uint32
	Part     Part   // set if Prefix is parted
	Joined   uint32 // prefix of the joined answer
	Type     uint8  // a letter
	Trailing []byte // should be empty
}

// answers are the parts of answers that a client has received so far.
type answers struct{ wire.Parts }

// Walk lists the fields of the header and of the body.
func (l *Layer) Walk(c *wire.Cursor) {
	c.LittleEndian()
	wire.Enum32(c, "prefix", &l.Prefix, prefixes)
	if c.When(l.Prefix == parted) {
		l.walkPart(c)
	} else {
		l.walkMessage(c, l.Prefix)
	}
}

// walkPart reads a part, and the answer if the part completes the answer.
func (l *Layer) walkPart(c *wire.Cursor) {
	l.Use(c, messages, part)
	p := &l.Part
	p.walk(c)
	if c.Reading() {
		c.SetDirection(wire.FromServer)
	}
	var whole []byte
	l.After.Parts, whole = l.Before.Parts.Join(c, uint64(p.ID), int(p.Number), int(p.Total), p.Data)
	if whole != nil && p.ID&packed != 0 {
		whole = c.Unpack("answer", wire.Bzip2, whole)
	}
	c.Inside(whole, func(c *wire.Cursor) {
		wire.Enum32(c, "joined_prefix", &l.Joined, prefixes)
		l.walkMessage(c, l.Joined)
	})
}

// walkMessage reads a message after its prefix.
func (l *Layer) walkMessage(c *wire.Cursor, prefix uint32) {
	t := unknown
	if c.When(prefix == single) {
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
	wire.Trailing(c, &l.Trailing)
}

func (l *Layer) LayerType() gopacket.LayerType { return LayerType }

func (l *Layer) CanDecode() gopacket.LayerClass { return LayerType }

func (l *Layer) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	l.Prefix, l.Part, l.Joined, l.Type, l.Trailing = 0, Part{}, 0, 0, nil
	return l.Decode(l, data, df)
}

func (l *Layer) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	return l.Encode(l, b, opts)
}

func newLayer() wire.Layer { return new(Layer) }
