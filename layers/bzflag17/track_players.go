package bzflag17

import (
	"net/netip"
	"slices"
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// playerTracker follows the players of a game, and records them for tables and the timeline.
type playerTracker struct {
	reporter *wire.Reporter
	games    *gameTable
	values   *valueTracker
	news     *newsTracker
}

// checkAdd checks a MsgAddPlayer and adds the player to the game.
func (t *playerTracker) checkAdd(e *event, b *AddPlayer) {
	c := e.conn
	old := c.tank(b.Player.ID)
	if old != nil && !old.stale && !mayRepeat(e, b, old) {
		e.report(rulePresent, headerSize, playerIDSize, "%s is there already", b.Player.ID)
	}
	again, client := c.joined.Known(), addsClient(e, b)
	id := b.Player.ID
	if client {
		if b.HasNewID {
			id = b.NewID
		}
		place := *e.place
		c.stage, c.playerID, c.localID, c.joined, c.playerAdded = playing, id, b.Player.ID, clock.At(place.Time), &place
		c.kind, c.callSign = b.Type, callSign(b.CallSign)
	} else if c.playerAdded != nil && !c.isClient(id) {
		t.checkListOrder(e, b)
	}
	c.outcomes.settle(ruleUnknownPlayer, id, e.place.Time)
	k := old
	if k == nil {
		if len(c.tanks) >= maxTanks {
			c.complete = false
			return
		}
		k = c.tanks.add(id)
		c.findFlag(k, c.complete && !c.isRobot())
	}
	k.kind, k.team, k.score, k.stale = b.Type, b.Team, score{b.Wins, b.Losses, true}, false
	if client {
		k.life, k.flagKnown, k.died = dead, true, clock.Moment{}
		if again {
			k.life = lifeUnknown
		}
		c.score = k.score
	}
	n := t.games.make(e).players.make(id)
	if client {
		n.serial = c.serial
	}
	t.recordPresence(e, n, b, id, client)
	t.countPlayers(e)
}

// addsClient reports whether a MsgAddPlayer adds the client itself.
func addsClient(e *event, b *AddPlayer) bool {
	c := e.conn
	if c.stage != accepted {
		return false
	}
	return b.HasNewID || b.Player.ID == c.enteredID || c.enterUnseen && b.Player.ID.Port == e.route.Server.Port()
}

// mayRepeat reports whether the server may add a player a second time. If a client sends MsgQueryPlayers, servers of
// 1.07e add that client again for all other clients.
func mayRepeat(e *event, b *AddPlayer, old *tank) bool {
	c := e.conn
	g := e.game
	if g != nil && g.queried.Known() && e.since(g.queried.When()) < queryTime {
		return true
	}
	if c.playerID == c.localID || old.team != b.Team || old.kind != b.Type {
		return false
	}
	return slices.ContainsFunc(c.tanks, func(k tank) bool { return !isCaptured(e, k.id) })
}

// checkListOrder reports that the client was added before another player of the list that answers MsgEnter. The
// client's own MsgAddPlayer must come last. The next MsgTeamUpdate ends the list.
func (t *playerTracker) checkListOrder(e *event, b *AddPlayer) {
	c := e.conn
	if !c.isRobot() && e.since(c.joined.When()) < listTime {
		t.reporter.Report(c.playerAdded, ruleOwnEarly, "%s %q came after it", b.Player.ID, wire.Trim(b.CallSign))
	}
	c.playerAdded = nil
}

// checkRemove checks a MsgRemovePlayer and removes the player from the game.
func (t *playerTracker) checkRemove(e *event, b *RemovePlayer) {
	c := e.conn
	id := c.resolve(b.Player.ID)
	t.recordAbsence(e, id)
	if c.tanks.get(id) == nil {
		if c.complete && !c.isRobot() && c.stage == playing {
			e.report(ruleAbsent, headerSize, playerIDSize, "%s is not there", b.Player.ID)
		}
		return
	}
	c.board.remove(id, e.place.Time)
	e.game.releaseCounting(id)
	t.countPlayers(e)
}

// recordPresence records a player who is in the game. client means that the player is the client itself.
func (t *playerTracker) recordPresence(e *event, n *identity, b *AddPlayer, id PlayerID, client bool) {
	if !t.values.enabled() {
		return
	}
	before := !client && t.listsPlayers(e)
	there := n.Who != "" && !n.Gone
	if (before || t.news.isNew(e)) && (!there || n.Name != callSign(b.CallSign)) {
		if there { // the player left and joined again, or has a new name
			n.Leave(t.values.recorder(e))
		}
		t.seat(e, n, b, id, before)
	}
	if client && n.Who != "" {
		n.Address(t.values.recorder(e), e.route.Client)
	}
}

// listsPlayers reports whether the server is listing earlier players, because the client is new or a client sent a
// query.
func (t *playerTracker) listsPlayers(e *event) bool {
	c, g, now := e.conn, t.games.make(e), e.place.Time
	switch c.stage {
	case fresh, entering, accepted:
		return true
	}
	return c.mayHaveAsked(g, now) || !c.complete && g.queried.Within(now, queryTime)
}

// seat adds a player to the tables.
func (t *playerTracker) seat(e *event, n *identity, b *AddPlayer, id PlayerID, before bool) {
	g := t.games.make(e)
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
		players = e.conn.countPlayers(g)
	}
	team := int64(b.Team)
	if observes(b.Type, n.Name) {
		team = bzflag.Observers
	}
	n.Join(t.values.recorder(e), called(e, id), team, players, before)
	t.values.recorder(e).State(bzflag.Players, n.Who, "id", id.String())
	n.Score(t.values.recorder(e), score)
	n.scoreTime = e.place.Time
}

