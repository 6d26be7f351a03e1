package iceball_test

import (
	"fmt"
	"net/netip"
	"runtime"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers/iceball"
)

func TestTalks(t *testing.T) { wiretest.Talks(t, iceball.Protocol, samples+"/talks") }

// crowd passes messages of many hosts to a tracker and a session with a small memory budget.
type crowd struct {
	layer   iceball.Layer
	memory  *bounded.Budget
	tracker wire.Tracker
	session wire.Session
	before  int64 // heap size in bytes
}

func newCrowd(limit int) *crowd {
	c := &crowd{memory: bounded.NewBudget(limit), before: wiretest.Heap()}
	c.tracker = iceball.Protocol.NewTracker(&wire.Reporter{Memory: c.memory})
	c.session = iceball.Protocol.NewSession(c.memory)
	return c
}

func (c *crowd) send(t *testing.T, data []byte, direction wire.Direction, now int64, src, dst netip.AddrPort, transport wire.Transport) {
	t.Helper()
	c.layer.Context = wire.Context{Direction: direction, Transport: transport}
	if err := c.layer.DecodeFromBytes(data, gopacket.NilDecodeFeedback); err != nil {
		t.Fatal(err)
	}
	c.memory.Turn()
	c.session.After(&c.layer, &wire.Datagram{Src: src, Dst: dst})
	c.tracker.Time(now)
	c.tracker.Message(&c.layer, &wire.Place{Time: now, Src: src, Dst: dst, Transport: transport})
}

// check checks that the memory in use is within the budget, and that the budget counts about this amount.
func (c *crowd) check(t *testing.T) {
	t.Helper()
	grown, used, limit := wiretest.Heap()-c.before, int64(c.memory.Used()), int64(c.memory.Limit())
	if grown < limit/2 || grown > limit*3/2 {
		t.Errorf("%d bytes are in use, the limit is %d", grown, limit)
	}
	if used < grown*2/3 || used > grown*3/2 {
		t.Errorf("%d bytes are in use, the budget counts %d", grown, used)
	}
}

// TestListMemory checks that long lists from many heartbeat servers stay within the budget.
func TestListMemory(t *testing.T) {
	list := longList()
	c := newCrowd(1 << 20)
	for i := range 100 {
		client := netip.MustParseAddrPort("10.0.0.1:4000")
		server := wiretest.Host(13, i, 27790)
		c.send(t, []byte("GET /master.json HTTP/1.1\r\n\r\n"), wire.ToServer, int64(i), client, server, wire.TCP)
		c.send(t, list, wire.FromServer, int64(i), server, client, wire.TCP)
	}
	c.layer = iceball.Layer{} // otherwise the layer keeps the last list in memory
	c.check(t)
	runtime.KeepAlive(list)
}

// TestConnectionsEnd checks that a connection without open requests takes no memory.
func TestConnectionsEnd(t *testing.T) {
	c := newCrowd(1 << 20)
	server := netip.MustParseAddrPort("13.0.0.1:27790")
	used := 0
	for i := range 100 {
		client := wiretest.Host(10, i, 4000)
		c.send(t, []byte("GET /style.css HTTP/1.1\r\n\r\n"), wire.ToServer, 0, client, server, wire.TCP)
		c.send(t, []byte("HTTP/1.1 404 Not Found\r\n\r\n"), wire.FromServer, 0, server, client, wire.TCP)
		if i == 0 {
			used = c.memory.Used()
		}
	}
	if now := c.memory.Used(); now > used {
		t.Errorf("%d bytes are in use after a connection, %d after a hundred", used, now)
	}
}

// longList returns an answer with more servers than the tracker keeps.
func longList() []byte {
	body := []byte(`{"version": 2, "servers": [`)
	for i := range 1100 {
		if i > 0 {
			body = append(body, ',')
		}
		body = fmt.Appendf(body, `{"address": "10.0.%d.%d", "port": 1, "players_current": 0, "players_max": 1, "name": "", "mode": "", "map": "", "version": ""}`, i>>8, i&255)
	}
	body = append(body, "]}"...)
	return append(fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", len(body)), body...)
}
