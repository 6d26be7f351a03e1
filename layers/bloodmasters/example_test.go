package bloodmasters_test

import (
	"fmt"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/bloodmasters"
)

// A datagram may contain several messages. Each message is a separate layer.
func Example() {
	payload := []byte("\x07\x00\x0d\x00\x00\x03\xe8" + "\x07\x00\x0d\x00\x00\x03\xe9")
	packet := gopacket.NewPacket(payload, bloodmasters.LayerType, gopacket.Default)
	for _, l := range packet.Layers() {
		layer := l.(*bloodmasters.Layer)
		fmt.Println(layer.Message.Name, layer.Body.(*bloodmasters.ServerInfoRequest).Echo)
	}
	// Output:
	// ServerInfoRequest 1000
	// ServerInfoRequest 1001
}

// Requests and answers have the same code. A caller that knows the direction should set it.
func Example_direction() {
	var layer bloodmasters.Layer
	layer.Context.Direction = wire.FromServer
	payload := []byte("\x07\x00\x0d\x00\x00\x03\xe8")
	fmt.Println(layer.DecodeFromBytes(payload, gopacket.NilDecodeFeedback))
	for _, f := range layer.Findings() {
		fmt.Println(f.Rule.ID, f.Rule.Severity, f.Text)
	}
	// Output:
	// title at offset 7 needs 1 byte, 0 left
	// bloodmasters.length-mismatch error title at offset 7 needs 1 byte, 0 left
}

// With FixLengths, SerializeTo computes the length and counts the clients.
func ExampleLayer_SerializeTo() {
	layer := &bloodmasters.Layer{Code: bloodmasters.CodeServerInfo}
	layer.Body = &bloodmasters.ServerInfoReply{
		Echo: 1000, Title: []byte("Home"), MaxClients: 8, MaxPlayers: 6, Map: []byte("mayan"), NumPlayers: 1, Version: 29,
		Clients: []bloodmasters.Client{{Name: []byte("Ann"), Team: 1, Ping: 42}},
		Build:   []byte("test"),
	}
	buf := gopacket.NewSerializeBuffer()
	if err := layer.SerializeTo(buf, gopacket.SerializeOptions{FixLengths: true}); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%d bytes, %q\n", layer.Length, buf.Bytes()[31:])
	// Output:
	// 44 bytes, "\x03Ann\x01\x00\x00*\x04test"
}
