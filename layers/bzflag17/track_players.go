package bzflag17

import (
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

const (
	queryTime    = 2 * second // in which the answer to MsgQueryPlayers comes as a whole
	listTime     = second / 2 // in which the answer to MsgEnter comes as a whole
	leaverMemory = 5 * second // others may still name a player who has left

	maxTanks = 512 // of a connection; a game has 200 players at most
)

// checkAddPlayer checks a MsgAddPlayer and takes the player into the game.
func (e *event) checkAddPlayer(b *AddPlayer) {
	c := e.conn
	old := c.tank(b.Player.ID)
	if old != nil && !old.stale && !e.mayRepeat(b, old) {
		e.report(rulePresent, headerSize, playerIDSize, "%s is there already", b.Player.ID)
	}
	again, client := c.joined.Known(), e.addsClient(b)
	id := b.Player.ID
	if client {
		if b.HasNewID {
			id = b.NewID
		}
		place := *e.place
		c.stage, c.playerID, c.localID, c.joined, c.playerAdded = playing, id, b.Player.ID, clock.At(place.Time), &place
		c.kind, c.callSign = b.Type, callSign(b.CallSign)
	} else if c.playerAdded != nil && !c.isClient(id) {
		e.checkListOrder(b)
	}
	c.settle(ruleUnknownPlayer, id, e.place.Time)
	k := old
	if k == nil {
		if k = e.newTank(id); k == nil {
			return
		}
		c.findFlag(k, id)
	}
	k.kind, k.team, k.score, k.stale = b.Type, b.Team, score{b.Wins, b.Losses, true}, false
	if client {
		k.life, k.flagKnown, k.died = dead, true, clock.Moment{}
		if again {
			k.life = lifeUnknown
		}
		c.score = k.score
	}
	n := e.makeGame().players.make(id)
	if client {
		n.serial = c.serial
	}
	e.recordPresence(n, b, id, client)
	e.measurePlayerCount()
}

// addsClient reports whether a MsgAddPlayer tells of the client itself.
func (e *event) addsClient(b *AddPlayer) bool {
	c := e.conn
	if c.stage != accepted {
		return false
	}
	return b.HasNewID || b.Player.ID == c.enteredID || c.enterUnseen && b.Player.ID.Port == e.route.Server.Port()
}

// mayRepeat reports whether a player may be told of once more because a client asked with
// MsgQueryPlayers: 1.07e tells all others of the one who asks.
func (e *event) mayRepeat(b *AddPlayer, old *tank) bool {
	c := e.conn
	g := e.game()
	if g != nil && g.queried.Known() && e.since(g.queried.When()) < queryTime {
		return true
	}
	if c.playerID == c.localID || old.team != b.Team || old.kind != b.Type {
		return false
	}
	return slices.ContainsFunc(c.tanks, func(k tank) bool { return !e.isCaptured(k.id) })
}

// newTank makes room for a player; there may be none.
func (e *event) newTank(id PlayerID) *tank {
	c := e.conn
	if len(c.tanks) >= maxTanks {
		c.complete = false
		return nil
	}
	return c.tanks.add(id)
}

// checkListOrder reports that a player was told of after the client itself, as long as it is sure that this
// is still the answer to MsgEnter: the update of the client's own team ends it.
func (e *event) checkListOrder(b *AddPlayer) {
	c := e.conn
	if !c.isRobot() && e.since(c.joined.When()) < listTime {
		e.reporter.Report(c.playerAdded, ruleOwnEarly, "%s %q came after it", b.Player.ID, wire.Trim(b.CallSign))
	}
	c.playerAdded = nil
}

// recordTeamUpdate takes how a team stands, and note that the list of players is over.
func (e *event) recordTeamUpdate(b *TeamUpdate) {
	e.recordTeam(b)
	if e.conn.stage == playing {
		e.conn.playerAdded = nil
	}
}

// checkRemovePlayer checks a MsgRemovePlayer and takes the player out of the game.
func (e *event) checkRemovePlayer(b *RemovePlayer) {
	c := e.conn
	id := c.resolve(b.Player.ID)
	e.recordAbsence(id)
	if c.tanks.get(id) == nil {
		if c.complete && !c.isRobot() && c.stage == playing {
			e.report(ruleAbsent, headerSize, playerIDSize, "%s is not there", b.Player.ID)
		}
		return
	}
	if c.left == nil {
		c.left = new(leavers)
	}
	c.left.add(id, e.place.Time)
	for i := range c.flags {
		if f := &c.flags[i]; f.carried && f.carrier == id {
			f.carried = false
		}
	}
	c.tanks.remove(id)
	e.releaseCounting(id)
	e.measurePlayerCount()
}

// checkPresent checks that a player whom a message names is in the game, and reports whether it is; off is where the
// message names it.
func (e *event) checkPresent(p PlayerID, off int, what string) bool {
	c := e.conn
	if p.IsZero() || c.stage != playing || c.isClient(p) || c.tanks.get(p) != nil || !c.complete || c.isRobot() {
		return true
	}
	if c.left.has(p, e.place.Time, leaverMemory) {
		return true
	}
	e.reportOrPostpone(ruleUnknownPlayer, p, off, playerIDSize, what+" "+p.String()+" is not there")
	return false
}

// isCaptured reports whether what a player sends to the server was captured. What the server makes of it
// is not checked again then.
func (e *event) isCaptured(p PlayerID) bool {
	c := e.conn
	if c.isClient(p) {
		return c.clientSeen
	}
	n := e.player(p)
	return n != nil && n.serial != 0 && n.serial != c.serial
}

// actor gives the player who acts in a message, and reports whether this connection has to check it: what
// the server makes of a message that was captured on its way to it is not checked again.
func (e *event) actor(p PlayerID) (k *tank, id PlayerID, checked bool) {
	c := e.conn
	if e.layer.Direction == c2s {
		return c.clientTank(), c.playerID, true
	}
	id = c.resolve(p)
	return c.tanks.get(id), id, !e.isCaptured(id)
}

// bodyOffset is the offset behind the id that a server puts in front of what a client said.
func (e *event) bodyOffset() int {
	if e.layer.Direction == c2s {
		return headerSize
	}
	return headerSize + playerIDSize
}

// checkSender checks the id under which a client speaks, and reports whether it is known to be its own.
func (e *event) checkSender(p PlayerID) bool {
	c := e.conn
	switch {
	case c.stage != playing:
		return false // it is not known who it is
	case c.isClient(p):
		return true
	}
	e.report(ruleForeign, headerSize, playerIDSize, "it is %s's, the client is %s", p, c.enteredID)
	return false
}

// checkChat checks whom a message of players that the server passes on names.
func (e *event) checkChat(b *Message) {
	e.recordChat(b)
	if !e.isCaptured(b.From.ID) && e.checkPresent(b.From.ID, headerSize, "the sender") {
		e.checkPresent(b.To.ID, headerSize+playerIDSize, "the receiver")
	}
}
