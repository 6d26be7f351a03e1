package layers_test

import (
	"fmt"

	"github.com/google/gopacket"
	golayers "github.com/google/gopacket/layers"

	"github.com/gamedissect/gamedissect/layers"
)

// gopacket chooses a layer by the port, so the ports of all protocols must be registered. Package decode also checks
// the content.
func Example() {
	for _, p := range layers.All() {
		for _, port := range p.UDP {
			golayers.RegisterUDPPortLayerType(golayers.UDPPort(port), p.Type)
		}
	}
	datagram := []byte("\x1b\x35\x0f\xa0\x00\x0f\x00\x00" + "\x07\x00\x0d\x00\x00\x03\xe8") // from port 6965
	packet := gopacket.NewPacket(datagram, golayers.LayerTypeUDP, gopacket.Default)
	for _, l := range packet.Layers() {
		fmt.Println(l.LayerType())
	}
	// Output:
	// UDP
	// Bloodmasters
}

// A program can list the messages, fields and rules of a protocol without a packet.
func ExampleByName() {
	iceball := layers.ByName("iceball")
	for _, m := range iceball.Messages.All()[:1] {
		for _, f := range iceball.Describe(m)[:3] {
			fmt.Println(m.Name, f.Name, f.Kind, f.Bits)
		}
	}
	fmt.Println(iceball.Rules[0].ID, iceball.Rules[0].Severity)
	// Output:
	// Announce magic text 0
	// Announce hbversion unsigned 16
	// Announce ibversion unsigned 32
	// iceball.announce-length error
}
