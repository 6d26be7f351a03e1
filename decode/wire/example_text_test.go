package wire_test

import (
	"bytes"
	"fmt"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

var (
	getInfo = &wire.MessageType{Name: "GetInfo", Direction: wire.ToServer, Body: wire.Like(GetInfo{})}
	info    = &wire.MessageType{Name: "Info", Direction: wire.FromServer, Body: wire.Like(Info{})}
	other   = &wire.MessageType{Name: "Unknown", Body: wire.Like(wire.Undefined{})}

	textMessages = wire.NewMessages(getInfo, info, other)

	ruleWord = &wire.Rule{
		ID: "example.word", Severity: wire.Warning,
		Title: "a message that is not defined", Why: "Receivers drop it.", Source: "document, list of messages",
	}
)

// TextLayer is one message of a text protocol. It begins with four bytes 0xff and a word that selects the type of the
// message.
type TextLayer struct {
	wire.Base
	Magic [4]byte
}

// Walk lists the fields of the header and of the body. The word belongs to the body.
func (l *TextLayer) Walk(c *wire.Cursor) {
	wire.Opaque(c, "magic", l.Magic[:])
	t := other
	if c.Reading() { // when writing, the body is already set
		switch p := c.Peek(); {
		case bytes.HasPrefix(p, []byte("getinfo\n")):
			t = getInfo
		case bytes.HasPrefix(p, []byte("info\n")):
			t = info
		default:
			if word, _, whole := bytes.Cut(p, []byte("\n")); whole || !c.Truncated() {
				c.ReportRange(ruleWord, c.Offset(), len(word), "%q is no word of the game", word)
			}
		}
		c.SetDirection(t.Direction)
	}
	l.Use(c, textMessages, t).Walk(c)
}

// GetInfo asks a server for its properties.
type GetInfo struct{ Word, Trailing []byte }

func (g *GetInfo) Walk(c *wire.Cursor) {
	wire.Until(c, "word", &g.Word, "\n")
	wire.Trailing(c, &g.Trailing)
}

// Info is the answer: "info\n\\map\\q3dm17\\bots\\0\n".
type Info struct {
	Word, End, Trailing []byte
	Info                []wire.Pair
}

func (i *Info) Walk(c *wire.Cursor) {
	wire.Until(c, "word", &i.Word, "\n")
	wire.Pairs(c, "info", &i.Info, `\`, "\n")
	wire.Until(c, "end", &i.End, "\n")
	wire.Trailing(c, &i.Trailing)
}

func (l *TextLayer) LayerType() gopacket.LayerType { return gopacket.LayerTypePayload }

func (l *TextLayer) CanDecode() gopacket.LayerClass { return gopacket.LayerTypePayload }

func (l *TextLayer) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	return l.Decode(l, data, df)
}

func (l *TextLayer) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	return l.Encode(l, b, opts)
}

// A text protocol in which a word selects the type of the message. The message contains keys and values.
func Example_text() {
	var l TextLayer
	data := []byte("\xff\xff\xff\xffinfo\n\\map\\q3dm17\\bots\\0\n")
	if err := l.DecodeFromBytes(data, gopacket.NilDecodeFeedback); err != nil {
		fmt.Println(err)
	}
	fmt.Println(l.Message.Name, l.Direction)
	for _, pair := range l.Body.(*Info).Info {
		fmt.Printf("%s is %s\n", pair.Key, pair.Value)
	}
	b := gopacket.NewSerializeBuffer()
	if err := l.SerializeTo(b, gopacket.SerializeOptions{}); err != nil {
		fmt.Println(err)
	}
	fmt.Println(bytes.Equal(b.Bytes(), data))
	// Output:
	// Info s2c
	// map is q3dm17
	// bots is 0
	// true
}
