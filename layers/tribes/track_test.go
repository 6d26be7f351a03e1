package tribes_test

import (
	"maps"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers/tribes"
)

func TestTalks(t *testing.T) { wiretest.Talks(t, tribes.Protocol, "../../testdata/tribes/talks") }

// watcher passes packets to a tracker, and counts the findings by rule.
type watcher struct {
	layer   wire.Layer
	session wire.Session
	tracker wire.Tracker
	broken  map[string]int
}

func watch() *watcher {
	w := &watcher{layer: tribes.Protocol.New(), session: tribes.Protocol.NewSession(nil), broken: make(map[string]int)}
	w.tracker = tribes.Protocol.NewTracker(&wire.Reporter{Finding: func(r *wire.TrafficFinding) { w.broken[r.Rule.ID]++ }})
	return w
}

// send passes a packet to the session and the tracker, and counts the findings.
func (w *watcher) send(when int64, src, dst netip.AddrPort, payload string) {
	d := &wire.Datagram{Src: src, Dst: dst, Payload: []byte(payload)}
	w.session.Before(w.layer, d)
	_ = w.layer.DecodeFromBytes(d.Payload, gopacket.NilDecodeFeedback) // errors are expected
	w.session.After(w.layer, d)
	w.tracker.Message(w.layer, &wire.Place{Time: when, Src: src, Dst: dst, Protocol: tribes.Protocol})
	for _, f := range w.layer.Core().Findings() {
		w.broken[f.Rule.ID]++
	}
}

const second = int64(1e9)

// TestServersAreBounded checks that the memory for the servers of a very large list is bounded.
func TestServersAreBounded(t *testing.T) {
	before := wiretest.Heap()
	w := watch()
	w.tracker.Time(0)
	w.send(10*second, client, master, "\x10\x03\xff\x00\x01\x00\x00\x00")
	for n := range 255 {
		const most = 2 << 20
		if n == 254 { // measured here, because the last packet frees the servers
			if grown := wiretest.Heap() - before; grown > most {
				t.Errorf("the tracker uses %d bytes, want at most %d", grown, most)
			}
		}
		w.send(10*second, master, client, largePacket(byte(n+1), 255, 9000))
	}
	w.tracker.Close(20 * second)
	if len(w.broken) > 0 {
		t.Errorf("findings %v, want none", w.broken)
	}
}

// TestCutPackets checks that data which the snap length cut off is not reported as missing.
func TestCutPackets(t *testing.T) {
	w := watch()
	w.tracker.Time(0)
	exchange := func(from, to netip.AddrPort, query, answer string, missing int) {
		w.layer.Core().Context = wire.Context{}
		w.send(20*second, from, to, query)
		w.layer.Core().Context = wire.Context{Missing: missing}
		w.send(20*second, to, from, answer)
	}
	exchange(master, game, "\x10\x03\xff\x00\x01\x00\x00\x66\x01\x00s_name\x00", "\x10\x04\xff\xf0\x01\x00\x20\x03", 32)
	exchange(master, game, "\x10\x03\xff\x00\x02\x00\x00\x66\x01\x00s_name\x00", "\x10\x04\xff", 37)
	exchange(client, master, "\x10\x03\xff\x00\x01\x00\x00\x00", "\x10\x06\x01\x01\x01\x00\x00\x66\x06Mas", 30)
	exchange(client, master, "\x10\x03\xff\x00\x02\x00\x00\x00", "\x10\x06\x01\x01", 30)
	exchange(client, game, "\x10\x07\xff\x00\x02\x00\x00\x00", "\x10\x08\x01", 30)
	exchange(client, game, "\x62\x00\x01", "\x63\x00\x01\x62", 30)
	w.tracker.Time(60 * second)
	if len(w.broken) > 0 {
		t.Errorf("findings %v, want none", w.broken)
	}
}

