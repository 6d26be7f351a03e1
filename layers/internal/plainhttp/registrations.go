package plainhttp

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/attempt"
)

// Registrations follows the requests to a list server. The requests with which game servers register are registrations.
// A registration is an attempt of the game server at its game port, which differs from the port of the HTTP connection.
// All other requests are fetches.
type Registrations struct {
	Account  *attempt.Account // attempts of the kinds Listing and Fetch
	Requests *Requests
	Listing  *wire.AttemptKind // kind of registrations; their first step is the request
	Fetch    *wire.AttemptKind
	About    uint8 // value of Asked.About for a registration
}

// game returns the registration that waits for an answer on a connection, or nil. of is a copy of p in which the game
// server's address replaces the client's.
func (t *Registrations) game(p *wire.Place) (x *attempt.Attempt, of wire.Place) {
	of = *p
	asked, client, server, ok := t.Requests.Of(p)
	if !ok || asked.About != t.About {
		return nil, of
	}
	if p.Src == client {
		of.Src = asked.Who
	} else {
		of.Dst = asked.Who
	}
	return t.Account.Of(t.Listing, asked.Who, server), of
}

// Signal handles an event of a connection, see wire.Watcher.
func (t *Registrations) Signal(s wire.Signal, p *wire.Place) {
	if p.Transport != wire.TCP {
		return
	}
	x, of := t.game(p)
	if x.Outcome() == wire.Open && x != nil {
		t.Account.Signal(s, &of)
	}
	if s == wire.Finishing || s == wire.Resetting {
		Closing(x, p, of.Dst != p.Dst, t.Listing.Steps[0].Awaits)
		Closing(t.Account.Of(t.Fetch, p.Dst, p.Src), p, true, Awaits)
		Closing(t.Account.Of(t.Fetch, p.Src, p.Dst), p, false, Awaits)
	}
}

// Lost records that bytes of a connection are missing, see wire.Tracker.
func (t *Registrations) Lost(p *wire.Place) {
	if _, of := t.game(p); of != *p {
		t.Account.Lost(&of)
	}
	t.Account.Lost(p)
	t.Requests.Lost(p)
}

// Ended records that p.Src sends nothing more on a connection, see wire.Ender.
func (t *Registrations) Ended(p *wire.Place) {
	if x, of := t.game(p); x != nil && x.Outcome() == wire.Open {
		t.Account.Ended(&of)
	}
	t.Account.Ended(p)
	t.Requests.Ended(p)
}

// Jump handles a gap in the capture, see wire.Tracker.
func (t *Registrations) Jump(now int64) {
	t.Requests.Clear()
	t.Account.Jump(now)
}