// recordAbsence records that a player has left, according to the server.
func (t *playerTracker) recordAbsence(e *event, id PlayerID) {
	if !t.news.isNew(e) {
		return
	}
	n := e.game.player(id)
	switch {
	case n == nil:
		t.values.recorder(e).State(bzflag.Players, nameOf(e, id), "connected", "no")
		t.values.event(e, id, bzflag.Leave, "leaves")
	case !n.Gone:
		t.unseat(e, n, id, "leaves")
	}
}

// unseat records how a player leaves.
func (t *playerTracker) unseat(e *event, n *identity, id PlayerID, how string) {
	r := t.values.recorder(e)
	n.Gone = true
	if e.since(n.scoreTime) >= second { // otherwise MsgKilled or MsgScore for the player's last death may still come
		n.Compare(r, false)
	}
	n.Leave(r)
	t.values.event(e, id, bzflag.Leave, how)
}

// recordLeaving records that the player of the connection leaves, and how. A server that shuts down does not announce
// that its players leave.
func (t *playerTracker) recordLeaving(e *event, how string) {
	c := e.conn
	if c.stage != playing || c.departed {
		return
	}
	if n := e.game.player(c.playerID); n != nil && n.serial == c.serial && !n.Gone {
		if t.values.enabled() {
			recordSilence(t.values.recorder(e), n, c)
			t.unseat(e, n, c.playerID, how)
		}
		n.Gone = true
	}
	t.countPlayers(e)
	e.game.releaseCounting(c.playerID)
	if e.game != nil {
		e.game.reference.Leave(c.serial)
	}
	c.departed = true
}

// close records how long the players who are still present have stayed, and whether the server's scores equal the
// counted scores.
func (t *playerTracker) close(now int64) {
	if !t.values.enabled() {
		return
	}
	t.games.byServer.Each(func(server netip.AddrPort, g *game) {
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

// countPlayers records changes in the number of players.
func (t *playerTracker) countPlayers(e *event) {
	c := e.conn
	if !c.complete || c.isRobot() || !t.values.isCounting(e) {
		return
	}
	g := t.games.make(e)
	if n := c.countPlayers(g); g.playerCount != n {
		g.playerCount = n
		t.values.recorder(e).State(bzflag.Servers, "", "players", strconv.Itoa(n))
	}
}

// recordRemoval records the reason why the server removes the player of the connection.
func (t *playerTracker) recordRemoval(e *event, reason string) {
	if n := e.game.player(e.conn.playerID); n != nil && n.Who != "" && t.values.enabled() {
		t.values.recorder(e).State(bzflag.Players, n.Who, "removed", reason)
	}
}
