package iceball_test

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers/iceball"
)

func TestTalks(t *testing.T) { wiretest.Talks(t, iceball.Protocol, samples+"/talks") }

// Very many announcers, heartbeat servers, cookies and connections stay within a few MB.
func TestTrackerMemory(t *testing.T) {
	many := uint32(100_000)
	if wiretest.Full() {
		many = 1_000_000
	}
	tracker := iceball.Protocol.NewTracker(&wire.Reporter{})
	var layer iceball.Layer
	show := func(data []byte, way wire.Direction, now int64, src, dst netip.AddrPort, over wire.Transport) {
		layer.Context = wire.Context{Direction: way, Transport: over}
		if err := layer.DecodeFromBytes(data, gopacket.NilDecodeFeedback); err != nil {
			t.Fatal(err)
		}
		tracker.Time(now)
		tracker.Message(&layer, &wire.Place{Time: now, Src: src, Dst: dst, Transport: over})
	}
	announce := []byte("1CEB\x02\x00\x25\x80\x80\x00" + string(make([]byte, 76)))
	cookie := []byte("MSOK\x00\x00\x00\x00")
	before := wiretest.Heap()
	for i := range many {
		now := int64(i) * 1e5
		game := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), 4000)
		server := netip.AddrPortFrom(netip.AddrFrom4([4]byte{11, byte(i >> 12), byte(i >> 4), byte(i / 8)}), 27790)
		binary.LittleEndian.PutUint16(announce[10:], uint16(i))
		show(announce, wire.ToServer, now, game, server, wire.UDP)
		if i%4 == 0 {
			binary.LittleEndian.PutUint32(cookie[4:], i)
			show(cookie, wire.FromServer, now, server, game, wire.UDP)
		}
		if i%16 == 0 {
			show([]byte("HSHK"+string(cookie[4:])), wire.ToServer, now, game, server, wire.UDP)
			show([]byte("GET /master.json HTTP/1.1\r\n\r\n"), wire.ToServer, now, game, server, wire.TCP)
			tracker.Lost(&wire.Place{Src: game, Dst: server})
		}
	}
	// One announcer with many heartbeat servers, and one heartbeat server with long lists.
	game := netip.MustParseAddrPort("10.0.0.1:4000")
	for i := range many / 10 {
		server := netip.AddrPortFrom(netip.AddrFrom4([4]byte{12, 0, byte(i >> 8), byte(i)}), uint16(i))
		show(announce, wire.ToServer, int64(i), game, server, wire.UDP)
		show(cookie, wire.FromServer, int64(i), server, game, wire.UDP)
	}
	server := netip.MustParseAddrPort("10.0.0.9:27790")
	for i := range 20 {
		show([]byte("GET /master.json HTTP/1.1\r\n\r\n"), wire.ToServer, int64(i), game, server, wire.TCP)
		show(longList(i), wire.FromServer, int64(i), server, game, wire.TCP)
	}
	if grown := wiretest.Heap() - before; grown > 16<<20 {
		t.Errorf("the tracker holds %d bytes", grown)
	}
	tracker.Close(1 << 60)
}

// longList is an answer with three thousand servers.
func longList(number int) []byte {
	body := []byte(`{"version": 2, "servers": [`)
	for i := range 3000 {
		if i > 0 {
			body = append(body, ',')
		}
		body = fmt.Appendf(body, `{"address": "10.%d.%d.%d", "port": 1, "players_current": 0, "players_max": 1, "name": "", "mode": "", "map": "", "version": ""}`, number, i>>8, i&255)
	}
	body = append(body, "]}"...)
	return append(fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", len(body)), body...)
}
