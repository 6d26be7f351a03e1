package iceball

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/plainhttp"
)

// tracker passes each message to the components that check messages.
type tracker struct {
	time       captureTime
	bursts     *bursts
	requests   *plainhttp.Requests
	handshakes *handshakes
	lists      *lists
	listed     *listedServers
}

// newTracker makes a tracker. The order of the stores matters: if the same message was the last to use several entries,
// the memory budget first drops the entry of the store that was created last.
func newTracker(r *wire.Reporter) wire.Tracker {
	t := new(tracker)
	announcers := newAnnouncers(r.Memory, &t.time)
	t.bursts = newBursts(r, &t.time)
	games := newGames(r, &t.time, announcers)
	masters := newMasters(r.Memory, &t.time)
	t.requests = plainhttp.NewRequests(r.Memory, bounded.Kind{Name: "HTTP requests to Iceball heartbeat servers",
		Silent: "iceball.master-json"})
	t.listed = newListedServers(r, announcers, games)
	t.handshakes = &handshakes{r, &t.time, announcers, t.bursts, games, masters, t.listed}
	t.lists = &lists{r, &t.time, announcers, games, masters, t.requests, t.listed, 0}
	return t
}

func (t *tracker) Message(l wire.Layer, p *wire.Place) {
	core := l.Core()
	switch m := core.Body.(type) {
	case *HTTPRequest:
		t.lists.request(core, m, p)
	case *HTTPResponse:
		t.lists.checkResponse(core, m, p)
	default:
		switch core.Direction {
		case wire.ToServer:
			t.toServer(core, p)
		case wire.FromServer:
			t.fromServer(core, p)
		}
	}
}

func (t *tracker) toServer(core *wire.Base, p *wire.Place) {
	t.bursts.checkAfterBadFormat(core, p)
	switch m := core.Body.(type) {
	case *Announce:
		t.handshakes.announce(core, m, p)
	case *Cookie:
		if core.Message == handshake {
			t.handshakes.checkCookie(core, m, p)
		}
	case *wire.Undefined:
		t.listed.unknown(core, p)
	}
}

func (t *tracker) fromServer(core *wire.Base, p *wire.Place) {
	switch m := core.Body.(type) {
	case *Cookie:
		if core.Message == accepted {
			t.handshakes.accept(core, m, p)
		}
	case *BadVersion:
		t.handshakes.refuseVersion(core, m, p)
	case *BadFormat:
		t.handshakes.refuseFormat(core, m, p)
	}
}

func (t *tracker) Lost(p *wire.Place) {
	t.requests.Lost(p)
	t.listed.account.Lost(p)
}

func (t *tracker) Ended(p *wire.Place) {
	t.listed.account.Ended(p)
	t.requests.Ended(p)
}

func (t *tracker) Time(now int64) {
	if !t.time.start.Known() {
		t.time.start, t.time.since = clock.At(now), clock.At(now)
	}
	if clock.Elapsed(t.time.now, now) > 2*unheard {
		t.time.quiet = clock.At(now)
	}
	t.time.now = now
	t.listed.account.Time(now)
}

// Jump handles a jump of the clock. It drops all state because it is now unknown which servers announced themselves,
// were accepted and are listed.
func (t *tracker) Jump(now int64) {
	t.lists.masters.reportLate(t.lists.Reporter)
	t.bursts.clear()
	t.handshakes.announcers.Clear()
	t.handshakes.games.byAddress.Clear()
	t.handshakes.masters.byHost.Clear()
	t.requests.Clear()
	t.time = captureTime{start: clock.At(now), since: clock.At(now), now: now}
	t.listed.account.Jump(now)
}

// Next returns the time of the next deadline. Deadlines exist only for servers that are not listed yet.
func (t *tracker) Next() int64 { return t.listed.account.Next() }

func (t *tracker) Close(now int64) {
	t.bursts.close(now)
	t.lists.masters.reportLate(t.lists.Reporter)
	t.listed.account.Close(now)
}
