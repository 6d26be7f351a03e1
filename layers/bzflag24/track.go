package bzflag24

import (
	"math"
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/bzflag24/world"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// Bounds of what a tracker remembers. A connection whose view is full takes 50 KB (244 tanks, 512
// flags), one of a few players less than 5; a game takes 9 KB, a shot 200 bytes. Together they stay
// below 16 MB whatever comes, and mostly below one.
const (
	maxConnections  = 256 // a server has 216 players at most
	maxGames  = 64
	maxLinks  = 256
	maxShots  = 8192
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
// repetition, and no connection has to be complete for another one to be judged.
type tracker struct {
	reporter     *wire.Reporter
	games  *bounded.LRU[netip.AddrPort, game]
	connections  *bounded.LRU[bzflag.Route, *connection]        // by pointer: who looks back at one sees how it ended
	links  *bounded.LRU[bzflag.Route, bzflag.Route] // UDP ports that are not those of the connection
	shots  *bounded.LRU[shotKey, struct{}]
	doubts bounded.Deadlines[*doubt]
	serial uint32 // of the game met last
	event  event  // here, not on the stack, because the reports take its parts' addresses
}

func newTracker(r *wire.Reporter) *tracker {
	t := &tracker{reporter: r}
	t.games = bounded.NewLRU[netip.AddrPort, game](maxGames, nil)
	t.connections = bounded.NewLRU(maxConnections, func(r bzflag.Route, c **connection) {
		if g := t.games.Get(r.Server); g != nil {
			g.forget(*c)
		}
	})
	t.links = bounded.NewLRU[bzflag.Route, bzflag.Route](maxLinks, nil)
	t.shots = bounded.NewLRU[shotKey, struct{}](maxShots, nil)
	return t
}

// event is a message and those it concerns.
type event struct {
	*tracker
	layer *Layer
	place *wire.Place
	game *game
	connection *connection
}

// game is a server, with what holds for all who play there.
type game struct {
	serial      uint32 // tells games apart in shotKey
	known       bool   // type, options and shots were told
	kind        GameType
	options     GameOptions
	maxShots    int
	numFlags    int                  // 0: not told
	worldHash   [world.HashSize]byte // of the world that the faces belong to
	faces       int                  // of teleporters; -1: not known
	owners      [256]netip.AddrPort  // who has a number, by the hello
	witness     netip.AddrPort       // the client whose connection counts for statistics
	witnessTime int64
	players     int  // as told last
	truncated        bool // the capture cut a message off, which may have been a shot
	truncatedTime    int64
}

// game gives the server at an address.
func (t *tracker) gameOf(server netip.AddrPort) *game {
	g := t.games.Make(server)
	if g.serial == 0 {
		t.serial++
		g.serial, g.faces, g.players = t.serial, -1, -1
	}
	return g
}

// blurred takes note of a message that cannot be read.
func (g *game) noteTruncated(e *event) {
	if e.layer.Truncated() {
		g.truncated, g.truncatedTime = true, e.place.Time
	}
}

// Message implements wire.Tracker.
func (t *tracker) Message(layer wire.Layer, p *wire.Place) {
	l := layer.(*Layer)
	if l.older {
		return
	}
	switch b := l.Body.(type) {
	case *PingRequest:
		return
	case *PingReply:
		if l.Fault() == nil && l.Direction == wire.FromServer && string(b.Version) == Version {
			t.event = event{tracker: t, layer: l, place: p, game: t.gameOf(p.Src)}
			t.event.recordSettings(p.Src, b.GameType, b.Options, b.MaxShots)
		}
		return
	}
	r, ok := bzflag.RouteOf(l.Direction, p.Src, p.Dst)
	if !ok {
		return
	}
	e := &t.event
	*e = event{tracker: t, layer: l, place: p, game: t.gameOf(r.Server)}
	if e.connection = t.connectionOf(e, r); e.connection == nil {
		return
	}
	if l.Direction == wire.ToServer {
		e.fromClient()
	} else {
		e.fromServer()
	}
}

// broken reports whether a message cannot be judged by what stands in it.
func (e *event) broken() bool { return e.layer.Fault() != nil || e.layer.Truncated() }

func (e *event) tcp() bool { return e.place.Transport == wire.TCP }

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
		if elapsed(d.place.Time, now) >= d.enough {
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
	excuse  func() bool // tells the same; may be nil
}

// doubt puts a finding about the message at hand off. When too many are, it is dropped.
func (e *event) doubt(d *doubt, wait int64) *doubt {
	if e.doubts.Len() >= maxDoubts {
		d.settled = true
		return d
	}
	d.place = *e.place
	e.doubts.Add(after(e.place.Time, wait), d)
	return d
}

func (t *tracker) report(d *doubt) {
	if !d.settled && (d.excuse == nil || !d.excuse()) {
		t.reporter.Report(&d.place, d.rule, "%s", d.text)
	}
}

// elapsed is the time between two moments, however far they are apart.
func elapsed(from, to int64) int64 {
	d := to - from
	switch {
	case to >= from && d < 0:
		return math.MaxInt64
	case to < from && d > 0:
		return math.MinInt64
	}
	return d
}

// after is the moment some nanoseconds later, or the last there is.
func after(t, wait int64) int64 {
	if t > math.MaxInt64-wait {
		return math.MaxInt64
	}
	return t + wait
}

// seconds is a time in the unit of statistics.
func seconds(d int64) float64 { return time.Duration(d).Seconds() }
