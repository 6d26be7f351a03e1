package wire_test

import (
	"fmt"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/print"
)

// A Greeting is the only message of a small protocol: a version of two bytes, a name with its length, and scores.
type Greeting struct {
	Version  uint16
	Name     []byte
	Count    uint8
	Scores   []Score
	Trailing []byte
}

// A Score contains how many games a player won and lost.
type Score struct{ Won, Lost uint8 }

func (s *Score) Walk(c *wire.Cursor) {
	wire.U8(c, "won", &s.Won)
	wire.U8(c, "lost", &s.Lost)
}

// Walk lists the fields. The same list is used to read, to write, to make trees and to describe the message.
func (g *Greeting) Walk(c *wire.Cursor) {
	wire.U16(c, "version", &g.Version)
	if g.Version != 3 {
		c.Report(ruleVersion, "version %d", g.Version)
	}
	wire.Text8(c, "name", &g.Name)
	wire.Count8(c, "count", &g.Count, len(g.Scores))
	wire.List(c, "scores", &g.Scores, wire.Count(g.Count), 2, (*Score).Walk)
	wire.Trailing(c, &g.Trailing)
}

var (
	ruleVersion = &wire.Rule{ID: "small.version", Severity: wire.Warning, Title: "a version other than 3",
		Why: "Programs of other versions lay out the scores in another way.", Source: "the document, section 1"}

	greeting = &wire.MessageType{Name: "Greeting", Body: wire.Like(Greeting{})}
	small    = wire.NewMessages(greeting)
)

// A Layer is the protocol's gopacket layer.
type Layer struct{ wire.Base }

// Walk selects the body, whose Walk lists the fields.
func (l *Layer) Walk(c *wire.Cursor) { l.Use(c, small, greeting).Walk(c) }

func (l *Layer) LayerType() gopacket.LayerType { return gopacket.LayerTypePayload }

func (l *Layer) CanDecode() gopacket.LayerClass { return gopacket.LayerTypePayload }

func (l *Layer) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	return l.Decode(l, data, df)
}

func (l *Layer) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	return l.Encode(l, b, opts)
}

// A protocol with one message. The message is read, printed with its bytes and findings, and written.
func Example() {
	var l Layer
	if err := l.DecodeFromBytes([]byte("\x00\x02\x03Ann\x02\x07\x00\x09\x01"), gopacket.NilDecodeFeedback); err != nil {
		fmt.Println(err)
	}
	var tree wire.Tree
	l.Annotate(&l, &tree)
	var printer print.Printer
	fmt.Printf("%s", printer.Append(nil, &tree, l.Contents, l.Findings()))

	l.Body = &Greeting{Version: 3, Name: []byte("Bob"), Scores: []Score{{1, 2}, {3, 4}}}
	b := gopacket.NewSerializeBuffer()
	if err := l.SerializeTo(b, gopacket.SerializeOptions{FixLengths: true}); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%q\n", b.Bytes())
	// Output:
	//         0-1  version               2
	//              ! small.version warning: version 2
	//         2-5  name                  "Ann"
	//           6  count                 2
	//         7-8  scores[0]             won 7  lost 0
	//        9-10  scores[1]             won 9  lost 1
	// "\x00\x03\x03Bob\x02\x01\x02\x03\x04"
}
