package bzflag24

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/bzflag24/world"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag/bzmap"
)

// LayerType is the type of this layer in gopacket.
const LayerType gopacket.LayerType = 5154

var _ = wire.Register(LayerType, "BZFlag24", newLayer)

// Port is the usual port of servers, for connections, the UDP link and pings.
const Port = 5154

// Layer is one message: the four-byte header and the body. The first messages of a connection have no header. For
// messages of a TCP connection, set Context.Transport. Otherwise DecodeFromBytes applies the rules of the UDP link.
type Layer struct {
	wire.Base
	bzflag.Header
	Trailing []byte // bytes after the last field of the body

	// Sender is the player who sent a client's message. Most messages do not contain the sender; a session knows the
	// sender from the connection.
	Sender    Player
	HasSender bool

	// World is the world that this MsgGetWorld completes. A session joins the parts.
	World *world.Database

	named  *bzflag.Roster // names of players before the message
	older  bool           // the server is older than 2.4, so messages may have a different layout
	opaque wire.Empty     // body of a message with a different layout; Trailing has its bytes
}

// Walk lists the fields of the header and of the body.
func (l *Layer) Walk(c *wire.Cursor) {
	if !bzflag.HasHeader(c.Peek()) && (l.walkGreeting(c) || l.walkHTTP(c)) {
		return
	}
	f := framing
	if l.older {
		f = olderFraming
	}
	t, way := f.WalkHeader(c, &l.Header, l.Message)
	if c.Reading() {
		l.checkLink(c, way)
	}
	body := l.Use(c, messages, t)
	if c.Reading() && l.older && !l.readable(c, way) {
		l.Body = &l.opaque
		body = l.Body
	}
	if chat, ok := body.(*ChatFrom); ok {
		chat.untyped = l.older
	}
	body.Walk(c)
	wire.Trailing(c, &l.Trailing)
	if c.Reading() && len(l.Trailing) > 0 && body != &l.opaque {
		c.Report(ruleTrailing, "%s after the last field", wire.Counted(len(l.Trailing), "byte"))
	}
	c.SetDirection(way)
	l.walkComputed(c)
}

// walkComputed lists the fields that are derived from other messages.
func (l *Layer) walkComputed(c *wire.Cursor) {
	if !c.Plain() && (l.Message == nil || l.Message.Direction != s2c) &&
		c.When(l.HasSender && c.Direction() != wire.FromServer) {
		c.ComputedNamed("sender", uint8(l.Sender.ID), l.Sender.CallSign, playerIDs)
		if name := l.senderField(); name == "from" || c.Reading() && name != "" {
			c.ComputedNamed(name, uint8(l.Sender.ID), l.Sender.CallSign, playerIDs)
		}
	}
	if _, ok := l.Body.(*WorldPart); ok && c.When(l.World != nil) {
		var w world.Database
		if l.World != nil {
			w = *l.World // a copy, because other messages refer to the same world, perhaps concurrently
		}
		c.Embed("world", func() []byte { return w.Raw }, &w)
	}
}

// senderField returns the name of the field that contains the sender in the server's relay of a client's message, or
// "". walkComputed adds this field to the client's message, so that both messages have the same fields. Of these
// bodies, only Chat does not declare the field itself.
func (l *Layer) senderField() string {
	switch l.Body.(type) {
	case *Killed:
		return "victim"
	case *Teleport, *Pause, *AutoPilot:
		return "player"
	case *Chat:
		return "from"
	}
	return ""
}

// AppendSummary appends the sender, if the message does not contain it, and the summary of the body.
func (l *Layer) AppendSummary(b []byte) []byte {
	s, ok := l.Body.(wire.Summarizer)
	if l.HasSender && l.Direction == wire.ToServer && !l.namesSender() {
		b = append(l.Sender.AppendTo(b), "  "...)
	}
	if !ok {
		return append(b, l.UnknownCode()...)
	}
	return s.AppendSummary(b)
}

// namesSender reports whether a client's message contains its sender.
func (l *Layer) namesSender() bool {
	switch l.Body.(type) {
	case *PlayerUpdate, *PlayerUpdateSmall, *ShotBegin, *GMUpdate, *LinkRequest, *TransferRequest, *ConnectHeader:
		return true
	}
	return false
}

