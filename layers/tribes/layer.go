package tribes

import (
	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// LayerType is the type of this layer in gopacket.
const LayerType gopacket.LayerType = 28000

var _ = wire.Register(LayerType, "Tribes", newLayer)

// The usual ports of masters and game servers.
const (
	MasterPort          = 28000
	GamePort            = 28001
	StarsiegeMasterPort = 29000 // same protocol; modern masters serve both games
)

// Peers records whether the sender and the receiver of a packet are masters. If that is not known, a 0x03 packet is
// decoded as a client's query to a master, which is its first use in the protocol document.
type Peers struct {
	Known                bool // the other fields are known, not guessed
	FromMaster, ToMaster bool
}

// Layer is one packet. Most packets consist of a two-byte header and a body. GameSpy-style messages and packets of the
// game itself have no such header, so their bodies begin at the first byte.
type Layer struct {
	wire.Base
	Version uint8
	Type    Type
	Peers   Peers
	Answers bool // the packet begins like the answer to a GameSpy-style query from the receiver

	list   listLayout
	noType bool // the decoded packet is too short for a type
}

// A headless body has no header before it, so it begins at the first byte of the packet.
type headless interface{ headless() }

// minimum is the length of the header that real programs send. The document requires 64 bits in every packet.
const minimum = 8

// Walk lists the fields of the header and of the body.
func (l *Layer) Walk(c *wire.Cursor) {
	var t *wire.MessageType
	if c.Reading() {
		t = l.choose(c)
		c.SetDirection(l.direction(t))
	}
	body := l.Use(c, messages, t)
	if _, ok := body.(headless); !ok {
		l.header(c, t)
	}
	if r, ok := body.(*MasterListReply); ok && c.Reading() {
		r.layout = l.list
	}
	body.Walk(c)
	if c.Failed() && c.Reading() && !c.Truncated() {
		explain(c, body)
	}
}

// explain reports the rule that a decoding error breaks. A header that is too short has been reported before.
func explain(c *wire.Cursor, body wire.Body) {
	fault := c.Fault()
	var rule *wire.Rule
	switch r := body.(type) {
	case *MasterListReply:
		switch {
		case c.Size() < minimum:
			return
		case fault.Text:
			rule = ruleString
		case fault.Field == "reserved" || fault.Field == "number_of_servers":
			rule = ruleCount
		default:
			rule = ruleStrings
		}
	case *GameSpyReply:
		if fault.Group == playerList {
			r.reportCount(c, fault.Offset, fault.Have, "%s", fault.Error())
			return
		}
		rule = ruleString
	default:
		return
	}
	c.ReportRange(rule, fault.Offset, fault.Have, "%s", fault.Error())
}

func (l *Layer) header(c *wire.Cursor, t *wire.MessageType) {
	wire.Enum8(c, "version", &l.Version, versions)
	if l.Version != Version {
		c.Report(ruleVersion, "version 0x%02x, Tribes 1.11 has 0x%02x", l.Version, Version)
	}
	if c.Reading() {
		l.noType = c.Left() == 0
	}
	if !l.noType {
		wire.Enum8(c, "type", &l.Type, types)
		if t == unknown && l.Version == Version {
			c.Report(ruleType, "type 0x%02x, %s are defined", uint8(l.Type), definedTypes)
		}
	}
	if size := c.Size(); c.Reading() && size < minimum {
		c.ReportRange(ruleShort, 0, size, "%d bytes, a packet should have at least %d", size, minimum)
	}
}

// direction returns the direction of a message. A game info reply may go to a client or to a master.
func (l *Layer) direction(t *wire.MessageType) wire.Direction {
	switch {
	case t == gameInfoReply && l.Peers.ToMaster:
		return wire.ToServer
	case t == gameInfoReply:
		return wire.FromServer
	case t.Direction == wire.Unknown:
		return l.Context.Direction
	}
	return t.Direction
}

func (l *Layer) LayerType() gopacket.LayerType { return LayerType }

func (l *Layer) CanDecode() gopacket.LayerClass { return LayerType }

// DecodeFromBytes decodes a packet. If a list does not contain the announced number of servers, it tries the other
// layouts that programs send.
func (l *Layer) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	l.Version, l.Type, l.noType, l.list = 0, 0, false, listLayout{}
	err := l.Decode(l, data, df)
	r, ok := l.Body.(*MasterListReply)
	if !ok || l.countFits(r) || l.Truncated() {
		return err
	}
	for _, layout := range otherLayouts {
		l.list = layout
		if err := l.Decode(l, data, df); err == nil && l.countFits(l.Body.(*MasterListReply)) {
			return nil
		}
	}
	l.list = listLayout{}
	return l.Decode(l, data, df)
}

// SerializeTo encodes the packet. It computes the counts if FixLengths is set.
func (l *Layer) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	return l.Encode(l, b, opts)
}

func newLayer() wire.Layer { return new(Layer) }
