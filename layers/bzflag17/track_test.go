package bzflag17_test

import (
	"encoding/binary"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers/bzflag17"
)

// TestTracker checks the findings about sequences of messages. It omits the rule about the structure of the world,
// because the world database is not a message. TestWorld covers this rule.
func TestTracker(t *testing.T) {
	wiretest.Talks(t, bzflag17.Protocol, samples+"/talks", "bzflag17.world-structure")
}

// stage passes messages to a tracker.
type stage struct {
	layer   bzflag17.Layer
	tracker wire.Tracker
	place   wire.Place
	memory  *bounded.Budget

	datagram wire.Datagram
}

func newStage() *stage {
	memory := bounded.NewBudget(bounded.DefaultMemory)
	return &stage{tracker: bzflag17.Protocol.NewTracker(&wire.Reporter{Memory: memory}), memory: memory}
}

// send passes a message to a session and to the tracker.
func (s *stage) send(session wire.Session, when int64, src, dst netip.AddrPort, way wire.Direction, message []byte) {
	s.layer.Context = wire.Context{Transport: wire.TCP, Direction: way}
	d := &s.datagram
	*d = wire.Datagram{Src: src, Dst: dst, Payload: message, Lane: s.place.Lane}
	session.Before(&s.layer, d)
	_ = s.layer.DecodeFromBytes(message, gopacket.NilDecodeFeedback)
	session.After(&s.layer, d)
	s.place.Time, s.place.Src, s.place.Dst, s.place.Transport = when, src, dst, wire.TCP
	s.memory.Turn()
	s.tracker.Time(when)
	s.tracker.Message(&s.layer, &s.place)
}

func message(code string, body ...byte) []byte {
	b := binary.BigEndian.AppendUint16(nil, uint16(len(body)))
	return append(append(b, code...), body...)
}

// TestTrackerAllocations checks that the most frequent messages of a game do not allocate. If no values are collected,
// no message may allocate. (The texts of values are allocated.)
func TestTrackerAllocations(t *testing.T) {
	update := u16(1) + zeros(32)
	spawns := []timed{byCli("al", place), bySrv("al", bob+place)}
	own := []timed{byCli("pu", ann+update), byCli("sb", shotOf(ann, 1, 0)), byCli("se", bob+u16(1, 0))}
	others := []timed{bySrv("pu", bob+update), bySrv("sb", shotOf(bob, 1, 0)), bySrv("se", ann+u16(1, 0))}
	all := slices.Concat(spawns, own, []timed{byCli("sc", u16(0, 0)), byCli("kl", bob+u16(0xffff))}, others, []timed{
		bySrv("sc", bob+u16(0, 0)), bySrv("kl", bob+ann+u16(1)), updated(0, 5, 1, bob), grabbed(bob, 1, 5),
	})
	values := 0
	checkAllocations(t, spawns, slices.Concat(own, others), &wire.Reporter{Value: func(*wire.Value) { values++ }})
	checkAllocations(t, nil, all, &wire.Reporter{})
	if values == 0 {
		t.Error("no values were reported")
	}
}

// checkAllocations plays some messages once. Then it checks that repeating the messages in list does not allocate.
func checkAllocations(t *testing.T, before, list []timed, r *wire.Reporter) {
	t.Helper()
	f := newFlood(bounded.DefaultMemory)
	r.Memory = f.memory
	f.tracker = bzflag17.Protocol.NewTracker(r)
	c, s := wiretest.Host(10, 0, 4000), wiretest.Host(11, 0, 5155)
	f.client(c, s, "en", ann+u16(0, 1)+"Ann"+zeros(157))
	f.server(s, c, "ac", "")
	f.player(s, c, ann)
	f.player(s, c, bob)
	f.client(c, s, "nr", "")
	play := func(list []timed) {
		f.now += 6 * int64(time.Second)
		for _, m := range list {
			src, dst, way := c, s, wire.ToServer
			if !m.toServer {
				src, dst, way = s, c, wire.FromServer
			}
			f.send(f.session, f.now, src, dst, way, m.bytes)
			for _, r := range f.layer.Findings() {
				t.Fatalf("%s: %s", r.Rule.ID, r.Text)
			}
		}
	}
	play(before)
	for range 100 {
		play(list) // until there is room for all shots
	}
	if n := testing.AllocsPerRun(100, func() { play(list) }); n > 0 {
		t.Errorf("%d messages cause %v allocations", len(list), n)
	}
}
