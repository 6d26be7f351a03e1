package bloodmasters_test

import (
	"net/netip"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers/bloodmasters"
)

func TestTalks(t *testing.T) { wiretest.Talks(t, bloodmasters.Protocol, samples+"/talks") }

// TestTrackerForgets checks that the tracker drops old queries, so a long capture does not fill the memory budget.
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
		asker := wiretest.Host(10, i, 4000)
		tracker.Time(now)
		tracker.Message(&layer, &wire.Place{Time: now, Src: asker, Dst: server})
	}
	for i := range 1000 {
		ask(i, int64(i)*1e7)
		ask(i/7, int64(i)*1e7)
	}
	if budget.Used() < 100_000 {
		t.Errorf("%d bytes are in use while the queries are recent, want at least 100,000", budget.Used())
	}
	tracker.Time(200e9)
	if budget.Used() > 200 { // the state of the server remains
		t.Errorf("%d bytes are in use after the queries expired, want at most 200", budget.Used())
	}
}
