package bloodmasters_test

import (
	"encoding/binary"
	"net/netip"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers/bloodmasters"
)

func TestTalks(t *testing.T) { wiretest.Talks(t, bloodmasters.Protocol, samples+"/talks") }

// Very many askers, servers and echoes stay within a few MB, whether time stands still, as in the
// first half, or goes on.
func TestTrackerMemory(t *testing.T) {
	remarks := 0
	tracker := bloodmasters.Protocol.NewTracker(&wire.Reporter{Finding: func(*wire.TrafficFinding) { remarks++ }})
	var layer bloodmasters.Layer
	query := []byte("\x07\x00\x0d\x00\x00\x00\x00")
	reply := []byte("\x15\x00\x0d\x00\x00\x00\x00\x01S\x00\x00\x0a\x06\x00\x03map\x00\x00\x1a")
	many := int64(100_000)
	if wiretest.Full() {
		many = 1_000_000
	}
	show := func(data []byte, way wire.Direction, i uint32, src, dst netip.AddrPort) {
		binary.BigEndian.PutUint32(data[3:], i)
		layer.Context.Direction = way
		if err := layer.DecodeFromBytes(data, gopacket.NilDecodeFeedback); err != nil {
			t.Fatal(err)
		}
		now := max(0, int64(i)-many/2) * 1e6
		tracker.Time(now)
		tracker.Message(&layer, &wire.Place{Time: now, Src: src, Dst: dst})
	}
	before := wiretest.Heap()
	for i := range uint32(many) {
		asker := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), 4000)
		server := netip.AddrPortFrom(netip.AddrFrom4([4]byte{11, byte(i >> 16), byte(i >> 8), byte(i)}), 6969)
		show(query, wire.ToServer, i, asker, server)
		if i%2 == 0 {
			show(reply, wire.FromServer, i, server, asker)
		}
	}
	if grown := wiretest.Heap() - before; grown > 12<<20 {
		t.Errorf("the tracker holds %d bytes", grown)
	}
	tracker.Close(many * 1e6)
	if remarks == 0 {
		t.Error("no query was missed")
	}
}
