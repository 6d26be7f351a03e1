package iceball

import (
	"math"
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// What is remembered at most, some 12 MB in all.
const (
	maxHearts  = 4    // heartbeat servers of an announcer
	maxOld     = 16   // cookies of an announcer that newer ones replaced
	maxSockets = 8    // announcers of one game address
	maxListed  = 1024 // entries of a list
	maxPorts   = 4    // of heartbeat servers on one host
)

// tracker remembers who announced what to whom, which cookies came back, and what was listed.
//
// Heartbeat servers are known by the addresses that are seen, and several of these may be the same
// program: one that listens on all addresses of its host may answer from another than was asked.
// So cookies belong to the announcer, whoever gave them.
type tracker struct {
	*wire.Reporter
	start       clock.Moment // the capture's
	announcers  *bounded.LRU[netip.AddrPort, announcer]
	routes      *bounded.LRU[route, rhythm]
	games       *bounded.LRU[netip.AddrPort, game]
	heartbeats  *bounded.LRU[netip.Addr, heartbeat]
	connections *bounded.LRU[route, connection]
}

// route is who talks to whom: an announcer or HTTP client, and a heartbeat server.
type route struct {
	from, to netip.AddrPort
}

// newTracker makes the memory of a capture.
func newTracker(r *wire.Reporter) wire.Tracker {
	return &tracker{
		Reporter:    r,
		announcers:  bounded.NewLRU(r.Memory, bounded.Kind{Name: "announcers"}, bounded.Values[netip.AddrPort, announcer]{}),
		routes:      bounded.NewLRU(r.Memory, bounded.Kind{Name: "announces"}, bounded.Values[route, rhythm]{}),
		games:       bounded.NewLRU(r.Memory, bounded.Kind{Name: "games"}, bounded.Values[netip.AddrPort, game]{}),
		heartbeats:  bounded.NewLRU(r.Memory, bounded.Kind{Name: "heartbeat servers"}, bounded.Values[netip.Addr, heartbeat]{}),
		connections: bounded.NewLRU(r.Memory, bounded.Kind{Name: "HTTP connections"}, bounded.Values[route, connection]{}),
	}
}

// Message implements wire.Tracker. What goes the wrong way is nothing but that.
func (t *tracker) Message(l wire.Layer, p *wire.Place) {
	core := l.Core()
	switch m := core.Body.(type) {
	case *HTTPRequest:
		t.noteRequest(core, m, p)
		return
	case *HTTPResponse:
		t.checkResponse(core, m, p)
		return
	}
	if core.Direction == wire.ToServer {
		t.checkAfterBadFormat(core, p)
	}
	switch m := core.Body.(type) {
	case *Announce:
		if core.Direction == wire.ToServer {
			t.noteAnnounce(core, m, p)
		}
	case *Cookie:
		switch {
		case core.Message == accepted && core.Direction == wire.FromServer:
			t.noteAcceptance(core, m, p)
		case core.Message == handshake && core.Direction == wire.ToServer:
			t.checkCookie(core, m, p)
		}
	case *BadVersion:
		if core.Direction == wire.FromServer {
			t.noteBadVersion(core, m, p)
		}
	case *BadFormat:
		if core.Direction == wire.FromServer {
			t.noteBadFormat(core, m, p)
		}
	}
}

// Lost implements wire.Tracker: what a connection asked for is not known any more.
func (t *tracker) Lost(p *wire.Place) {
	for _, r := range []route{{p.Src, p.Dst}, {p.Dst, p.Src}} {
		t.connection(r, p).requests.Miss(p.Time)
	}
}

// Time implements wire.Tracker.
func (t *tracker) Time(now int64) {
	if !t.start.Known {
		t.start = clock.At(now)
	}
}

// Next implements wire.Tracker. Nothing here comes by the clock.
func (t *tracker) Next() int64 { return math.MaxInt64 }

// Close implements wire.Tracker. The last burst may go on behind the end, but what was accepted is
// answered at once.
func (t *tracker) Close(now int64) {
	t.routes.Each(func(_ route, r *rhythm) {
		if clock.Elapsed(r.acceptance.Time, now) >= promptly {
			t.checkAcceptance(r)
		}
	})
}

// isEarly reports whether a time is so close to the capture's start that something before it counts.
func (t *tracker) isEarly(now, span int64) bool { return clock.Elapsed(t.start.When, now) <= span }

// seconds is for values and texts.
func seconds(d int64) float64 { return float64(d) / float64(time.Second) }

func (t *tracker) measureTime(p *wire.Place, who, what string, d int64, answer bool) {
	if d >= 0 {
		t.Measured(wire.Value{Place: *p, Table: servers, Who: who, What: what, Number: seconds(d), Unit: "s", Answer: answer})
	}
}

// servers is the table of what is measured.
const servers = "servers"
