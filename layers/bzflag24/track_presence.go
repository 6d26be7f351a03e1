package bzflag24

import (
	"slices"
	"strconv"

	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// seat is a player who was told to be there.
type seat struct {
	id   PlayerID
	gone bool   // its connection has ended since
	who  string // as values have it
}

// seat gives the seat of a player, nil if there is none.
func (g *game) seat(id PlayerID) *seat {
	if i := slices.IndexFunc(g.seats, func(s seat) bool { return s.id == id }); i >= 0 {
		return &g.seats[i]
	}
	return nil
}

// measurePlayer tells of a player who is there.
func (e *event) measurePlayer(b *AddPlayer) {
	if !e.isWitness() {
		return
	}
	who := (&Player{b.Player.ID, callSign(b.CallSign)}).String()
	e.measureState(bzflag.Players, who, "team", teams.Format(int64(b.Team)))
	e.measureState(bzflag.Players, who, "connected", "yes")
	s := e.game.seat(b.Player.ID)
	if s == nil {
		e.game.seats = append(e.game.seats, seat{})
		s = &e.game.seats[len(e.game.seats)-1]
	}
	*s = seat{id: b.Player.ID, who: who}
}

// measureRemoved tells of a player who the server says is gone.
func (e *event) measureRemoved(p *Player) {
	if s := e.game.seat(p.ID); s == nil || !s.gone {
		e.measureState(bzflag.Players, p.String(), "connected", "no")
	}
	e.game.seats = slices.DeleteFunc(e.game.seats, func(s seat) bool { return s.id == p.ID })
}

// measureLeaving tells that the player of the connection is gone: the server may not tell anybody. If it shuts down
// all are.
func (e *event) measureLeaving() {
	c, g := e.connection, e.game
	if !e.measures() || c.departed {
		return
	}
	c.departed = true
	counts := g.witness
	if e.isWitness() {
		counts = c
	}
	owner, owned := g.owner(c.player)
	for i := range g.seats {
		s := &g.seats[i]
		own := s.id == c.player && (!owned || owner == c.Client)
		if !s.gone && (own || c.removal.shutdown) {
			s.gone = true
			e.measureState(bzflag.Players, s.who, "connected", "no")
		}
	}
	if counts != nil && counts.view != nil {
		e.measurePlayerCount(counts)
	}
	g.forget(c)
}

// measurePlayerCount tells how many players there are, as a connection shows that counts, when that changes.
func (e *event) measurePlayerCount(c *connection) {
	v, g := c.view, e.game
	if !v.complete || !c.joined || g.witness != c && !e.isWitness() {
		return
	}
	n := 0
	for i, k := range v.tanks {
		if s := g.seat(PlayerID(v.ids[i])); k.present && (s == nil || !s.gone) {
			n++
		}
	}
	if n != g.players {
		g.players = n
		e.measureState(bzflag.Servers, "", "players", strconv.Itoa(n))
	}
}
