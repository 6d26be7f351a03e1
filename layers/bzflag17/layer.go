package bzflag17

import (
	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// LayerType is the type of this layer in gopacket.
const LayerType gopacket.LayerType = 5155

var _ = wire.Register(LayerType, "BZFlag17", newLayer)

// The usual ports. A server uses ServerPort for connections and pings. Players send their updates to BroadcastPort of a
// multicast group.
const (
	ServerPort    = 5155
	BroadcastPort = 5154

	gamePort = ServerPort + 1 // usually the first port that a hello announces for the game
)

const (
	headerSize = bzflag.HeaderSize
	// MaxBody is the length of the largest body. Packets have at most 1024 bytes, including the header.
	MaxBody = bzflag.MaxBody
)

// Layer is one message: the four-byte header and the body. The hello, a server's first message, has no header.
type Layer struct {
	wire.Base
	bzflag.Header        // Length is the length of the body; in a ping reply, of the whole packet
	Trailing      []byte // bytes after the last field of the body

	// Sender is the player who sent a client's message, if the session knows the player. The message itself does not
	// name its sender. The server adds the sender when it relays the message.
	Sender Player

	// World is the whole world database, if this MsgGetWorld contains its last part. The session joins the parts.
	World []byte
}

// Walk lists the fields of the header and of the body.
func (l *Layer) Walk(c *wire.Cursor) {
	if l.walkHello(c) {
		return
	}
	t, way := framing.WalkHeader(c, &l.Header, l.Message)
	body := l.Use(c, messages, t)
	body.Walk(c)
	wire.Trailing(c, &l.Trailing)
	if _, ok := body.(*WorldPart); ok && c.When(l.World != nil) {
		c.Embed("world", func() []byte { return l.World }, new(World))
	}
	c.SetDirection(way)
	if c.Plain() {
		return
	}
	if name := l.relayedAs(); name != "" && !c.FromServer() && c.When(!l.Sender.ID.IsZero()) {
		c.ComputedIPv4PortNumber(name, l.Sender.ID.bytes(), l.Sender.CallSign)
	}
}

// relayedAs returns the name of the field in which the server's relay of this message names the sender. The client's
// message shows the sender under the same name.
func (l *Layer) relayedAs() string {
	switch l.Body.(type) {
	case *Killed:
		return "victim"
	case *Spawn, *Score, *Teleport, *AcquireRadio, *ReleaseRadio:
		return "player"
	case *Message:
		return "from"
	}
	return ""
}

// walkHello walks a hello. It reports whether the message is a hello.
func (l *Layer) walkHello(c *wire.Cursor) bool {
	if !c.Reading() {
		_, ok := l.Body.(*ServerHello)
		if ok {
			l.Body.Walk(c)
		}
		return ok
	}
	size := c.Size()
	if !looksLikeHello(c.Peek(), size) {
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

func (l *Layer) Held() int { return len(l.World) }

func (l *Layer) Release() { l.World, l.Context.Roster = nil, nil }

func (l *Layer) LayerType() gopacket.LayerType { return LayerType }

func (l *Layer) CanDecode() gopacket.LayerClass { return LayerType }

// NextLayerType reports that another message may follow.
func (l *Layer) NextLayerType() gopacket.LayerType { return l.More(LayerType) }

func (l *Layer) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	l.Header, l.Trailing, l.World = bzflag.Header{}, nil, nil
	return l.Decode(l, data, df)
}

// SerializeTo encodes the message. If FixLengths is set, it computes the length. If client and server encode a message
// differently, the direction in the context decides.
func (l *Layer) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	less := headerSize
	if l.Code == CodePingReply {
		less = 0
	}
	if err := l.FixLength(l, opts, &l.Length, less); err != nil {
		return err
	}
	return l.Encode(l, b, opts)
}

// UnknownCode returns the code of a message, or "" for the hello and for a header that ends before the code.
func (l *Layer) UnknownCode() string {
	if l.Message == hello || len(l.Contents) < headerSize {
		return ""
	}
	return l.Code.String()
}

func newLayer() wire.Layer { return new(Layer) }
