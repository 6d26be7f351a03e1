package bzflag24_test

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/bzflag24"
)

// ordered returns updates from the client over UDP with the given order numbers. They are a tenth of a second apart.
func ordered(orders ...byte) (list []said) {
	for i, order := range orders {
		list = append(list, update(order).later(time.Duration(i)*time.Second/10))
	}
	return list
}

// asRelayed turns updates from the client into updates of player 6 that the server relays.
func asRelayed(list []said) []said {
	list = slices.Clone(list)
	for i := range list {
		m := []byte(list[i].message)
		m[8] = 6
		list[i].message, list[i].toServer = string(m), false
	}
	return list
}

// until appends updates that come two and three seconds later. By then, the tracker has reported earlier missing
// numbers.
func until(list []said, orders ...byte) []said {
	for i, order := range orders {
		list = append(list, update(order).later(time.Duration(i+2)*time.Second))
	}
	return list
}

// TestMissing plays updates with real and with apparent gaps.
func TestMissing(t *testing.T) {
	hole := until(ordered(1, 2, 5, 6), 7, 8)
	others := slices.Concat(joined, []said{added(6, 1), born(6)})
	cut := func(s said) said { s.message = s.message[:6]; return s }
	watched := slices.Concat(joined, []said{born(5)})
	watched = append(watched, joinsToo()...)
	for i, s := range hole {
		if watched = append(watched, s); i != 1 {
			s.toServer, s.other = false, true
			watched = append(watched, s)
		}
	}
	for _, c := range []struct {
		name string
		said []said
		want []string
		lack float64
	}{
		{"none", append(slices.Clone(joined), until(ordered(1, 2, 3), 4, 5)...), nil, 0},
		{"one", append(slices.Clone(joined), until(ordered(1, 3), 4, 5)...), []string{"update 2 of 5"}, 1},
		{"two", append(slices.Clone(joined), hole...), []string{"updates 3 to 4 of 5"}, 2},
		{"two holes", append(slices.Clone(joined), until(ordered(1, 3, 5), 6, 7)...), []string{"2 of the updates 2 to 4 of 5"}, 2},
		{"out of order", append(slices.Clone(joined), until(ordered(1, 4, 3, 2, 6, 5), 7, 8)...), nil, 0},
		{"twice", append(slices.Clone(joined), until(ordered(1, 1, 3, 3), 4, 5)...), []string{"update 2 of 5"}, 1},
		{"too soon to decide", append(slices.Clone(joined), ordered(1, 2, 5, 6)...), nil, 0},
		{"some over TCP between", append(slices.Clone(joined), until(append(ordered(1, 2), tcp(update(3)), tcp(update(4)), update(5)), 6, 7)...), nil, 0},
		{"more than the tracker remembers", append(slices.Clone(joined), until(ordered(1, 200), 201, 202)...), []string{"updates 2 to 72 of 5", "updates 73 to 199 of 5"}, 198},
		{"a jump of the numbers", append(slices.Clone(joined), until(append(ordered(1), far()), 2, 3)...), nil, 0},
		{"a truncated update between", append(slices.Clone(joined), until([]said{update(1), cut(update(2)), update(3)}, 4, 5)...), nil, 0},
		{"relayed", append(slices.Clone(others), asRelayed(hole)...), []string{"updates 3 to 4 of 6"}, 2},
		{"relayed, of a player who never spawned", append(slices.Concat(joined, []said{added(6, 1)}), asRelayed(hole)...), nil, 0},
		{"relayed, before a death and after it", slices.Concat(others, asRelayed(hole[:2]), []said{killed(6), born(6)}, asRelayed(hole[2:])), nil, 0},
		{"relayed, and received from the client", watched, []string{"updates 3 to 4 of 5", "update 2 of 5"}, 2},
		{"pings", append(slices.Clone(joined), pingAt(1, 0), pingAt(2, 10), pingAt(4, 30), pingAt(5, 40)), []string{"lag ping 3", "bzflag24.lost-pingsplayer 5: 3 of 3 lag pings without an echo"}, 0},
		{"pings that come too soon", append(slices.Clone(joined), pingAt(1, 0), pingAt(3, 10)), nil, 0},
		{"pings by TCP", append(slices.Clone(joined), pingAt(1, 0), tcp(pingAt(3, 20))), nil, 0},
	} {
		var reported []string
		var lack float64
		k := newListener()
		k.tracker = bzflag24.Protocol.NewTracker(&wire.Reporter{
			Loss: &wire.Rule{ID: "loss"},
			Finding: func(f *wire.TrafficFinding) {
				reported = append(reported, strings.TrimPrefix(f.Rule.ID, "loss")+f.Text)
			},
			Value: func(v *wire.Value) {
				if v.What == "missing" {
					lack += v.Number
				}
			},
		})
		for _, s := range c.said {
			k.hear(s)
		}
		k.tracker.Close(math.MaxInt64)
		if !slices.Equal(reported, c.want) || lack != c.lack {
			t.Errorf("%s: reported %q, want %q; %v are missing, want %v", c.name, reported, c.want, lack, c.lack)
		}
	}
}

