package bzflag24_test

import (
	"net/netip"
	"runtime"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers/bzflag24"
)

// TestTalks does not test the rules about worlds, which come in several messages: see TestDownload.
func TestTalks(t *testing.T) {
	wiretest.Talks(t, bzflag24.Protocol, samples+"/talks")
}

// tracked passes messages to a tracker.
type tracked struct {
	layer   *bzflag24.Layer
	tracker wire.Tracker
	place   wire.Place

	memory       *bounded.Budget // the tracker's budget, if it is shared
	conversation int             // conversation of unknown hosts
}

func newTracked() *tracked {
	values := 0
	return &tracked{
		layer:   bzflag24.Protocol.New().(*bzflag24.Layer),
		tracker: bzflag24.Protocol.NewTracker(&wire.Reporter{Value: func(*wire.Value) { values++ }}),
	}
}

// says passes a message to the tracker. The message is from the client if way is ToServer, and otherwise from the
// server.
func (k *tracked) says(way wire.Direction, p wire.Place, message []byte) {
	k.layer.Context = wire.Context{Direction: way, Transport: p.Transport}
	_ = k.layer.DecodeFromBytes(message, gopacket.NilDecodeFeedback)
	if way == wire.ToServer {
		p.Src, p.Dst = p.Dst, p.Src
	}
	k.place = p
	if k.memory != nil {
		k.memory.Turn()
	}
	k.tracker.Message(k.layer, &k.place)
}

// numbered returns a distinct address for each number.
func numbered(i int) netip.AddrPort { return wiretest.Host(10, i, 5154) }

// TestTrackerAllocates checks that updates, the most frequent messages, do not allocate.
func TestTrackerAllocates(t *testing.T) {
	k := newTracked()
	p := wire.Place{Transport: wire.TCP, Src: server, Dst: client}
	k.says(wire.FromServer, p, []byte("BZFS0221\x05"))
	k.says(wire.FromServer, p, []byte(message("ac", "\x05")))
	update := []byte(message("ps", "\x00\x00\x00\x00\x05\x00\x00\x00\x00"+string(make([]byte, 18))))
	order := byte(0)
	if n := testing.AllocsPerRun(100, func() {
		order++
		update[12] = order
		p.Time += 1e9
		k.says(wire.ToServer, p, update)
	}); n > 0 {
		t.Errorf("%g allocations per update", n)
	}
}

// TestTrackerCut checks that a message that the snap length cut does not cause findings about later messages.
func TestTrackerCut(t *testing.T) {
	p := wire.Place{Transport: wire.TCP, Src: server, Dst: client}
	spawn, death := []byte(message("al", "\x05"+string(make([]byte, 16)))), []byte(message("kl", "\x05"+string(make([]byte, 7))))
	for _, cut := range []bool{false, true} {
		k := newTracked()
		k.says(wire.FromServer, p, spawn)
		if cut {
			k.layer.Context = wire.Context{Direction: wire.FromServer, Transport: wire.TCP, Missing: 6}
			_ = k.layer.DecodeFromBytes(death[:6], gopacket.NilDecodeFeedback)
			k.tracker.Message(k.layer, &p)
		}
		k.says(wire.FromServer, p, spawn)
		if found := len(k.layer.Findings()) > 0; found == cut {
			t.Errorf("cut: %t, a finding: %t", cut, found)
		}
	}
}

// TestPlayerMemory measures the memory for a player who is alive and shoots.
func TestPlayerMemory(t *testing.T) {
	const players, most = 200, 1024
	runs := 0
	k := newTracked()
	before := wiretest.Heap()
	for client := range 4 {
		p := wire.Place{Time: 1, Transport: wire.TCP, Conversation: client, Src: server, Dst: numbered(client)}
		for id := range players {
			spawn := []byte(message("al", string(rune(0))+string(make([]byte, 16))))
			spawn[4] = byte(id)
			k.says(wire.FromServer, p, spawn)
			shot := []byte(message("sb", "\x00\x00\x00\x00\x05"+string(make([]byte, 38))))
			shot[8], shot[10] = byte(id), byte(id)
			k.says(wire.FromServer, p, shot)
			runs++
		}
	}
	each := (wiretest.Heap() - before) / int64(runs)
	t.Logf("%d bytes per player", each)
	if each > most {
		t.Errorf("a player takes %d bytes, want at most %d", each, most)
	}
	runtime.KeepAlive(k)
}
