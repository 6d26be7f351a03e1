package bzflag24_test

import (
	"fmt"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/bzflag24"
)

// A splitter splits a server's stream into messages. A layer that knows the direction and the transport decodes them.
func Example() {
	sent := []byte("BZFS0221\x03" + "\x00\x01ac\x03" + "\x00\x08kl\x03\x01\x00\x01\x01\x00GM")

	stream := bzflag24.Protocol.NewSplitter()
	var layer bzflag24.Layer
	layer.Context = wire.Context{Direction: wire.FromServer, Transport: wire.TCP}
	for len(sent) > 0 {
		n := stream.Next(wire.FromServer, sent, true, new(wire.Progress))
		if err := layer.DecodeFromBytes(sent[:n], gopacket.NilDecodeFeedback); err != nil {
			fmt.Println(err)
			return
		}
		switch body := layer.Body.(type) {
		case *bzflag24.Killed:
			fmt.Printf("%s was killed by %s: %s with %s\n", &body.Victim, &body.Killer, body.Reason, body.FlagType)
		default:
			fmt.Println(layer.Message.Name)
		}
		sent = sent[n:]
	}
	// Output:
	// ServerHello
	// MsgAccept
	// 3 was killed by 1: GotShot with GM
}

// A layer also writes messages.
func ExampleLayer_SerializeTo() {
	ask := bzflag24.Layer{}
	ask.Code, ask.Body = bzflag24.CodeGetWorld, &bzflag24.WorldRequest{Offset: 1016}
	ask.Context.Direction = wire.ToServer
	buf := gopacket.NewSerializeBuffer()
	if err := ask.SerializeTo(buf, gopacket.SerializeOptions{FixLengths: true}); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("% x\n", buf.Bytes())
	// Output: 00 04 67 77 00 00 03 f8
}
