package layers_test

import (
	"testing"

	"github.com/google/gopacket"
	golayers "github.com/google/gopacket/layers"

	"github.com/gamedissect/gamedissect/internal/testcapture"
	"github.com/gamedissect/gamedissect/layers/bzflag24"
)

// TestNewPacketOverTCP: if told to, gopacket treats each segment as a datagram. The transport of a message is then
// unknown, so no message is reported for travelling by UDP.
func TestNewPacketOverTCP(t *testing.T) {
	golayers.RegisterTCPPortLayerType(bzflag24.Port, bzflag24.LayerType)
	messages := 0
	for _, f := range testcapture.Frames(t, "../testdata/pcap/bz24-ctf-capture.pcap") {
		p := gopacket.NewPacket(f.Data, golayers.LinkType(f.Link), gopacket.DecodeOptions{DecodeStreamsAsDatagrams: true})
		for _, l := range p.Layers() {
			l, ok := l.(*bzflag24.Layer)
			if !ok {
				continue
			}
			messages++
			for _, found := range l.Findings() {
				if found.Rule.ID == "bzflag24.udp-code" {
					t.Fatalf("packet %d: %s: %s", f.Number, l.Message.Name, found.Text)
				}
			}
		}
	}
	if messages < 1000 {
		t.Errorf("only %d messages", messages)
	}
}