// walkGreeting walks the first message of a connection. It returns false for other messages.
func (l *Layer) walkGreeting(c *wire.Cursor) bool {
	if !c.Reading() {
		switch l.Body.(type) {
		case *ConnectHeader, *ServerHello, *TimeoutBanner, *BanText:
			l.Body.Walk(c)
			return true
		}
		return false
	}
	data, size := c.Peek(), c.Size()
	if beginsBan(data) && c.Context().Transport == wire.TCP && c.Direction() != wire.ToServer {
		c.SetDirection(s2c)
		l.Use(c, messages, banText).Walk(c)
		return true
	}
	t, n := hello, helloSize
	isHello := begins(data, bzflag.Magic)
	switch isHeader := begins(data, connectHeader); {
	case isHeader && !(isHello && c.FromServer()):
		t, n = header, len(connectHeader)
	case isHello && (isBanner(data) || c.Truncated() && size == bannerSize && bannerCut(data)):
		t, n = banner, bannerSize
	case !isHello:
		return false
	}
	if size < n {
		c.ReportRange(ruleLength, 0, size, "%d bytes, a %s has %d", size, t.Name, n)
	}
	c.Limit(n)
	if c.Direction() == t.Direction.Reverse() {
		c.ReportRange(ruleDirection, 0, min(size, n), "a %s does not go that way", t.Name)
	} else {
		c.SetDirection(t.Direction)
	}
	l.Use(c, messages, t).Walk(c)
	return true
}

// begins reports whether data begins with text, or text begins with data. Both must have at least two bytes.
func begins(data []byte, text string) bool {
	n := min(len(data), len(text))
	return n >= 2 && string(data[:n]) == text[:n]
}

func beginsBan(data []byte) bool { return len(data) >= bzflag.HeaderSize && begins(data, banBegins) }

// isBanner reports whether two line ends follow the version in data.
func isBanner(data []byte) bool {
	return len(data) >= bannerSize && string(data[bzflag.VersionSize:bannerSize]) == bannerEnd
}

// bannerCut reports whether data, which is shorter than a banner, may be the beginning of a banner.
func bannerCut(data []byte) bool {
	return len(data) < bannerSize && strings.HasPrefix(bannerEnd, string(data[min(len(data), bzflag.VersionSize):]))
}

// checkLink reports a message that must not be sent over UDP.
func (l *Layer) checkLink(c *wire.Cursor, way wire.Direction) {
	known := c.Context()
	if c.Failed() || known.Transport == wire.TCP || known.AnyTransport || way != c2s && way != s2c {
		return
	}
	toServer, fromServer := byUDP(l.Code)
	if may := way == c2s && toServer || way == s2c && fromServer; !may && byCode.Get(l.Code) != nil {
		c.ReportRange(ruleUDPCode, 2, 2, "%s does not travel by UDP %s", l.Code, toOrFrom[way])
	}
}

var toOrFrom = [...]string{c2s: "to the server", s2c: "from the server"}

// readable reports whether a message of an older server has the layout of 2.4, judging by the length.
func (l *Layer) readable(c *wire.Cursor, way wire.Direction) bool {
	k := byCode.Get(l.Code)
	if k == nil || c.Failed() {
		return true
	}
	if l.Code == CodeMessage && way == s2c {
		return l.Length >= 2
	}
	f := k.Variant(way, int(l.Length))
	return f.Fits(int(l.Length)) && (f.Size == nil || f.Size(c.Peek()) == int(l.Length))
}

// WorldURL returns the URL in a MsgCacheURL, or "" for other messages.
func (l *Layer) WorldURL() string {
	if u, ok := l.Body.(*CacheURL); ok && l.Fault() == nil {
		return string(u.URL)
	}
	return ""
}

func (l *Layer) Carried() (wire.World, error) {
	w := l.World
	if w == nil {
		return nil, nil
	}
	m, err := w.ReadMap()
	switch err = cmp.Or(w.Err, err); {
	case m == nil:
		return nil, fmt.Errorf("the world cannot be read: %w", err)
	case err != nil:
		return bzmap.Of{World: m}, fmt.Errorf("the world is not whole: %w", err)
	}
	return bzmap.Of{World: m}, w.CheckHash()
}

func (l *Layer) Held() int {
	if l.World == nil {
		return 0
	}
	return l.World.Held()
}

func (l *Layer) Release() { l.World, l.Context.Roster = nil, nil }

func (l *Layer) LayerType() gopacket.LayerType { return LayerType }

func (l *Layer) CanDecode() gopacket.LayerClass { return LayerType }

// NextLayerType returns LayerType if another message follows.
func (l *Layer) NextLayerType() gopacket.LayerType { return l.More(LayerType) }

func (l *Layer) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	l.Header, l.Trailing, l.World = bzflag.Header{}, nil, nil
	return l.Decode(l, data, df)
}

// SerializeTo encodes the message. If FixLengths is set, it computes the length and the counts. If client and server
// encode a message differently, the direction in the context decides.
func (l *Layer) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	if err := l.FixLength(l, opts, &l.Length, bzflag.HeaderSize); err != nil {
		return err
	}
	return l.Encode(l, b, opts)
}

// UnknownCode returns the code of a message of unknown type, or "" if the message has no header.
func (l *Layer) UnknownCode() string {
	if l.Message != unknown.MessageType || len(l.Contents) < bzflag.HeaderSize {
		return ""
	}
	return strings.ToValidUTF8(l.Code.String(), "")
}

func newLayer() wire.Layer { return new(Layer) }
