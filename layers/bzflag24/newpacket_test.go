package bzflag24_test

import (
	"os"
	"testing"

	"github.com/google/gopacket"
	golayers "github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"

	"github.com/gamedissect/gamedissect/layers/bzflag24"
)

// TestNewPacketOverTCP sets the option with which gopacket treats each TCP segment as a datagram. The transport of
// messages is then unknown, so no message may be reported for using UDP.
func TestNewPacketOverTCP(t *testing.T) {
	golayers.RegisterTCPPortLayerType(bzflag24.Port, bzflag24.LayerType)
	f, err := os.Open("../../testdata/pcap/bz24-ctf-capture.pcap")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() }) // opened only for reading
	r, err := pcapgo.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	from := gopacket.NewPacketSource(r, r.LinkType())
	from.DecodeOptions = gopacket.DecodeOptions{DecodeStreamsAsDatagrams: true}
	packets, messages := 0, 0
	for p := range from.Packets() {
		packets++
		for _, l := range p.Layers() {
			l, ok := l.(*bzflag24.Layer)
			if !ok {
				continue
			}
			messages++
			for _, found := range l.Findings() {
				if found.Rule.ID == "bzflag24.udp-code" {
					t.Fatalf("packet %d: %s: %s", packets, l.Message.Name, found.Text)
				}
			}
		}
	}
	if messages < 1000 {
		t.Errorf("only %d messages", messages)
	}
}
