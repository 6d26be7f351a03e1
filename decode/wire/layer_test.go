package wire_test

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// ping and pong are messages of a layer. Their codes distinguish them.
type ping struct{ Names [][]byte }

func (p *ping) Walk(c *wire.Cursor) {
	wire.List(c, "names", &p.Names, wire.UntilEnd, 1, func(v *[]byte, c *wire.Cursor) { wire.Text8(c, "", v) })
}

type pong struct {
	Has bool
	N   uint16
}

func (p *pong) Walk(c *wire.Cursor) {
	if c.Present(&p.Has, 2) {
		wire.U16(c, "n", &p.N)
	}
}

// bytesNamed is the body of messages that consist of a few named bytes.
type bytesNamed struct {
	names  []string
	values [2]uint8
}

func (b *bytesNamed) Walk(c *wire.Cursor) {
	for i, name := range b.names {
		wire.U8(c, name, &b.values[i])
	}
}

var (
	spotType     = &wire.MessageType{Name: "Spot", Body: wire.Like(bytesNamed{names: []string{"x", "y"}})}
	pingType     = &wire.MessageType{Name: "Ping", Code: "PING", Direction: wire.ToServer, Body: wire.Like(ping{})}
	pongType     = &wire.MessageType{Name: "Pong", Body: wire.Like(pong{})}
	otherType    = &wire.MessageType{Name: "Unknown", Body: wire.Like(wire.Undefined{})}
	gameMessages = wire.NewMessages(pingType, pongType, spotType, otherType)
)

type game struct {
	toy
	Size uint8 // size of the message in bytes
	Code uint8
}

func (g *game) Walk(c *wire.Cursor) {
	wire.U8(c, "size", &g.Size)
	if !c.Failed() {
		c.Limit(int(g.Size))
	}
	wire.U8(c, "code", &g.Code)
	t := otherType
	switch g.Code {
	case 1:
		t = pingType
	case 2:
		t = pongType
	case 3:
		t = spotType
	}
	g.Use(c, gameMessages, t).Walk(c)
}

func (g *game) UnknownCode() string { return string(rune('0' + g.Code)) }

func (g *game) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	g.Size, g.Code = 0, 0
	return g.Decode(g, data, df)
}

func TestBaseChoosesBodies(t *testing.T) {
	g := new(game)
	decode := func(data string) wire.Body {
		t.Helper()
		if err := g.DecodeFromBytes([]byte(data), gopacket.NilDecodeFeedback); err != nil {
			t.Fatal(err)
		}
		return g.Body
	}
	first := decode("\x07\x01\x01a\x02bc")
	if diff := cmp.Diff(&ping{Names: [][]byte{[]byte("a"), []byte("bc")}}, first); diff != "" {
		t.Error(diff)
	}
	if g.Message != pingType || g.Core().CodeText(g) != "PING" {
		t.Errorf("type %v, code %q", g.Message, g.Core().CodeText(g))
	}
	if body := decode("\x04\x02\x01\x00"); !cmp.Equal(body, &pong{true, 256}) || g.Core().CodeText(g) != "2" {
		t.Errorf("%+v, code %q", body, g.Core().CodeText(g))
	}
	if body := decode("\x03\x01\x00"); body != first || len(body.(*ping).Names) != 1 {
		t.Errorf("the second ping: %+v", body)
	}
	if body := decode("\x02\x02"); !cmp.Equal(body, &pong{}) {
		t.Errorf("the second pong kept a value of the first: %+v", body)
	}
	if body := decode("\x04\x09ab"); string(body.(*wire.Undefined).Data) != "ab" || g.Core().CodeText(g) != "9" {
		t.Errorf("%+v", body)
	}
	for range 2 {
		if body := decode("\x04\x03\x05\x06"); body.(*bytesNamed).values != [2]uint8{5, 6} {
			t.Errorf("%+v", body)
		}
	}
	decode("\x02\x09")
	if g.Body.(*wire.Undefined).Data == nil {
		t.Error("the Data of an unknown message without a body is nil, want empty")
	}
}

func TestBaseAfterAnError(t *testing.T) {
	g := new(game)
	err := g.DecodeFromBytes([]byte("\x06\x01\x01a\x02b"), gopacket.NilDecodeFeedback)
	if err == nil || g.Fault() == nil || g.Fault().Path() != "names[1]" || g.Exact() {
		t.Errorf("%v, fault %v", err, g.Fault())
	}
	if !cmp.Equal(g.Body, &ping{Names: [][]byte{[]byte("a"), nil}}) {
		t.Errorf("%+v", g.Body)
	}
	if err := g.DecodeFromBytes([]byte("\x02\x02rest"), gopacket.NilDecodeFeedback); err != nil || g.Fault() != nil || !g.Exact() {
		t.Errorf("%v, fault %v", err, g.Fault())
	}
	if string(g.Contents) != "\x02\x02" || string(g.Payload) != "rest" {
		t.Errorf("%q and %q", g.Contents, g.Payload)
	}
}

