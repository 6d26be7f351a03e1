package iceball_test

import (
	"fmt"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/layers/iceball"
)

// Example decodes the payload of a UDP packet, in which a heartbeat server refuses an announce.
func Example() {
	payload := []byte("BADV\x02\x00\x23\x80\x80\x00")
	packet := gopacket.NewPacket(payload, iceball.LayerType, gopacket.Default)
	layer := packet.Layer(iceball.LayerType).(*iceball.Layer)
	refusal := layer.Body.(*iceball.BadVersion)
	fmt.Println(layer.Message.Name, refusal.Heartbeat, refusal.Version)
	// Output:
	// BadVersion 2 0.2.1-35
}

// SerializeTo writes a handshake, with which a game sends back its cookie.
func ExampleLayer_SerializeTo() {
	layer := &iceball.Layer{Magic: [4]byte([]byte("HSHK"))}
	layer.Body = &iceball.Cookie{Cookie: []byte{0x17, 0x55, 0x38, 0xf9}}
	buf := gopacket.NewSerializeBuffer()
	if err := layer.SerializeTo(buf, gopacket.SerializeOptions{}); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%q\n", buf.Bytes())
	// Output:
	// "HSHK\x17U8\xf9"
}
