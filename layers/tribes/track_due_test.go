package tribes

import (
	"fmt"
	"math"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// traffic generates random packets.
type traffic struct {
	*rand.Rand
	now    int64
	layers []wire.Layer
}

func newTraffic(t *testing.T, seed uint64) *traffic {
	t.Helper()
	c := &traffic{Rand: rand.New(rand.NewPCG(1, seed))}
	for _, payload := range []string{
		"\x10\x03\xff\x00\x01\x00\x00\x00", "\x10\x03\xff\x00\x02\x00\x00\x00", "\x10\x03\x02\x00\x03\x00\x00\x00",
		"\x10\x06\x02\x02\x01\x00\x00\x66\x00\x01\x06\x7f\x0a\x00\x01\x61\x6d",
		"\x10\x06\x01\x02\x01\x00\x00\x66\x00\x00\x00\x00",
		"\x10\x06\x01\x01\x02\x00\x00\x66\x00\x00\x00\x00", "\x60\x00\x01", "\x10\x07\xff\x00\x01\x00\x00\x00",
	} {
		l := &Layer{Peers: Peers{Known: true, ToMaster: true}}
		if err := l.DecodeFromBytes([]byte(payload), gopacket.NilDecodeFeedback); err != nil {
			t.Fatalf("%x: %v", payload, err)
		}
		c.layers = append(c.layers, l)
	}
	return c
}

// next returns a random packet and its place, and advances the time. The packet is from or to a random client. The
// parameter is the number of clients.
func (c *traffic) next(clients int) (wire.Layer, wire.Place) {
	switch c.IntN(50) {
	case 0:
		c.now += int64(c.IntN(40)) * 1e9
	case 1, 2, 3:
		c.now += int64(c.IntN(12))*(sweepEvery/2) + int64(c.IntN(2))
	default:
		c.now += int64(c.IntN(3) * 1e6)
	}
	l := c.layers[c.IntN(len(c.layers))]
	who := wiretest.Host(10, c.IntN(clients), 4000)
	servers := []string{"10.1.0.1:28000", "10.1.0.2:28000", "255.255.255.255:28000"}
	p := wire.Place{Time: c.now, Src: who, Dst: netip.MustParseAddrPort(servers[c.IntN(len(servers))])}
	if _, reply := l.Core().Body.(*MasterListReply); reply {
		p.Src, p.Dst = p.Dst, p.Src
	}
	return l, p
}

// newReported returns a tracker, its budget, and the list to which it adds its reports.
func newReported() (t *tracker, memory *bounded.Budget, reported *[]string) {
	reported = new([]string)
	memory = bounded.NewBudget(100 << 10)
	t = newTracker(&wire.Reporter{Memory: memory,
		Finding: func(f *wire.TrafficFinding) {
			*reported = append(*reported, fmt.Sprint(f.Time, f.Src, f.Dst, f.Rule.ID, f.Text))
		},
		Value: func(v *wire.Value) {
			*reported = append(*reported, fmt.Sprint(v.Time, v.Dst, v.Server, v.What, v.Number))
		},
	}).(*tracker)
	return t, memory, reported
}

// onWheel returns the slots of all exchanges that are on the wheel.
func (t *tracker) onWheel() (slots []uint32) {
	for _, slot := range t.exchanges.wheel.days {
		for slot != 0 {
			slots = append(slots, slot)
			_, x := t.exchanges.byPair.At(slot)
			slot = x.after
		}
	}
	return slots
}

// sweepAll is like sweep, but checks all exchanges. It does nothing if a sweep is not due.
func (t *tracker) sweepAll(now int64) {
	if !t.time.started || now-t.time.swept <= sweepEvery {
		return
	}
	t.time.now, t.time.swept = now, now
	t.exchanges.byPair.Each(func(who pair, x *exchange) {
		t.exchanges.reportLate(who, x)
		if len(x.lists()) == 0 && now-x.used > memory {
			t.exchanges.unlink(x)
			t.exchanges.byPair.Delete(who)
		}
	})
	t.coverage.sweep()
}

// TestDeadlines compares a tracker with a model that checks all exchanges in each sweep. Both must report the same, in
// the same order.
func TestDeadlines(t *testing.T) {
	for seed := range uint64(30) {
		c := newTraffic(t, seed)
		if seed%3 == 0 {
			c.now = -40e9
		}
		tested, memory, reported := newReported()
		model, modelMemory, want := newReported()
		for range 3000 {
			l, p := c.next(200)
			model.sweepAll(c.now)
			for _, both := range []struct {
				*tracker
				*bounded.Budget
			}{{tested, memory}, {model, modelMemory}} {
				both.Time(c.now)
				both.Turn()
				both.Message(l, &p)
			}
			if n := len(tested.onWheel()); n != tested.exchanges.byPair.Len() {
				t.Fatalf("%d of %d exchanges are on the wheel", n, tested.exchanges.byPair.Len())
			}
			if tested.exchanges.byPair.Len() != model.exchanges.byPair.Len() {
				t.Fatalf("%d exchanges, want %d", tested.exchanges.byPair.Len(), model.exchanges.byPair.Len())
			}
		}
		c.now += sweepEvery + 1
		tested.Close(c.now)
		model.sweepAll(c.now)
		model.Close(c.now)
		if !slices.Equal(*reported, *want) || len(*reported) < 300 {
			t.Fatalf("seed %d: %d reports, the model has %d", seed, len(*reported), len(*want))
		}
		if len(memory.Forgotten()) == 0 {
			t.Error("the budget dropped no entry")
		}
	}
}

// TestDeadlinesExtremeTimes checks the wheel with the smallest and the largest times.
func TestDeadlinesExtremeTimes(t *testing.T) {
	c := newTraffic(t, 1)
	for _, now := range []int64{math.MinInt64, math.MaxInt64 - 31e9, math.MaxInt64 - 1e9} {
		tracker, _, _ := newReported()
		for i := range int64(100) {
			l, p := c.next(200)
			tracker.Time(now + i*9e6)
			tracker.Message(l, &p)
		}
		tracker.Time(math.MaxInt64)
		tracker.Close(math.MaxInt64)
		if n := len(tracker.onWheel()); n != tracker.exchanges.byPair.Len() {
			t.Errorf("%d of %d exchanges are on the wheel", n, tracker.exchanges.byPair.Len())
		}
	}
}

// TestWorkDoesNotGrow checks that each exchange is examined only a few times, no matter how many there are. One client
// continues while the exchanges of all others are still stored.
func TestWorkDoesNotGrow(t *testing.T) {
	c := newTraffic(t, 1)
	ping := c.layers[6]
	for _, many := range []int{100, 1000, 10_000} {
		tracker := newTracker(new(wire.Reporter)).(*tracker)
		now := int64(0)
		send := func(i int) {
			tracker.Time(now)
			to := netip.MustParseAddrPort("10.1.0.1:28001")
			tracker.Message(ping, &wire.Place{Time: now, Src: wiretest.Host(10, i, 4000), Dst: to})
		}
		for i := range many {
			send(i)
		}
		const ticks = 50 // few enough that all exchanges are still stored
		for range ticks {
			now += sweepEvery + 1
			send(0)
		}
		if n := tracker.exchanges.byPair.Len(); n != many {
			t.Fatalf("%d exchanges, want %d", n, many)
		}
		if most := 3*many + 3*ticks; tracker.exchanges.wheel.seen > most {
			t.Errorf("%d exchanges were examined %d times, want at most %d", many, tracker.exchanges.wheel.seen, most)
		}
	}
}

// TestMissing adds random packets to a list, and compares the missing packets with a table.
func TestMissing(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		l := &list{came: 1, least: uint8(r.IntN(12))}
		var came [14]bool
		for range r.IntN(12) {
			number := uint8(1 + r.IntN(13))
			at, found := l.find(number)
			if found != came[number] {
				t.Fatalf("packet %d: found is %t", number, found)
			}
			if came[number] = true; !found {
				l.packets = slices.Insert(l.packets, at, listPacket{number: number})
			}
			missing, first := 0, 0
			for i := int(l.least); i > 0; i-- {
				if !came[i] {
					missing, first = missing+1, i
				}
			}
			if n, f := l.missing(); n != missing || n > 0 && f != first || l.complete() != (n == 0) {
				t.Fatalf("%d packets are missing, the first is %d; want %d, %d", n, f, missing, first)
			}
		}
	}
}

// TestServerSet compares a serverSet with a map.
func TestServerSet(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, most := range []int{1, 12, 100, 5000} {
		var set serverSet
		want := make(map[Server]bool)
		for range 3 * most {
			s := Server{IP: [4]byte{10, 0, byte(r.IntN(most) >> 8), byte(r.IntN(most))}, Port: uint16(r.IntN(3))}
			if set.has(&s) != want[s] {
				t.Fatalf("%v: has is %t", s, !want[s])
			}
			if len(want) < most {
				set.reserve(len(want) + 1)
				if set.add(&s) == want[s] {
					t.Fatalf("%v: add returned %t", s, want[s])
				}
				want[s] = true
			}
		}
		if set.used != len(want) || len(set.places) > max(16, 4*len(want)) {
			t.Errorf("%d of %d servers in %d places", set.used, len(want), len(set.places))
		}
	}
	full := serverSet{places: make([]uint64, 16)}
	for i := range 100 {
		full.add(&Server{Port: uint16(i)})
	}
	if full.used != full.room() || full.has(&Server{Port: 99}) {
		t.Errorf("%d servers in %d places", full.used, len(full.places))
	}
}