func TestBaseEncodes(t *testing.T) {
	g := new(game)
	if err := g.Encode(g, gopacket.NewSerializeBuffer(), gopacket.SerializeOptions{}); err == nil {
		t.Error("wrote a layer without a body")
	}
	g.Size, g.Code, g.Body, g.Message = 3, 1, &ping{Names: [][]byte{{}}}, pingType
	buffer := gopacket.NewSerializeBuffer()
	payload, err := buffer.AppendBytes(3)
	if err != nil {
		t.Fatal(err)
	}
	copy(payload, "end")
	if err := g.Encode(g, buffer, gopacket.SerializeOptions{}); err != nil || string(buffer.Bytes()) != "\x03\x01\x00end" {
		t.Errorf("%q, %v", buffer.Bytes(), err)
	}
}

// FixLength sets a length field to the layer's size minus less. Without the option FixLengths, or if the size does not
// fit, the field keeps its value.
func TestFixLength(t *testing.T) {
	g := &game{Size: 3, Code: 9}
	body := &wire.Undefined{}
	g.Body, g.Message = body, otherType
	fix := gopacket.SerializeOptions{FixLengths: true}
	for _, c := range []struct {
		opts       gopacket.SerializeOptions
		data, less int
		want       uint16
		err        error
	}{
		{gopacket.SerializeOptions{}, 1, 0, 7, nil},
		{fix, 1, 0, 3, nil},
		{fix, 1, 2, 1, nil},
		{fix, 1, 4, 0, nil},
		{fix, math.MaxUint16 - 2, 0, math.MaxUint16, nil},
		{fix, math.MaxUint16 - 1, 0, 7, wire.ErrTooLarge},
		{fix, math.MaxUint16 - 1, 1, math.MaxUint16, nil},
	} {
		body.Data = make([]byte, c.data)
		length := uint16(7)
		if err := g.FixLength(g, c.opts, &length, c.less); !errors.Is(err, c.err) || length != c.want {
			t.Errorf("%+v: length %d, %v", c, length, err)
		}
	}
	g.Body = nil
	if err := g.FixLength(g, fix, new(uint16), 0); err == nil {
		t.Error("a layer without a body has a length")
	}
}

// chain is a layer for datagrams that contain several messages.
type chain struct{ game }

var chained gopacket.LayerType

func init() { chained = wire.Register(1999, "Chained", func() wire.Layer { return new(chain) }) }

func (l *chain) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	return l.Decode(l, data, df)
}

func (l *chain) NextLayerType() gopacket.LayerType { return l.More(chained) }

// Each message of a datagram is a layer of the packet, up to the first message that cannot be decoded.
func TestRegisterMore(t *testing.T) {
	for _, c := range []struct {
		data   string
		layers int
		failed bool
	}{
		{"\x02\x02", 1, false},
		{"\x06\x01\x01a\x02b", 1, true},
		{"\x02\x02\x04\x02\x01\x00\x02\x02", 3, false},
		{"\x02\x02\x06\x01\x01a\x02b\x02\x02", 2, true},
	} {
		p := gopacket.NewPacket([]byte(c.data), chained, gopacket.Default)
		layers := len(p.Layers())
		if p.ErrorLayer() != nil {
			layers--
		}
		if layers != c.layers || (p.ErrorLayer() != nil) != c.failed {
			t.Errorf("%q: %v, error %v", c.data, p.Layers(), p.ErrorLayer())
		}
	}
	l := new(chain)
	for data, want := range map[string]gopacket.LayerType{"\x02\x02": gopacket.LayerTypeZero, "\x02\x02\x02": chained} {
		if err := l.DecodeFromBytes([]byte(data), gopacket.NilDecodeFeedback); err != nil || l.NextLayerType() != want {
			t.Errorf("%q: %v follows, %v", data, l.NextLayerType(), err)
		}
	}
}

// Decoding and annotating further messages with the same layer and tree does not allocate.
func TestDecodingDoesNotAllocate(t *testing.T) {
	g := new(game)
	var tree wire.Tree
	messages := [][]byte{[]byte("\x08\x01\x01a\x00\x02bc"), []byte("\x04\x02\x01\x00"), []byte("\x05\x09abc"), []byte("\x04\x01\x09a")}
	round := func() {
		for _, m := range messages {
			// Decode, not DecodeFromBytes, because making an error from a fault may allocate.
			_ = g.Decode(g, m, gopacket.NilDecodeFeedback)
			g.Annotate(g, &tree)
		}
	}
	round()
	if n := testing.AllocsPerRun(100, round); n > 1 { // one for the error that Decode returns
		t.Errorf("%v allocations", n)
	}
	checkTree(t, &tree, 4)
}
