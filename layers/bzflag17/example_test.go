package bzflag17_test

import (
	"fmt"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/bzflag17"
)

// A splitter splits a server's stream into messages, and a layer decodes them. The layer must know the direction. Each
// player id in the output is the address and port of a client, and a number.
func Example() {
	sent := []byte("BZFS107e\x14\x24" + "\x00\x12kl\x7f\x00\x00\x01\xbe\xff\x00\x00\x7f\x00\x00\x01\xd4\x79\x00\x00\xff\xff")

	splitter := bzflag17.Protocol.NewSplitter()
	var layer bzflag17.Layer
	layer.Context = wire.Context{Direction: wire.FromServer, Transport: wire.TCP}
	for len(sent) > 0 {
		n := splitter.Next(wire.FromServer, sent, true, new(wire.Progress))
		if err := layer.DecodeFromBytes(sent[:n], gopacket.NilDecodeFeedback); err != nil {
			fmt.Println(err)
			return
		}
		switch body := layer.Body.(type) {
		case *bzflag17.Killed:
			fmt.Printf("%s was killed by %s, run over: %v\n", &body.Victim, &body.Killer, body.ShotID == bzflag17.NoShot)
		default:
			fmt.Println(layer.Message.Name)
		}
		sent = sent[n:]
	}
	// Output:
	// ServerHello
	// 127.0.0.1:48895:0 was killed by 127.0.0.1:54393:0, run over: true
}

// A layer also writes messages. FixLengths sets the length of the body.
func ExampleLayer_SerializeTo() {
	var layer bzflag17.Layer
	layer.Code, layer.Body = bzflag17.CodeGetWorld, &bzflag17.WorldRequest{Offset: 512}
	layer.Context.Direction = wire.ToServer
	buf := gopacket.NewSerializeBuffer()
	if err := layer.SerializeTo(buf, gopacket.SerializeOptions{FixLengths: true}); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("% x\n", buf.Bytes())
	// Output:
	// 00 02 67 77 02 00
}
