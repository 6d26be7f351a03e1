package iceball

import (
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/listing"
)

const (
	maxHearts  = 4    // heartbeat servers of an announcer
	maxOld     = 16   // cookies of an announcer that newer ones replaced
	maxSockets = 8    // announcers of one game address
	maxListed  = 1024 // entries of a list
	maxPorts   = 4    // of heartbeat servers on one host

	// maxMembers bounds the announcers that a list is compared with.
	maxMembers = 4 * maxListed
)

// tracker remembers announces by announcer and heartbeat server, the cookies that came back, and the lists.
//
// Several addresses may be one heartbeat server: a server that listens on all addresses of its host may answer from
// another address than the announcer sent to. So cookies belong to the announcer, not to the server's address.
type tracker struct {
	*wire.Reporter
	start       clock.Moment // the capture's
	since       clock.Moment // the tracker knows all since: start, or when it last forgot something
	now         int64
	lists       int // that were checked so far
	announcers  *bounded.LRU[netip.AddrPort, announcer]
	routes      *bounded.LRU[route, rhythm]
	games       *bounded.LRU[netip.AddrPort, game]
	heartbeats  *bounded.LRU[netip.Addr, heartbeat]
	connections *bounded.LRU[route, connection]
	voices      *bounded.LRU[netip.AddrPort, voice]
	book        *listing.Book
}

// route is a pair of endpoints: an announcer or HTTP client, and a heartbeat server.
type route struct {
	from, to netip.AddrPort
}

// newTracker makes the memory of a capture.
func newTracker(r *wire.Reporter) wire.Tracker {
	t := &tracker{Reporter: r}
	t.announcers = bounded.NewLRU(r.Memory, bounded.Kind{Name: "Iceball servers that announce themselves",
		Silent: "iceball.handshake-stale-cookie, iceball.listed-too-long, iceball.unlisted-too-early"},
		bounded.Values[netip.AddrPort, announcer]{Held: (*announcer).held,
			Dropped: func(netip.AddrPort, *announcer) { t.forgot() }})
	t.routes = bounded.NewLRU(r.Memory, bounded.Kind{Name: "bursts of Iceball announces",
		Silent: "burst period, burst size, iceball.accept-unanswered"},
		bounded.Values[route, rhythm]{Held: (*rhythm).held, Dropped: func(_ route, r *rhythm) { r.leave(); t.forgot() }})
	t.games = bounded.NewLRU(r.Memory, bounded.Kind{Name: "Iceball servers that a list may show",
		Silent: "iceball.listed-without-handshake, iceball.master-json-stale"},
		bounded.Values[netip.AddrPort, game]{Held: (*game).held,
			Dropped: func(netip.AddrPort, *game) { t.forgot() }})
	t.heartbeats = bounded.NewLRU(r.Memory, bounded.Kind{Name: "Iceball heartbeat servers",
		Silent: "iceball.unlisted-too-early, iceball.http-port, word of who is not listed any more"},
		bounded.Values[netip.Addr, heartbeat]{Held: (*heartbeat).held,
			Dropped: func(_ netip.Addr, h *heartbeat) { h.close(); t.forgot() }})
	t.connections = bounded.NewLRU(r.Memory, bounded.Kind{Name: "HTTP requests to Iceball heartbeat servers",
		Silent: "iceball.master-json"}, bounded.Values[route, connection]{Held: (*connection).held})
	t.voices = bounded.NewLRU(r.Memory, bounded.Kind{Name: "addresses of Iceball heartbeat servers",
		Silent: "which addresses are one server, in the table listing"}, bounded.Values[netip.AddrPort, voice]{})
	t.book = listing.NewBook(r, bounded.Kind{Name: "Iceball servers on their way into a list",
		Silent: "row in the table listing, no events"}, listing.Habits{Patience: announces.Patience, Keeps: stillListed,
		Forgets: goneBy, Answers: true, Announces: "announces", Why: whyNot})
	return t
}

// forgot notes that the tracker had to forget something, to which the next messages may belong.
func (t *tracker) forgot() { t.since = clock.At(t.now) }

// Message implements wire.Tracker. A message in the wrong direction is only reported as that.
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
		if r := t.routes.GetAt(p.Lane, route{p.Src, p.Dst}); r != nil {
			r.stay()
			r.checkAfterBadFormat(core, p)
		}
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
	case *wire.Undefined:
		t.listUnknown(core, p)
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

// Lost implements wire.Tracker: it forgets the requests of the connection.
func (t *tracker) Lost(p *wire.Place) {
	for _, r := range []route{{p.Src, p.Dst}, {p.Dst, p.Src}} {
		t.connection(r, 0, p).requests.Miss(p.Time)
	}
}

func (t *tracker) Time(now int64) {
	if !t.start.Known() {
		t.start, t.since = clock.At(now), clock.At(now)
	}
	t.now = now
	t.book.Time(now)
}

// Jump implements wire.Tracker: who announced, was accepted and is listed is not known.
func (t *tracker) Jump(now int64) {
	t.routes.Each(func(_ route, r *rhythm) { r.leave() })
	t.heartbeats.Each(func(_ netip.Addr, h *heartbeat) { h.close() })
	t.announcers.Clear()
	t.routes.Clear()
	t.games.Clear()
	t.heartbeats.Clear()
	t.connections.Clear()
	t.start, t.since, t.now = clock.At(now), clock.At(now), now
	t.book.Jump(now)
}

// Next implements wire.Tracker. Only servers that are not listed yet depend on the clock.
func (t *tracker) Next() int64 { return t.book.Next() }

// Close implements wire.Tracker. The last burst may go on behind the end, but what was accepted is
// answered at once.
func (t *tracker) Close(now int64) {
	t.routes.Each(func(_ route, r *rhythm) {
		accepted := r.accepted
		if clock.Elapsed(r.latest, now) < promptly {
			accepted--
		}
		t.checkAcceptance(r, accepted)
	})
	t.book.Close(now)
}

// isEarly reports whether a time is so close to the capture's start, or to when the tracker forgot something, that a
// message may answer an unknown one.
func (t *tracker) isEarly(now, span int64) bool { return clock.Elapsed(t.since.When(), now) <= span }

// seconds converts nanoseconds.
func seconds(d int64) float64 { return float64(d) / float64(time.Second) }

// measureTime measures how long something of a game server took.
func (t *tracker) measureTime(p *wire.Place, game netip.AddrPort, what string, d int64, answer bool) {
	if d >= 0 {
		t.Measured(wire.Value{Place: *p, Table: servers, Server: game, What: what, Number: seconds(d), Unit: "s",
			Answer: answer})
	}
}

// servers is the table of what is measured.
const servers = "servers"
