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

// watcher passes packets to a tracker.
type watcher struct {
	layer   wire.Layer
	session wire.Session
	tracker wire.Tracker
	remarks map[string]int
}

func watch() *watcher {
	w := &watcher{layer: tribes.Protocol.New(), session: tribes.Protocol.NewSession(nil), remarks: make(map[string]int)}
	w.tracker = tribes.Protocol.NewTracker(&wire.Reporter{Finding: func(r *wire.TrafficFinding) { w.remarks[r.Rule.ID]++ }})
	return w
}

// see passes a packet to the session and the tracker, and counts the rules that it breaks.
func (w *watcher) see(when int64, src, dst netip.AddrPort, payload string) {
	d := &wire.Datagram{Src: src, Dst: dst, Payload: []byte(payload)}
	w.session.Before(w.layer, d)
	_ = w.layer.DecodeFromBytes(d.Payload, gopacket.NilDecodeFeedback) // errors are expected
	w.session.After(w.layer, d)
	w.tracker.Message(w.layer, &wire.Place{Time: when, Src: src, Dst: dst, Protocol: tribes.Protocol})
	for _, f := range w.layer.Core().Findings() {
		w.remarks[f.Rule.ID]++
	}
}

const second = int64(1e9)

// If a list has very many servers, the tracker compares only as many as fit in memory.
func TestServersAreBounded(t *testing.T) {
	before := wiretest.Heap()
	w := watch()
	w.tracker.Time(0)
	w.see(10*second, client, master, "\x10\x03\xff\x00\x01\x00\x00\x00")
	for n := range 255 {
		const most = 2 << 20
		if n == 254 { // the last packet frees all state
			if grown := wiretest.Heap() - before; grown > most {
				t.Errorf("the tracker holds %d bytes", grown)
			}
		}
		w.see(10*second, master, client, largePacket(byte(n+1), 255, 9000))
	}
	w.tracker.Close(20 * second)
	if len(w.remarks) > 0 {
		t.Errorf("a large list breaks %v", w.remarks)
	}
}

// Data that the snap length cut off is not reported as missing.
func TestTrackerStandsCutPackets(t *testing.T) {
	w := watch()
	w.tracker.Time(0)
	exchange := func(from, to netip.AddrPort, query, answer string, missing int) {
		w.layer.Core().Context = wire.Context{}
		w.see(20*second, from, to, query)
		w.layer.Core().Context = wire.Context{Missing: missing}
		w.see(20*second, to, from, answer)
	}
	exchange(master, game, "\x10\x03\xff\x00\x01\x00\x00\x66\x01\x00s_name\x00", "\x10\x04\xff\xf0\x01\x00\x20\x03", 32)
	exchange(master, game, "\x10\x03\xff\x00\x02\x00\x00\x66\x01\x00s_name\x00", "\x10\x04\xff", 37)
	exchange(client, master, "\x10\x03\xff\x00\x01\x00\x00\x00", "\x10\x06\x01\x01\x01\x00\x00\x66\x06Mas", 30)
	exchange(client, master, "\x10\x03\xff\x00\x02\x00\x00\x00", "\x10\x06\x01\x01", 30)
	exchange(client, game, "\x10\x07\xff\x00\x02\x00\x00\x00", "\x10\x08\x01", 30)
	exchange(client, game, "\x62\x00\x01", "\x63\x00\x01\x62", 30)
	w.tracker.Time(60 * second)
	if len(w.remarks) > 0 {
		t.Errorf("cut packets break %v", w.remarks)
	}
}

