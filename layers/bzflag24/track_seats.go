package bzflag24

import (
	"net/netip"
	"slices"
	"strconv"

	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// seatTracker records joins and departures.
type seatTracker struct {
	values      *valueTracker
	connections *connectionTable
}

// recordJoin records a player who is in the game. standing means that the server is describing the game to a new
// client, so the player may have joined before.
func (t *seatTracker) recordJoin(e event, b *AddPlayer, standing bool) {
	g := e.game
	s := g.seats.find(b.Player.ID)
	name := callSign(b.CallSign)
	if !t.values.wanted() || standing && s != nil && s.Name == name && !s.Gone || !standing && !t.values.claim(e) {
		return
	}
	p := &Player{b.Player.ID, name}
	if s == nil {
		g.seats = append(g.seats, seat{})
		s = &g.seats[len(g.seats)-1]
	} else {
		t.vacate(e, s)
	}
	g.place = *e.place
	score := bzflag.Score{Wins: int(b.Wins), Losses: int(b.Losses), TeamKills: int(b.TeamKills)}
	*s = seat{id: p.ID, team: b.Team, Seat: bzflag.Seat{Who: p.subject(), Name: name, Counted: score}}
	r := t.values.recorder(e)
	s.Join(r, g.seats.called(p), int64(b.Team), g.count(e.connection.view), standing)
	s.setScore(r, score)
	if client, ok := g.client(p.ID); ok {
		s.Address(r, client)
		if c := t.connections.ofPlayer(e, p.ID); c != nil && c.version != "" {
			r.State(bzflag.Players, s.Who, "version", c.version)
		}
	}
}

// vacate ends the stay of a player whose seat another player has taken. s may be nil. The capture does not show when
// the player left, so the player counts as present until the player's last message.
func (t *seatTracker) vacate(e event, s *seat) {
	if s == nil || s.Gone {
		return
	}
	last := e.game.served
	if _, ok := e.game.client(s.id); ok {
		if c := t.connections.ofPlayer(e, s.id); c != nil {
			last = c.active
		}
	} else if s.seen.Known() {
		last = s.seen.When()
	}
	s.Gone = true
	s.LeaveUnseen(t.values.recorder(e), last)
}

// recordLeaving records that the server removes a player from the game.
func (t *seatTracker) recordLeaving(e event, p *Player) {
	g, r := e.game, t.values.recorder(e)
	s := g.seats.find(p.ID)
	switch {
	case s == nil:
		r.State(bzflag.Players, p.subject(), "connected", "no")
		r.Event(p.subject(), bzflag.Leave, "%s leaves", g.seats.called(p))
		return
	case !s.Gone:
		why := new(removal)
		if c := t.connections.ofPlayer(e, p.ID); c != nil {
			why = &c.removal
			why.dropped = c.isOpen() // a player who says goodbye or closes the connection was not dropped
		}
		t.leave(e, s, why)
	}
	g.seats = slices.DeleteFunc(g.seats, func(s seat) bool { return s.id == p.ID })
}

// leave records that a player leaves, with the reason.
func (t *seatTracker) leave(e event, s *seat, why *removal) {
	r := t.values.recorder(e)
	s.Leave(r)
	r.Event(s.Who, bzflag.Leave, "%s", why.sentence(e.message, e.game.seats.called(&Player{s.id, s.Name})))
}

// recordEnd records that the client's player leaves because the connection ends. The server does not always announce
// this. If the server is shutting down, all players leave.
func (t *seatTracker) recordEnd(e event) {
	c, g := e.connection, e.game
	if !t.values.wanted() || c.departed {
		return
	}
	c.departed = true
	counting := g.counting
	if t.values.isCounting(e) {
		counting = c
	}
	client, ok := g.client(c.player)
	all := c.removal.shutdown && e.since(c.removal.when) <= justBefore
	for i := range g.seats {
		s := &g.seats[i]
		if isClient := s.id == c.player && (!ok || client == c.Client); !s.Gone && (isClient || all) {
			s.Gone = true
			t.leave(e, s, &c.removal)
		}
	}
	if counting != nil && counting.view != nil {
		t.recordCount(e, counting)
	}
	g.remove(c)
}

// recordDismissal records that the server ends the client's connection by MsgSuperKill. reason is the reason for the
// player's removal, or "" if the player was not removed.
func (t *seatTracker) recordDismissal(e event, reason string) {
	c := e.connection
	c.removal.dismiss(e.message, reason)
	if reason != "" && int(c.player) < maxTanks && t.values.wanted() {
		t.values.recorder(e).State(bzflag.Players, clientPlayer(e).subject(), "removed", reason)
	}
	t.recordEnd(e)
}

// takeAddresses handles the addresses of players, which servers send to administrators.
func (t *seatTracker) takeAddresses(e event, b *AdminInfo) {
	if !t.values.wanted() {
		return
	}
	for i := range b.Players {
		p := &b.Players[i]
		if s := e.game.seats.find(p.Player.ID); s != nil {
			s.Address(t.values.recorder(e), netip.AddrPortFrom(netip.AddrFrom4(p.IP), 0))
		}
	}
}

// recordCount records changes in the number of players on the counting connection (see valueTracker.isCounting). After
// a gap in the counting connection, any other connection may count.
func (t *seatTracker) recordCount(e event, c *connection) {
	v, g := c.view, e.game
	if !v.complete || !c.joined || !t.values.wanted() {
		return
	}
	if g.counting != c && (g.counting == nil || g.counting.sees()) && !t.values.isCounting(e) {
		return
	}
	if n := g.count(v); n != g.players {
		g.players = n
		t.values.recorder(e).State(bzflag.Servers, "", "players", strconv.Itoa(n))
	}
}

// close records the stays of players who are present at the end of the capture.
func (t *seatTracker) close(now int64) {
	if !t.values.wanted() {
		return
	}
	t.connections.games.Each(func(_ netip.AddrPort, g *game) {
		g.place.Time = now
		r := t.values.recorder(event{message: message{place: &g.place}, game: g})
		for i := range g.seats {
			if s := &g.seats[i]; !s.Gone {
				s.Stay(r, now)
			}
		}
	})
}
