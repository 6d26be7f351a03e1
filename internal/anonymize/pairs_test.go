package anonymize

import (
	"bytes"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// infoLayer is the layer of a message that consists of pairs.
type infoLayer struct{ wire.Base }

type info struct{ Pairs []wire.Pair }

func (i *info) Walk(c *wire.Cursor) { wire.Pairs(c, "info", &i.Pairs, `\`) }

var (
	infoType     = &wire.MessageType{Name: "Info", Body: wire.Like(info{})}
	infoMessages = wire.NewMessages(infoType)
)

func (l *infoLayer) Walk(c *wire.Cursor)            { l.Use(c, infoMessages, infoType).Walk(c) }
func (l *infoLayer) LayerType() gopacket.LayerType  { return gopacket.LayerTypePayload }
func (l *infoLayer) CanDecode() gopacket.LayerClass { return gopacket.LayerTypePayload }

func (l *infoLayer) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	return l.Decode(l, data, df)
}

func (l *infoLayer) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	return l.Encode(l, b, opts)
}

// TestPairs checks that the keys of pairs and the public values are kept, and that the message decodes as before.
func TestPairs(t *testing.T) {
	p := &wire.Protocol{
		Name: "toy", Messages: infoMessages, New: func() wire.Layer { return new(infoLayer) },
		Probe:   func(*wire.Probe) wire.Verdict { return wire.Verdict{} },
		Private: wire.Privacies{"info.map": wire.Public},
	}
	a := New(Options{Protocols: []*wire.Protocol{p}, Key: []byte("k")})
	data := []byte(`\map\dm1\hostname\Home`)
	l := p.New()
	if err := l.DecodeFromBytes(data, gopacket.NilDecodeFeedback); err != nil {
		t.Fatal(err)
	}
	out := a.rewrite(&decode.Message{Place: wire.Place{Protocol: p, Transport: wire.TCP}, Name: "Info", Data: data, Layer: l}, false)
	name, kept := bytes.CutPrefix(out, []byte(`\map\dm1\hostname\`))
	if !kept || len(name) != len("Home") || bytes.Equal(name, []byte("Home")) || a.report.Foreign > 0 {
		t.Errorf("%q, %+v", out, a.report)
	}
}