// joinsToo returns the messages with which player 6 joins on another connection, while player 5 is alive.
func joinsToo() []said {
	list := []said{byCli("BZFLAG\r\n\r\n"), bySrv("BZFS0221\x06"), enters, bySrv(message("ac", "\x06")), added(5, 1), added(6, 1), born(5)}
	for i := range list {
		list[i].other = true
	}
	return list
}

// far returns an update with a number so high that lost updates cannot explain it.
func far() said {
	m := []byte(update(0).message)
	m[10] = 9
	return said{message: string(m), toServer: true, udp: true}
}

// pingAt returns a lag ping over UDP, after some seconds.
func pingAt(n, seconds int) said {
	return lagPing(n).overUDP().later(time.Duration(seconds) * time.Second)
}

// TestMissingAfter puts a gap in the capture or in a stream between two updates. The gap explains the missing updates,
// so the tracker must not report them.
func TestMissingAfter(t *testing.T) {
	for _, c := range []struct {
		name string
		lose func(k *listener)
		want int
	}{
		{"nothing", func(*listener) {}, 1},
		{"a jump", func(k *listener) { k.tracker.Jump(int64(time.Hour)) }, 0},
		{"a lost segment", func(k *listener) {
			k.tracker.Lost(&wire.Place{Transport: wire.TCP, Src: client, Dst: server, Time: int64(time.Hour)})
		}, 0},
	} {
		n := 0
		k := newListener()
		k.tracker = bzflag24.Protocol.NewTracker(&wire.Reporter{Loss: &wire.Rule{}, Finding: func(*wire.TrafficFinding) { n++ }})
		hole := until(ordered(1, 2, 5, 6), 7, 8)
		for i, s := range slices.Concat(joined, hole) {
			if i == len(joined)+2 {
				c.lose(k)
			}
			k.hear(s)
		}
		if n != c.want {
			t.Errorf("%s: %d findings", c.name, n)
		}
	}
}

// stamped returns an update with a time of the client's clock, in tenths of a second.
func stamped(order byte, tenths int) said {
	m := []byte(update(order).message)
	binary.BigEndian.PutUint32(m[4:], math.Float32bits(float32(tenths)/10))
	return said{message: string(m), toServer: true, udp: true}
}

