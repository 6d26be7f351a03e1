package anonymize

import (
	"bytes"
	"compress/zlib"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// An envelope contains a packed message (kind 'z'), or one of the two parts of a message (kinds '0' and '1').
type envelope struct {
	infoLayer
	wire.State[wire.Parts]
	Kind uint8
	Data []byte
}

var (
	outerType     = &wire.MessageType{Name: "Outer", Body: wire.Like(info{})}
	innerType     = &wire.MessageType{Name: "Inner", Body: wire.Like(info{})}
	innerMessages = wire.NewMessages(outerType, innerType)
)

func (l *envelope) Walk(c *wire.Cursor) {
	l.Use(c, innerMessages, outerType)
	wire.U8(c, "kind", &l.Kind)
	wire.Rest(c, "data", &l.Data)
	var whole []byte
	if l.Kind == 'z' {
		whole = c.Unpack("data", wire.Zlib, l.Data)
	} else {
		l.After, whole = l.Before.Join(c, 0, int(l.Kind-'0'), 2, l.Data)
	}
	c.Inside(whole, func(c *wire.Cursor) {
		if end := bytes.IndexByte(whole, '!'); end >= 0 {
			c.Limit(end)
		}
		l.Use(c, innerMessages, innerType).Walk(c)
	})
}

func (l *envelope) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	return l.Decode(l, data, df)
}

func zipped(text string) string {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = z.Write([]byte(text)) // never fails
	_ = z.Close()
	return b.String()
}

// If a field contains a message, it is replaced as a whole if anything in that message is private or was not decoded.
func TestInside(t *testing.T) {
	const open, named = `\map\canyon of the lost`, `\map\canyon of the lost\name\Alice in the hall`
	for _, c := range []struct {
		name, before, data string
		kept               bool
	}{
		{"packed", "", "z" + zipped(named), false},
		{"nothing private", "", "z" + zipped(open), true},
		{"bytes after it", "", "z" + zipped(open+"!Alice"), false},
		{"cut off", "", "z" + zipped(named)[:len(zipped(named))-8], false},
		{"the first part", "", "0" + named[:30], false},
		{"the last part", "0" + named[:30], "1" + named[30:], false},
		{"the last part, nothing private", "0" + open[:9], "1" + open[9:], true},
	} {
		p := &wire.Protocol{
			Name: "toy", Messages: innerMessages, New: func() wire.Layer { return new(envelope) },
			Private: wire.Privacies{"map": wire.Public, "data": wire.Public},
		}
		l := new(envelope)
		_ = l.DecodeFromBytes([]byte(c.before), gopacket.NilDecodeFeedback)
		l.Before = l.After
		_ = l.DecodeFromBytes([]byte(c.data), gopacket.NilDecodeFeedback) // one of the messages is truncated
		a := New(Options{Protocols: []*wire.Protocol{p}, Key: []byte("k")})
		out := a.rewrite(&decode.Message{Place: wire.Place{Protocol: p}, Name: l.Message.Name, Data: []byte(c.data), Layer: l}, false)
		same := 0
		for i := range out {
			if out[i] == c.data[i] && out[i] != 0 && out[i] != ' ' {
				same++
			}
		}
		if opaque := a.report.Opaque == 1; len(out) != len(c.data) || out[0] != c.data[0] || (same < len(out)/3) == c.kept ||
			opaque == c.kept || a.report.Foreign > 0 {
			t.Errorf("%s: %q became %q, of which %d bytes stayed; %+v", c.name, c.data, out, same, a.report)
		}
	}
}