// TestListsMakeRoom checks that finished lists make room for others.
func TestListsMakeRoom(t *testing.T) {
	const lists = 2000
	w := watch()
	w.tracker.Time(0)
	for i := range lists {
		now := int64(i+1) * 10 * second
		w.tracker.Time(now)
		w.send(now, client, master, "\x10\x03\xff\x00\x01\x00\x00\x00")
		w.send(now, master, client, "\x10\x06\xff\xff\x01\x00\x00\x66\x00\x01\x06\x7f\x0a\x00\x01\x61\x6d")
		w.send(now, master, client, "\x10\x06\xfe\xff\x01\x00\x00\x66\x00\x01\x06\x7f\x0a\x00\x01\x61\x6d")
	}
	w.tracker.Close(lists * 20 * second)
	if n := w.broken["tribes.list-incomplete"]; n != lists {
		t.Errorf("%d lists are incomplete, want %d", n, lists)
	}
	if n := w.broken["tribes.repeated-entry"]; n != lists {
		t.Errorf("%d lists have a repeated server, want %d", n, lists)
	}
}

// TestAnswersFromBroadcastAddress checks that an address which answers is not treated as a broadcast address, even if
// it looks like one.
func TestAnswersFromBroadcastAddress(t *testing.T) {
	for _, address := range []string{"10.0.0.30:28001", "10.0.0.31:28001"} {
		w := watch()
		w.tracker.Time(0)
		server := netip.MustParseAddrPort(address)
		w.send(10*second, client, server, "\x10\x03\xff\x00\x01\x00\x00\x00")
		answer := "\x10\x04\xff\xf0%s\x20\x03\x01\x00Base" + strings.Repeat("\x00", 26)
		for _, key := range []string{"\x01\x00", "\x09\x09"} {
			w.send(10*second, server, client, strings.Replace(answer, "%s", key, 1))
		}
		if w.broken["tribes.unsolicited-reply"] != 1 || w.broken["tribes.unknown-key"] > 0 {
			t.Errorf("%s: findings %v, want one tribes.unsolicited-reply", address, w.broken)
		}
	}
}

// TestManyListsAtOnce lets very many clients request lists from the same masters at the same time. The reports must be
// the same as for single clients.
func TestManyListsAtOnce(t *testing.T) {
	const clients, masters, packets = 300, 5, 8
	reported := make(map[string]float64)
	w := watch()
	memory := bounded.NewBudget(bounded.DefaultMemory)
	w.tracker = tribes.Protocol.NewTracker(&wire.Reporter{Memory: memory,
		Finding: func(f *wire.TrafficFinding) { w.broken[f.Rule.ID]++ },
		Value:   func(v *wire.Value) { reported[v.What] += v.Number }})
	w.tracker.Time(0)
	each := func(send func(client, master netip.AddrPort)) {
		for i := range clients {
			for m := range masters {
				memory.Turn()
				send(wiretest.Host(10, i, 4000), wiretest.Host(11, m, 28000))
			}
		}
	}
	each(func(client, master netip.AddrPort) { w.send(10*second, client, master, listQuery) })
	for n := range packets {
		packet := largePacket(byte(n+1), packets, 60)
		if n == 3 { // this packet repeats a server of the previous one
			packet = strings.Replace(packet, "\x06\x01\x04\x00\x00", "\x06\x01\x03\x00\x00", 1)
		}
		each(func(client, master netip.AddrPort) {
			if n != 5 || client != wiretest.Host(10, 7, 4000) { // this client lacks one packet
				w.send(11*second+int64(n), master, client, packet)
			}
		})
	}
	w.tracker.Close(20 * second)
	const all = clients * masters
	if reported["complete"] != all-masters || reported["incomplete"] != masters || reported["list size"] != all*packets*60-masters*60 {
		t.Errorf("reported values: %v", reported)
	}
	want := map[string]int{"tribes.list-incomplete": masters, "tribes.repeated-entry": all}
	if !maps.Equal(w.broken, want) {
		t.Errorf("findings %v, want %v", w.broken, want)
	}
}

// TestManyDuplicates checks that each repetition of a packet that was not requested again is reported.
func TestManyDuplicates(t *testing.T) {
	w := watch()
	w.tracker.Time(0)
	w.send(10*second, client, master, "\x10\x03\xff\x00\x01\x00\x00\x00")
	for range 300 {
		w.send(10*second, master, client, "\x10\x06\x02\x02\x01\x00\x00\x66\x00\x01\x06\x7f\x0a\x00\x01\x61\x6d")
	}
	if n := w.broken["tribes.duplicate-packet"]; n != 299 {
		t.Errorf("findings %v, want 299 duplicates", w.broken)
	}
}
