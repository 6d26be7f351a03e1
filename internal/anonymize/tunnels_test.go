package anonymize_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/ip/iptest"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/anonymize"
	"github.com/gamedissect/gamedissect/internal/testcapture"
	"github.com/gamedissect/gamedissect/layers"
)

// checkNoAddress looks for the addresses of a packet, and for those in the headers that iptest puts around it.
func checkNoAddress(t *testing.T, name string, packet, written []byte) {
	t.Helper()
	for _, secret := range [][]byte{packet[12:16], packet[16:20], {172, 16, 0, 1}, {172, 16, 0, 2}, {2, 0, 0, 0, 0, 1}} {
		if bytes.Contains(written, secret) {
			t.Fatalf("%s: %x is in\n%x", name, secret, written)
		}
	}
}

// namesOf returns the names of the messages in frames.
func namesOf(frames []decode.Frame) (all []string) {
	e := decode.New(decode.Options{Protocols: layers.All(), Message: func(m *decode.Message) { all = append(all, m.Name) }})
	for i := range frames {
		e.Frame(&frames[i])
	}
	e.Close()
	return all
}

// TestAnonymizeTunnels anonymizes a game in tunnels and Wi-Fi frames. It looks for addresses in the result, whether or
// not the game was recognised.
func TestAnonymizeTunnels(t *testing.T) {
	var plain []decode.Frame
	for _, f := range testcapture.Frames(t, "../../testdata/pcap/tribes-x-control.pcap") {
		if at, ok := ip.Locate(f.Link, f.Data, f.Length); ok {
			f.Data, f.Link = f.Data[at.Network:at.End], ip.LinkRaw
			f.Length = len(f.Data)
			plain = append(plain, f)
		}
	}
	want := namesOf(plain)
	for _, tunnel := range iptest.Tunnels() {
		wrapped := slices.Clone(plain)
		for i := range wrapped {
			f := &wrapped[i]
			f.Data, f.Link = tunnel.Wrap(f.Data), tunnel.Link
			f.Length, f.Number = len(f.Data), i+1
		}
		for _, protocols := range [][]*wire.Protocol{layers.All(), nil} {
			kept, r := rewritten(t, wrapped, anonymize.Options{Protocols: protocols, Key: []byte("key"), KeepOthers: true})
			for _, f := range kept {
				checkNoAddress(t, tunnel.Name, plain[f.Number-1].Data, f.Data)
			}
			if r.Wrapped > 0 {
				t.Errorf("%s: packets of games are left out: %+v", tunnel.Name, r)
			}
			if got := namesOf(kept); protocols != nil && !slices.Equal(got, want) {
				t.Errorf("%s: %d messages, not %d", tunnel.Name, len(got), len(want))
			}
		}
	}
}
