package bzflag24

import (
	"net/netip"
	"slices"
	"strconv"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// seat is a player who was told to be there.
type seat struct {
	id   PlayerID
	team Team
	seen clock.Moment // when its connection was heard last, if that is gone
	bzflag.Seat
}

// seat gives the seat of a player, nil if there is none.
func (g *game) seat(id PlayerID) *seat {
	if i := slices.IndexFunc(g.seats, func(s seat) bool { return s.id == id }); i >= 0 {
		return &g.seats[i]
	}
	return nil
}

// recordPresence tells of a player who is there. Standing says that the client is told so because it has just come.
func (e *event) recordPresence(b *AddPlayer, standing bool) {
	s := e.game.seat(b.Player.ID)
	name := callSign(b.CallSign)
	if !e.measures() || standing && s != nil && s.Name == name && !s.Gone || !standing && !e.isNew() {
		return
	}
	p := &Player{b.Player.ID, name}
	if s == nil {
		e.game.seats = append(e.game.seats, seat{})
		s = &e.game.seats[len(e.game.seats)-1]
	} else {
		e.vacate(s)
	}
	e.game.place = *e.place
	told := bzflag.Score{Wins: int(b.Wins), Losses: int(b.Losses), TeamKills: int(b.TeamKills)}
	*s = seat{id: p.ID, team: b.Team, Seat: bzflag.Seat{Who: p.subject(), Name: name, Counted: told}}
	s.Join(e.recorder(), e.called(p), int64(b.Team), e.connection.view.count(e.game), standing)
	e.recordScore(s, told)
	if owner, ok := e.game.owner(p.ID); ok {
		s.Address(e.recorder(), owner)
		if c := e.connections.Peek(bzflag.Route{Client: owner, Server: e.server()}); c != nil && (*c).version != "" {
			e.measureState(bzflag.Players, s.Who, "version", (*c).version)
		}
	}
}

// vacate takes a player from a seat, or none from nil, because another has it now. That the player left was not
// seen, nor when: the last that was heard has to do.
func (e *event) vacate(s *seat) {
	if s == nil || s.Gone {
		return
	}
	last := e.game.told
	if owner, ok := e.game.owner(s.id); ok {
		if c := e.connections.Peek(bzflag.Route{Client: owner, Server: e.server()}); c != nil {
			last = (*c).seen
		}
	} else if s.seen.Known() {
		last = s.seen.When()
	}
	s.Gone = true
	s.LeaveUnseen(e.recorder(), last)
}

// recordAddresses takes what administrators are told of where players come from.
func (e *event) recordAddresses(b *AdminInfo) {
	if !e.measures() {
		return
	}
	for i := range b.Players {
		p := &b.Players[i]
		if s := e.game.seat(p.Player.ID); s != nil {
			s.Address(e.recorder(), netip.AddrPortFrom(netip.AddrFrom4(p.IP), 0))
		}
	}
}

// recordAbsence tells of a player who the server says is gone.
func (e *event) recordAbsence(p *Player) {
	s := e.game.seat(p.ID)
	switch {
	case s == nil:
		e.measureState(bzflag.Players, p.subject(), "connected", "no")
		e.recorder().Event(p.subject(), bzflag.Leave, "%s leaves", e.called(p))
		return
	case !s.Gone:
		s.Leave(e.recorder())
		e.tellLeaving(s, e.removalOf(p.ID))
	}
	e.game.seats = slices.DeleteFunc(e.game.seats, func(s seat) bool { return s.id == p.ID })
}

// removalOf gives what the server told a player just now of why it is removed, if that was seen.
func (e *event) removalOf(id PlayerID) *removal {
	if owner, ok := e.game.owner(id); ok {
		if c := e.connections.Peek(bzflag.Route{Client: owner, Server: e.server()}); c != nil {
			return &(*c).removal
		}
	}
	return new(removal)
}

// tellLeaving tells that a player leaves, and why as far as the server said so.
func (e *event) tellLeaving(s *seat, r *removal) {
	text := e.called(&Player{s.id, s.Name})
	just := r.reason != "" && e.since(r.when) <= bzflag.JustBefore
	switch {
	case just && r.shutdown:
		text += " leaves: the server shuts down"
	case just && r.parting:
		text += " leaves: " + r.reason
	case just:
		text += " is removed by the server: " + r.reason
	case r.dismissed:
		text += " is removed by the server"
	default:
		text += " leaves"
	}
	e.recorder().Event(s.Who, bzflag.Leave, "%s", text)
}

// measureLeaving tells that the player of the connection is gone: the server may not tell anybody. If it shuts down
// all are.
func (e *event) measureLeaving() {
	c, g := e.connection, e.game
	if !e.measures() || c.departed {
		return
	}
	c.departed = true
	counts := g.counting
	if e.isCounting() {
		counts = c
	}
	owner, owned := g.owner(c.player)
	all := c.removal.shutdown && e.since(c.removal.when) <= bzflag.JustBefore
	for i := range g.seats {
		s := &g.seats[i]
		own := s.id == c.player && (!owned || owner == c.Client)
		if !s.Gone && (own || all) {
			s.Gone = true
			s.Leave(e.recorder())
			e.tellLeaving(s, &c.removal)
		}
	}
	if counts != nil && counts.view != nil {
		e.measurePlayerCount(counts)
	}
	g.forget(c)
}

// closeStays tells how long those were there who are still.
func (t *tracker) closeStays(now int64) {
	if t.reporter.Value == nil {
		return
	}
	t.games.Each(func(_ netip.AddrPort, g *game) {
		g.place.Time = now
		t.event = event{tracker: t, place: &g.place, game: g}
		for i := range g.seats {
			if s := &g.seats[i]; !s.Gone {
				s.Stay(t.event.recorder(), now)
			}
		}
	})
}

// measurePlayerCount tells how many players there are, as a connection shows that counts, when that changes.
func (e *event) measurePlayerCount(c *connection) {
	v, g := c.view, e.game
	if !v.complete || !c.joined || g.counting != c && !e.isCounting() {
		return
	}
	if n := v.count(g); n != g.players {
		g.players = n
		e.measureState(bzflag.Servers, "", "players", strconv.Itoa(n))
	}
}

// count is how many players there are in a game, 0 if the view does not tell of all.
func (v *view) count(g *game) int {
	if !v.complete {
		return 0
	}
	n := 0
	for i, k := range v.tanks {
		if s := g.seat(PlayerID(v.ids[i])); k.present && (s == nil || !s.Gone) {
			n++
		}
	}
	return n
}

// seconds is a time in the unit of statistics.
func seconds(d int64) float64 { return time.Duration(d).Seconds() }