// TestJitter plays updates whose intervals on arrival differ from the intervals at which the client sent them.
func TestJitter(t *testing.T) {
	const tenth = time.Second / 10
	for _, c := range []struct {
		name string
		said []said
		want float64 // in milliseconds
	}{
		{"none", []said{stamped(1, 10), stamped(2, 11).later(tenth), stamped(3, 12).later(2 * tenth)}, 0},
		{"one is late", []said{stamped(1, 10), stamped(2, 11).later(tenth + 40*time.Millisecond)}, 40},
		{"one is early", []said{stamped(1, 10), stamped(2, 12).later(tenth)}, 100},
		{"the second difference weighs half", []said{stamped(1, 10), stamped(2, 11).later(3 * tenth), stamped(3, 12).later(4 * tenth)}, 200 * 0.99 / 1.99},
		{"after two seconds", []said{stamped(1, 10), stamped(2, 30).later(tenth)}, -1},
		{"an update that was overtaken", []said{stamped(2, 11), stamped(1, 10).later(tenth)}, -1},
		{"an invalid timestamp", []said{stamped(1, 10), {message: strings.Replace(stamped(2, 10).message, "\x3f\x80\x00\x00", "\x7f\xc0\x00\x00", 1), toServer: true, udp: true}}, -1},
	} {
		got := -1.0
		k := newListener()
		k.tracker = bzflag24.Protocol.NewTracker(&wire.Reporter{Value: func(v *wire.Value) {
			if v.What == "jitter" {
				got = v.Number * 1000
			}
		}})
		for _, s := range slices.Concat(joined, c.said) {
			k.hear(s)
		}
		k.tracker.Close(math.MaxInt64)
		if math.Abs(got-c.want) > 0.01 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestLoss checks the numbers of lost pings and updates in both directions.
func TestLoss(t *testing.T) {
	living := slices.Concat(joined, []said{added(6, 1), born(6)})
	leaves := tcp(said{message: message("ex", ""), toServer: true})
	removed := bySrv(message("rp", "\x06"))
	answer := func(n, seconds int) said { return tcp(lagAnswer(n)).later(time.Duration(seconds) * time.Second) }
	for _, c := range []struct {
		name string
		said []said
		want map[string]float64
	}{
		{"all echoed", []said{pingAt(1, 0), answer(1, 0), pingAt(2, 10), answer(2, 10)}, map[string]float64{"pings": 2, "lag": 0}},
		{"one of two", []said{pingAt(1, 0), pingAt(2, 10), answer(2, 10)}, map[string]float64{"pings": 2, "lost pings": 1, "lag": 0}},
		{"too late", []said{pingAt(1, 0), pingAt(2, 10), answer(1, 11)}, map[string]float64{"pings": 1, "lost pings": 1, "lag": 11}},
		{"never", []said{pingAt(1, 0), pingAt(2, 10), pingAt(3, 20)}, map[string]float64{"pings": 2, "lost pings": 2, "lag": 10}},
		{"a gap that is open when the player leaves", append(ordered(1, 2, 5), leaves), map[string]float64{"updates": 5, "missing": 2}},
		{"the same without leaving", ordered(1, 2, 5), map[string]float64{"updates": 3}},
		{"of another player who leaves", append(asRelayed(ordered(1, 2, 5)), removed), map[string]float64{"updates": 5, "missing": 2}},
		{"of another player who lives on", asRelayed(until(ordered(1, 2, 5), 6, 7)), map[string]float64{"updates": 7, "missing": 2}},
	} {
		got := make(map[string]float64)
		k := newListener()
		k.tracker = bzflag24.Protocol.NewTracker(&wire.Reporter{Value: func(v *wire.Value) {
			if slices.Contains([]string{"pings", "lost pings", "lag", "updates", "missing", "updates to", "missing to"}, v.What) {
				got[v.What] += v.Number
			}
		}})
		for _, s := range slices.Concat(living, c.said) {
			k.hear(s)
		}
		k.tracker.Close(math.MaxInt64)
		if !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestLossMidway begins in the middle of a game. Only the status in the updates shows whether the player is alive.
func TestLossMidway(t *testing.T) {
	for status, want := range map[byte]float64{1: 2, 0: 0} {
		got := 0.0
		k := newListener()
		k.tracker = bzflag24.Protocol.NewTracker(&wire.Reporter{Value: func(v *wire.Value) {
			if v.What == "missing" {
				got += v.Number
			}
		}})
		for i, s := range append([]said{gameTime(1)}, asRelayed(until(ordered(1, 2, 5), 6, 7))...) {
			m := []byte(s.message)
			if i > 0 {
				m[14] = status
			}
			s.message = string(m)
			k.hear(s)
		}
		k.tracker.Close(math.MaxInt64)
		if got != want {
			t.Errorf("status %d: %v are missing, want %v", status, got, want)
		}
	}
}

// TestLossTo omits updates that the server should relay to another client. A server need not relay an update that
// arrives after a newer one.
func TestLossTo(t *testing.T) {
	said := append(slices.Concat(joined, []said{born(5)}), joinsToo()...)
	for _, s := range until(ordered(1, 2, 4, 3, 5), 6, 7) {
		said = append(said, s)
		if n := s.message[12]; n != 2 && n != 3 {
			s.toServer, s.other = false, true
			said = append(said, s)
		}
	}
	got := make(map[string]float64)
	k := newListener()
	k.tracker = bzflag24.Protocol.NewTracker(&wire.Reporter{Value: func(v *wire.Value) { got[v.Who+" "+v.What] += v.Number }})
	for _, s := range said {
		k.hear(s)
	}
	k.tracker.Close(math.MaxInt64)
	if got["6 updates to"] != 6 || got["6 missing to"] != 1 || got["5 updates"] != 7 || got["5 missing"] != 0 {
		t.Error(got)
	}
}
