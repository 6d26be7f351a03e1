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
	v := e.view
	old := v.tank(b.Player.ID)
	if old != nil && !old.stale && !e.mayRepeat(b, old) {
		e.report(rulePresent, headerSize, playerIDSize, "%s is there already", b.Player.ID)
	}
	again, own := v.joined.Known(), e.isOwnAdd(b)
	id := b.Player.ID
	if own {
		if b.HasNewID {
			id = b.NewID
		}
		place := *e.place
		v.stage, v.own, v.alias, v.joined, v.ownAdd = playing, id, b.Player.ID, clock.At(place.Time), &place
		v.kind, v.callSign = b.Type, callSign(b.CallSign)
	} else if v.ownAdd != nil && !v.isOwn(id) {
		e.checkListOrder(b)
	}
	v.settle(ruleUnknownPlayer, id, e.place.Time)
	k := old
	if k == nil {
		if k = e.newTank(id); k == nil {
			return
		}
		v.findFlag(k, id)
	}
	k.kind, k.team, k.score, k.stale = b.Type, b.Team, score{b.Wins, b.Losses, true}, false
	if own {
		k.life, k.flagKnown, k.died = dead, true, clock.Moment{}
		if again {
			k.life = lifeUnknown
		}
		v.score = k.score
	}
	n := e.makeGame().players.make(id)
	if own {
		n.serial = v.serial
	}
	e.recordPresence(n, b, id, own)
	e.measurePlayerCount()
}

// isOwnAdd reports whether a MsgAddPlayer tells of the client itself.
func (e *event) isOwnAdd(b *AddPlayer) bool {
	v := e.view
	if v.stage != accepted {
		return false
	}
	return b.HasNewID || b.Player.ID == v.enteredAs || v.enterUnseen && b.Player.ID.Port == e.route.Server.Port()
}

// mayRepeat reports whether a player may be told of once more because a client asked with
// MsgQueryPlayers: 1.07e tells all others of the one who asks.
func (e *event) mayRepeat(b *AddPlayer, old *tank) bool {
	v := e.view
	g := e.game()
	if g != nil && g.queried.Known() && e.since(g.queried.When()) < queryTime {
		return true
	}
	if v.own == v.alias || old.team != b.Team || old.kind != b.Type {
		return false
	}
	return slices.ContainsFunc(v.tanks, func(k tank) bool { return !e.hasOwnConnection(k.id) })
}

// newTank makes room for a player; there may be none.
func (e *event) newTank(id PlayerID) *tank {
	v := e.view
	if len(v.tanks) >= maxTanks {
		v.complete = false
		return nil
	}
	return v.tanks.add(id)
}

// checkListOrder reports that a player was told of after the client itself, as long as it is sure that this
// is still the answer to MsgEnter: the update of the client's own team ends it.
func (e *event) checkListOrder(b *AddPlayer) {
	v := e.view
	if !v.isRobot() && e.since(v.joined.When()) < listTime {
		e.reporter.Report(v.ownAdd, ruleOwnEarly, "%s %q came after it", b.Player.ID, wire.Trim(b.CallSign))
	}
	v.ownAdd = nil
}

// recordTeamUpdate takes how a team stands, and note that the list of players is over.
func (e *event) recordTeamUpdate(b *TeamUpdate) {
	e.recordTeam(b)
	if e.view.stage == playing {
		e.view.ownAdd = nil
	}
}

// checkRemovePlayer checks a MsgRemovePlayer and takes the player out of the game.
func (e *event) checkRemovePlayer(b *RemovePlayer) {
	v := e.view
	id := v.idOf(b.Player.ID)
	e.recordAbsence(id)
	if v.tanks.get(id) == nil {
		if v.complete && !v.isRobot() && v.stage == playing {
			e.report(ruleAbsent, headerSize, playerIDSize, "%s is not there", b.Player.ID)
		}
		return
	}
	if v.left == nil {
		v.left = new(leavers)
	}
	v.left.add(id, e.place.Time)
	for i := range v.flags {
		if f := &v.flags[i]; f.held && f.holder == id {
			f.held = false
		}
	}
	v.tanks.remove(id)
	e.releaseCounting(id)
	e.measurePlayerCount()
}

// checkPresent checks that a player whom a message names is in the game, and reports whether it is; off is where the
// message names it.
func (e *event) checkPresent(p PlayerID, off int, what string) bool {
	v := e.view
	if p.IsZero() || v.stage != playing || v.isOwn(p) || v.tanks.get(p) != nil || !v.complete || v.isRobot() {
		return true
	}
	if v.left.has(p, e.place.Time, leaverMemory) {
		return true
	}
	e.reportOrPostpone(ruleUnknownPlayer, p, off, playerIDSize, what+" "+p.String()+" is not there")
	return false
}

// hasOwnConnection reports whether what a player sends to the server was captured. What the server makes of it
// is not checked again then.
func (e *event) hasOwnConnection(p PlayerID) bool {
	v := e.view
	if v.isOwn(p) {
		return v.clientSeen
	}
	n := e.player(p)
	return n != nil && n.serial != 0 && n.serial != v.serial
}

// actor gives the player who acts in a message, and reports whether this connection has to check it: what
// the server makes of a message that was captured on its way to it is not checked again.
func (e *event) actor(p PlayerID) (k *tank, id PlayerID, checked bool) {
	v := e.view
	if e.layer.Direction == c2s {
		return v.ownTank(), v.own, true
	}
	id = v.idOf(p)
	return v.tanks.get(id), id, !e.hasOwnConnection(id)
}

// bodyOffset is the offset behind the id that a server puts in front of what a client said.
func (e *event) bodyOffset() int {
	if e.layer.Direction == c2s {
		return headerSize
	}
	return headerSize + playerIDSize
}

// checkOwnID checks the id under which a client speaks, and reports whether it is known to be its own.
func (e *event) checkOwnID(p PlayerID) bool {
	v := e.view
	switch {
	case v.stage != playing:
		return false // it is not known who it is
	case v.isOwn(p):
		return true
	}
	e.report(ruleForeign, headerSize, playerIDSize, "it is %s's, the client is %s", p, v.enteredAs)
	return false
}

// checkChat checks whom a message of players that the server passes on names.
func (e *event) checkChat(b *Message) {
	e.recordChat(b)
	if !e.hasOwnConnection(b.From.ID) && e.checkPresent(b.From.ID, headerSize, "the sender") {
		e.checkPresent(b.To.ID, headerSize+playerIDSize, "the receiver")
	}
}
