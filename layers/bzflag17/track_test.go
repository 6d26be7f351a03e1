package bzflag17_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"net/netip"
	"runtime"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers/bzflag17"
)

// The world database is no message; TestWorld breaks its rule.
func TestTracker(t *testing.T) {
	wiretest.Talks(t, bzflag17.Protocol, samples+"/talks", "bzflag17.world-structure")
}

// stage shows messages to a tracker.
type stage struct {
	layer   bzflag17.Layer
	tracker wire.Tracker
	place   wire.Place

	datagram wire.Datagram
}

func newStage() *stage {
	return &stage{tracker: bzflag17.Protocol.NewTracker(&wire.Reporter{})}
}

func (s *stage) say(when int64, src, dst netip.AddrPort, way wire.Direction, message []byte) {
	s.sayIn(nil, when, src, dst, way, message)
}

// sayIn shows a message to a session as well.
func (s *stage) sayIn(session wire.Session, when int64, src, dst netip.AddrPort, way wire.Direction, message []byte) {
	s.layer.Context = wire.Context{Transport: wire.TCP, Direction: way}
	d := &s.datagram
	*d = wire.Datagram{Src: src, Dst: dst, Payload: message}
	if session != nil {
		session.Before(&s.layer, d)
	}
	_ = s.layer.DecodeFromBytes(message, gopacket.NilDecodeFeedback)
	if session != nil {
		session.After(&s.layer, d)
	}
	s.place.Time, s.place.Src, s.place.Dst, s.place.Transport = when, src, dst, wire.TCP
	s.tracker.Time(when)
	s.tracker.Message(&s.layer, &s.place)
}

func message(code string, body ...byte) []byte {
	b := binary.BigEndian.AppendUint16(nil, uint16(len(body)))
	return append(append(b, code...), body...)
}

// TestTrackerIsBounded has masses of strangers: servers that say hello, clients that ask, shooters
// and players that nobody knows.
func TestTrackerIsBounded(t *testing.T) {
	n := 100_000
	if wiretest.Full() {
		n = 1_000_000
	}
	s := newStage()
	server := netip.MustParseAddrPort("192.0.2.1:5155")
	old := netip.MustParseAddrPort("192.0.2.2:4000")
	s.say(0, old, server, wire.ToServer, message("en", make([]byte, 172)...))
	s.say(0, server, old, wire.FromServer, message("ac"))
	s.say(0, server, old, wire.FromServer, message("ap", make([]byte, 176)...))
	before := heap()
	for i := range n {
		ip := [4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}
		a := netip.AddrPortFrom(netip.AddrFrom4(ip), 4000)
		now := int64(i) * 1000
		id := append(ip[:], 0, 1, 0, 0)
		s.say(now, a, old, wire.FromServer, append([]byte("BZFS107c"), 1, 2))
		s.say(now, a, server, wire.ToServer, message("gw", 0, 0))
		s.say(now, a, server, wire.ToServer, message("en", append(id, make([]byte, 164)...)...))
		s.say(now, server, old, wire.FromServer, message("ap", append(id, make([]byte, 168)...)...))
		s.say(now, server, old, wire.FromServer, message("sb", append(id, make([]byte, 36)...)...))
		s.say(now, server, old, wire.FromServer, message("mg", append(id, make([]byte, 138)...)...))
		s.say(now, old, a, wire.ToServer, message("of", byte(i>>8), byte(i)))
	}
	if grown := heap() - before; grown > 8<<20 {
		t.Errorf("the tracker grew by %d KB", grown>>10)
	}
	runtime.KeepAlive(s)
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestTrackerOnWildTimes shows the samples at times that no clock has.
func TestTrackerOnWildTimes(t *testing.T) {
	list, err := wiretest.Samples(samples)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	times := []int64{0, math.MinInt64, math.MaxInt64, -1, 1, 5e9, math.MaxInt64 - 1}
	ends := []netip.AddrPort{netip.MustParseAddrPort("192.0.2.1:5155"), netip.MustParseAddrPort("192.0.2.2:4000")}
	s := newStage()
	for range 20_000 {
		way, src, dst := wire.ToServer, ends[1], ends[0]
		if r.IntN(2) == 0 {
			way, src, dst = wire.FromServer, dst, src
		}
		s.say(times[r.IntN(len(times))], src, dst, way, list[r.IntN(len(list))].Data)
		if r.IntN(50) == 0 {
			s.tracker.Lost(&s.place)
		}
	}
	s.tracker.Close(math.MinInt64)
}

// TestTrackerCostsNothing wants what a game is mostly made of to cost no memory.
func TestTrackerCostsNothing(t *testing.T) {
	s := newStage()
	server, client := netip.MustParseAddrPort("192.0.2.1:5155"), netip.MustParseAddrPort("192.0.2.2:4000")
	id := []byte{192, 0, 2, 1, 0x14, 0x23, 0, 0}
	s.say(0, client, server, wire.ToServer, message("en", append(id, make([]byte, 164)...)...))
	s.say(0, server, client, wire.FromServer, message("ac"))
	s.say(0, server, client, wire.FromServer, message("ap", append(id, make([]byte, 168)...)...))
	s.say(0, client, server, wire.ToServer, message("nr"))
	update := message("pu", append(id, make([]byte, 34)...)...)
	if n := testing.AllocsPerRun(100, func() {
		s.say(1, client, server, wire.ToServer, update)
		s.say(1, server, client, wire.FromServer, update)
	}); n > 0 {
		t.Errorf("two updates cost %v allocations", n)
	}
}

// TestPlayerMemory measures what is remembered of a player whom a connection shows, and of its shot.
func TestPlayerMemory(t *testing.T) {
	const connections, players, most = 20, 200, 1024
	s := newStage()
	server := netip.MustParseAddrPort("192.0.2.1:5155")
	before := heap()
	for c := range connections {
		client := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 9, 0, byte(c)}), 4000)
		own := []byte{10, 9, 0, byte(c), 0, 1, 0, 0}
		s.place.Conversation = c
		s.say(0, client, server, wire.ToServer, message("en", append(own, make([]byte, 164)...)...))
		s.say(0, server, client, wire.FromServer, message("ac"))
		s.say(0, server, client, wire.FromServer, message("ap", append(own, make([]byte, 168)...)...))
		for i := range players {
			id := []byte{10, 8, 0, byte(i), 0, 1, 0, 0}
			s.say(0, server, client, wire.FromServer, message("ap", append(id, make([]byte, 168)...)...))
			s.say(0, server, client, wire.FromServer, message("sb", append(id, make([]byte, 36)...)...))
		}
	}
	each := (heap() - before) / (connections * players)
	t.Logf("%d bytes a player", each)
	if each > most {
		t.Errorf("a player takes %d bytes, at most %d are wanted", each, most)
	}
	runtime.KeepAlive(s)
}
