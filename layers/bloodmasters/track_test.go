package bloodmasters_test

import (
	"encoding/binary"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers/bloodmasters"
)

func TestTalks(t *testing.T) { wiretest.Talks(t, bloodmasters.Protocol, samples+"/talks") }

// Very many askers, servers and echoes stay within the budget, whether time stands still, as in the first half, or
// goes on, and what they take is about what the budget is told.
func TestTrackerMemory(t *testing.T) {
	remarks := 0
	budget := bounded.NewBudget(16 << 20)
	tracker := bloodmasters.Protocol.NewTracker(&wire.Reporter{Memory: budget,
		Finding: func(*wire.TrafficFinding) { remarks++ }})
	var layer bloodmasters.Layer
	query := []byte("\x07\x00\x0d\x00\x00\x00\x00")
	title := strings.Repeat("T", 100)
	reply := []byte("\x79\x00\x0d\x00\x00\x00\x00\x65S" + title + "\x00\x00\x0a\x06\x00\x03map\x00\x00\x1a")
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
		budget.Turn()
		tracker.Time(now)
		tracker.Message(&layer, &wire.Place{Time: now, Src: src, Dst: dst})
	}
	before := wiretest.Heap()
	check := func() {
		grown := wiretest.Heap() - before
		if grown > 24<<20 {
			t.Errorf("the tracker holds %d bytes", grown)
		}
		if used := int64(budget.Used()); used < grown*2/3 || used > grown*3/2 {
			t.Errorf("the tracker holds %d bytes, the budget was told %d", grown, used)
		}
	}
	for i := range uint32(many) {
		asker := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), 4000)
		server := netip.AddrPortFrom(netip.AddrFrom4([4]byte{11, byte(i >> 16), byte(i >> 8), byte(i)}), 6969)
		show(query, wire.ToServer, i, asker, server)
		if i%2 == 0 {
			show(reply, wire.FromServer, i, server, asker)
		}
		if int64(i) == many/2 {
			check()
		}
	}
	check()
	tracker.Close(many * 1e6)
	if remarks == 0 {
		t.Error("no query was missed")
	}
}

// What does not count any more is forgotten by itself: a long capture fills no budget with it.
func TestTrackerForgets(t *testing.T) {
	budget := bounded.NewBudget(bounded.DefaultMemory)
	tracker := bloodmasters.Protocol.NewTracker(&wire.Reporter{Memory: budget})
	var layer bloodmasters.Layer
	server := netip.MustParseAddrPort("11.0.0.1:6969")
	ask := func(i int, now int64) {
		query := []byte("\x07\x00\x0d\x00\x00\x00\x00")
		if i%3 == 0 {
			query = []byte("\x03\x00\x0d") // without an echo
		}
		layer.Context.Direction = wire.ToServer
		_ = layer.DecodeFromBytes(query, gopacket.NilDecodeFeedback)
		asker := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), 4000)
		tracker.Time(now)
		tracker.Message(&layer, &wire.Place{Time: now, Src: asker, Dst: server})
	}
	for i := range 1000 {
		ask(i, int64(i)*1e7)
		ask(i/7, int64(i)*1e7)
	}
	if budget.Used() < 100_000 {
		t.Errorf("%d bytes are in use of what counts", budget.Used())
	}
	tracker.Time(200e9)
	if budget.Used() != 0 {
		t.Errorf("%d bytes are in use of what does not count any more", budget.Used())
	}
}