// Lists that are finished make room for others.
func TestListsMakeRoom(t *testing.T) {
	const lists = 2000
	w := watch()
	w.tracker.Time(0)
	for i := range lists {
		now := int64(i+1) * 10 * second
		w.tracker.Time(now)
		w.see(now, client, master, "\x10\x03\xff\x00\x01\x00\x00\x00")
		w.see(now, master, client, "\x10\x06\xff\xff\x01\x00\x00\x66\x00\x01\x06\x7f\x0a\x00\x01\x61\x6d")
		w.see(now, master, client, "\x10\x06\xfe\xff\x01\x00\x00\x66\x00\x01\x06\x7f\x0a\x00\x01\x61\x6d")
	}
	w.tracker.Close(lists * 20 * second)
	if n := w.remarks["tribes.list-incomplete"]; n != lists {
		t.Errorf("%d lists are incomplete, want %d", n, lists)
	}
	if n := w.remarks["tribes.repeated-entry"]; n != lists {
		t.Errorf("%d lists repeat a server, want %d", n, lists)
	}
}

// An address may look like a broadcast address. If it answers, it is not one.
func TestAnswersFromLikelyNetworks(t *testing.T) {
	for _, address := range []string{"10.0.0.30:28001", "10.0.0.31:28001"} {
		w := watch()
		w.tracker.Time(0)
		server := netip.MustParseAddrPort(address)
		w.see(10*second, client, server, "\x10\x03\xff\x00\x01\x00\x00\x00")
		answer := "\x10\x04\xff\xf0%s\x20\x03\x01\x00Base" + strings.Repeat("\x00", 26)
		for _, key := range []string{"\x01\x00", "\x09\x09"} {
			w.see(10*second, server, client, strings.Replace(answer, "%s", key, 1))
		}
		if w.remarks["tribes.unsolicited-reply"] != 1 || w.remarks["tribes.unknown-key"] > 0 {
			t.Errorf("%s: an answer that nobody asked for breaks %v", address, w.remarks)
		}
	}
}

// Very many clients request lists at the same time, each from the same masters. Each client gets the same reports as if it
// were the only one.
func TestManyListsAtOnce(t *testing.T) {
	const clients, masters, packets = 300, 5, 8
	reported := make(map[string]float64)
	w := watch()
	memory := bounded.NewBudget(bounded.DefaultMemory)
	w.tracker = tribes.Protocol.NewTracker(&wire.Reporter{Memory: memory,
		Finding: func(f *wire.TrafficFinding) { w.remarks[f.Rule.ID]++ },
		Value:   func(v *wire.Value) { reported[v.What] += v.Number }})
	w.tracker.Time(0)
	each := func(say func(client, master netip.AddrPort)) {
		for i := range clients {
			for m := range masters {
				memory.Turn()
				say(wiretest.Host(10, i, 4000), wiretest.Host(11, m, 28000))
			}
		}
	}
	each(func(client, master netip.AddrPort) { w.see(10*second, client, master, listQuery) })
	for n := range packets {
		packet := largePacket(byte(n+1), packets, 60)
		if n == 3 { // repeats a server of the previous packet
			packet = strings.Replace(packet, "\x06\x01\x04\x00\x00", "\x06\x01\x03\x00\x00", 1)
		}
		each(func(client, master netip.AddrPort) {
			if n != 5 || client != wiretest.Host(10, 7, 4000) { // this client lacks one packet
				w.see(11*second+int64(n), master, client, packet)
			}
		})
	}
	w.tracker.Close(20 * second)
	const all = clients * masters
	if reported["complete"] != all-masters || reported["incomplete"] != masters || reported["list size"] != all*packets*60-masters*60 {
		t.Errorf("reported is %v", reported)
	}
	want := map[string]int{"tribes.list-incomplete": masters, "tribes.repeated-entry": all}
	if !maps.Equal(w.remarks, want) {
		t.Errorf("they break %v, want %v", w.remarks, want)
	}
}

// Each repetition of a packet that was not requested again is reported.
func TestManyDuplicates(t *testing.T) {
	w := watch()
	w.tracker.Time(0)
	w.see(10*second, client, master, "\x10\x03\xff\x00\x01\x00\x00\x00")
	for range 300 {
		w.see(10*second, master, client, "\x10\x06\x02\x02\x01\x00\x00\x66\x00\x01\x06\x7f\x0a\x00\x01\x61\x6d")
	}
	if n := w.remarks["tribes.duplicate-packet"]; n != 299 {
		t.Errorf("%v, want 299 duplicates", w.remarks)
	}
}
