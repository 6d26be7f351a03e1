package bzflag24

import (
	"math"
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// Bounds of what a tracker remembers. A connection whose view is full takes 50 KB (244 tanks, 512
// flags), one of a few players less than 5; a game takes 9 KB, a shot 200 bytes. Together they stay
// below 16 MB whatever comes, and mostly below one.
const (
	maxDoubts = 256
)

// What is allowed for, in nanoseconds.
const (
	lagUDP   = int64(500 * time.Millisecond) // by which UDP and TCP may be apart
	lagLife  = int64(time.Second)            // until a client knows of its own death
	disorder = int64(50 * time.Millisecond)  // by which a capture may show a request before what led to it
	overdue  = int64(5 * time.Second)        // until what waits for a missing segment is given up
)

// tracker implements wire.Tracker. What players may do depends on what the server told them, so
// each connection has its own view of the game: copies of what the server tells everybody are no
// repetition, and no connection has to be complete for another one to be checked.
type tracker struct {
	reporter    *wire.Reporter
	games       *bounded.LRU[netip.AddrPort, game]
	connections *bounded.LRU[bzflag.Route, *connection]  // by pointer: a doubt looks back at one that is gone
	links       *bounded.LRU[bzflag.Route, bzflag.Route] // UDP ports that are not those of the connection
	shots       *bounded.LRU[shotKey, struct{}]
	doubts      *bounded.Deadlines[*doubt]
	serial      uint32 // of the game met last
	event       event  // here, not on the stack, because the reports take its parts' addresses
}

func newTracker(r *wire.Reporter) *tracker {
	t := &tracker{reporter: r}
	t.games = bounded.NewLRU(r.Memory, bounded.Kind{Name: "games"}, bounded.Values[netip.AddrPort, game]{})
	t.connections = bounded.NewLRU(r.Memory, bounded.Kind{Name: "clients of games"},
		bounded.Values[bzflag.Route, *connection]{Dropped: func(r bzflag.Route, c **connection) {
			if g := t.games.Get(r.Server); g != nil {
				g.forget(*c)
			}
		}})
	t.links = bounded.NewLRU(r.Memory, bounded.Kind{Name: "UDP links"}, bounded.Values[bzflag.Route, bzflag.Route]{})
	t.shots = bounded.NewLRU(r.Memory, bounded.Kind{Name: "shots"}, bounded.Values[shotKey, struct{}]{})
	t.doubts = bounded.NewDeadlines[*doubt](r.Memory, bounded.Kind{Name: "doubts"})
	return t
}

// event is a message and those it concerns.
type event struct {
	*tracker
	layer      *Layer
	place      *wire.Place
	game       *game
	connection *connection // nil in pings
}

// Message implements wire.Tracker.
func (t *tracker) Message(layer wire.Layer, p *wire.Place) {
	l := layer.(*Layer)
	r, ok := bzflag.RouteOf(l.Direction, p.Src, p.Dst)
	if !ok || l.older {
		return
	}
	e := &t.event
	switch b := l.Body.(type) {
	case *PingRequest:
	case *PingReply:
		if l.Fault() == nil && l.Direction == wire.FromServer && string(b.Version) == Version {
			*e = event{tracker: t, layer: l, place: p, game: t.gameOf(p.Src)}
			e.recordSettings(b.GameType, b.Options, b.MaxShots)
		}
	default:
		*e = event{tracker: t, layer: l, place: p, game: t.gameOf(r.Server)}
		e.connection = e.findConnection(r)
		if l.Direction == wire.ToServer {
			e.fromClient()
		} else {
			e.fromServer()
		}
	}
}

// unreadable reports whether a message cannot be checked by what stands in it.
func (e *event) unreadable() bool { return e.layer.Fault() != nil || e.layer.Truncated() }

func (e *event) tcp() bool { return e.place.Transport == wire.TCP }

// since is the time from an earlier moment to the message at hand, in nanoseconds.
func (e *event) since(moment int64) int64 { return clock.Elapsed(moment, e.place.Time) }

// Lost implements wire.Tracker.
func (t *tracker) Lost(p *wire.Place) {
	if c := t.connectionAt(bzflag.Route{Client: p.Src, Server: p.Dst}); c != nil {
		c.lostRequests(p.Time)
	}
	if c := t.connectionAt(bzflag.Route{Client: p.Dst, Server: p.Src}); c != nil {
		c.lostAnswers(p.Time)
	}
}

// Time implements wire.Tracker.
func (t *tracker) Time(now int64) {
	for {
		d, _, ok := t.doubts.Due(now)
		if !ok {
			return
		}
		t.report(d)
	}
}

// Next implements wire.Tracker.
func (t *tracker) Next() int64 { return t.doubts.Next() }

// Close implements wire.Tracker.
func (t *tracker) Close(now int64) {
	for {
		d, _, ok := t.doubts.Due(math.MaxInt64)
		if !ok {
			return
		}
		if clock.Elapsed(d.place.Time, now) >= d.enough {
			t.report(d)
		}
	}
}

// doubt is a finding that is put off: what comes soon may settle it.
type doubt struct {
	place   wire.Place
	rule    *wire.Rule
	text    string
	enough  int64       // nanoseconds that are enough at the end of the capture
	settled bool        // it is none
	excuse  func() bool // reports whether it is none; may be nil
}

// doubt puts a finding about the message at hand off. When too many are, it is dropped.
func (e *event) doubt(d *doubt) *doubt {
	if e.doubts.Len() >= maxDoubts {
		d.settled = true
		return d
	}
	d.place = *e.place
	e.doubts.Add(clock.Add(e.place.Time, overdue), d)
	return d
}

// settle drops a doubt, if there is one.
func (d *doubt) settle() {
	if d != nil {
		d.settled = true
	}
}

// report tells of a doubt that nothing settled.
func (t *tracker) report(d *doubt) {
	if !d.settled && (d.excuse == nil || !d.excuse()) {
		t.reporter.Report(&d.place, d.rule, "%s", d.text)
	}
}
