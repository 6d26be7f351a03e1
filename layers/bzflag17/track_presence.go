package bzflag17

import (
	"net/netip"
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// nameOf is what tables call a player: by the call sign if it is known, and among several by the id as well.
func (e *event) nameOf(p PlayerID) string {
	if n := e.player(p); n != nil && n.Who != "" {
		return n.Who
	}
	return p.String()
}

// called is how sentences call a player.
func (e *event) called(p PlayerID) string {
	g := e.game()
	if g == nil {
		return bzflag.Called("", p.String(), false)
	}
	name := ""
	if n := g.players.get(p); n != nil {
		name = n.Name
	}
	return bzflag.Called(name, p.String(), g.players.share(name, p))
}

// recordPresence tells of a player who is there; own says that it is the client itself.
func (e *event) recordPresence(n *identity, b *AddPlayer, id PlayerID, client bool) {
	if !e.measures() {
		return
	}
	before := !client && e.tellsHowThingsStand()
	there := n.Who != "" && !n.Gone
	if (before || e.isNew()) && (!there || n.Name != callSign(b.CallSign)) {
		if there { // that it left was not seen, or it has another name now
			n.Leave(e.recorder())
		}
		e.seat(n, b, id, before)
	}
	if client && n.Who != "" {
		n.Address(e.recorder(), e.route.Client)
	}
}

// tellsHowThingsStand reports whether the client is told of those who were there before: it has just come, or a
// client asked.
func (e *event) tellsHowThingsStand() bool {
	c, g, now := e.conn, e.makeGame(), e.place.Time
	switch c.stage {
	case fresh, entering, accepted:
		return true
	}
	return c.asked(g, now) || !c.complete && g.queried.Within(now, queryTime)
}

// seat takes a player into the tables.
func (e *event) seat(n *identity, b *AddPlayer, id PlayerID, before bool) {
	g := e.makeGame()
	score := bzflag.Score{Wins: int(b.Wins), Losses: int(b.Losses)}
	n.Seat = bzflag.Seat{Name: callSign(b.CallSign), Counted: score}
	n.team = b.Team
	switch n.Who = n.Name; {
	case n.Name == "":
		n.Who = id.String()
	case n.Name == bzflag.Nobody, g.players.share(n.Name, id):
		n.Who = n.Name + " " + id.String()
	}
	g.place = *e.place
	players := 0
	if !e.conn.isRobot() && e.conn.complete {
		players = e.conn.count(g)
	}
	n.Join(e.recorder(), e.called(id), int64(b.Team), players, before)
	e.measureState(bzflag.Players, n.Who, "id", id.String())
	n.Score(e.recorder(), score)
	n.scoreTime = e.place.Time
}

// recordAbsence tells of a player who the server says is gone.
func (e *event) recordAbsence(id PlayerID) {
	if !e.isNew() {
		return
	}
	n := e.player(id)
	switch {
	case n == nil:
		e.measureState(bzflag.Players, e.nameOf(id), "connected", "no")
		e.tellEvent(id, bzflag.Leave, "leaves")
	case !n.Gone:
		e.unseat(n, id, "leaves")
	}
}

// unseat tells that a player leaves, in words; if the server said just before why it removes the player, in these.
func (e *event) unseat(n *identity, id PlayerID, how string) {
	t := e.recorder()
	n.Gone = true
	if e.since(n.scoreTime) >= second { // the other message that tells of it may still come
		n.Compare(t, false)
	}
	n.Leave(t)
	if n.removal != "" && e.since(n.removalTime) <= bzflag.JustBefore {
		t.State(bzflag.Players, n.Who, "removed", n.removal)
		how = "is removed by the server: " + n.removal
	}
	e.tellEvent(id, bzflag.Leave, how)
}

// measureLeaving records that the player of the connection is gone, and how: a server that shuts down tells no client.
func (e *event) measureLeaving(how string) {
	c := e.conn
	if c.stage != playing || c.departed {
		return
	}
	if n := e.player(c.playerID); n != nil && n.serial == c.serial && !n.Gone {
		if e.measures() {
			e.unseat(n, c.playerID, how)
		}
		n.Gone = true
	}
	e.measurePlayerCount()
	e.releaseCounting(c.playerID)
	if g := e.game(); g != nil {
		g.reference.Leave(c.serial)
	}
	c.departed = true
}

// closeStays tells how long those were there who are still, and whether the server's score is what was counted.
func (t *tracker) closeStays(now int64) {
	if t.reporter.Value == nil {
		return
	}
	t.games.Each(func(server netip.AddrPort, g *game) {
		g.place.Time = now
		recorder := bzflag.Recorder{Reporter: t.reporter, Place: &g.place, Server: server}
		for _, n := range g.players.sorted() {
			if n.Who == "" || n.Gone {
				continue
			}
			n.Stay(recorder, now)
			if clock.Elapsed(n.scoreTime, now) >= second {
				n.Compare(recorder, false)
			}
		}
	})
}

// measurePlayerCount tells how many players there are when that changes.
func (e *event) measurePlayerCount() {
	c := e.conn
	if !c.complete || c.isRobot() || !e.isCounting() {
		return
	}
	g := e.makeGame()
	if n := c.count(g); g.playerCount != n {
		g.playerCount = n
		e.measureState(bzflag.Servers, "", "players", strconv.Itoa(n))
	}
}

// count is how many players there are in a game.
func (c *connection) count(g *game) int {
	n := 0
	for i := range c.tanks {
		if p := g.players.get(c.tanks[i].id); p == nil || !p.Gone {
			n++
		}
	}
	return n
}
