package bzflag17

// actTracker checks whether players may act, and whether clients act only for their own players.
type actTracker struct{ pending pendingFindings }

const leaverMemory = 5 * second // for how long messages may name a player who has left

// checkPresent checks and reports whether a player in a message is in the game; off is the offset of the player.
func (t *actTracker) checkPresent(e *event, p PlayerID, off int, what string) bool {
	c := e.conn
	if p.IsZero() || c.stage != playing || c.isClient(p) || c.tanks.get(p) != nil || !c.complete || c.isRobot() {
		return true
	}
	if c.left.has(p, e.place.Time, leaverMemory) {
		return true
	}
	t.pending.report(e, ruleUnknownPlayer, p, off, playerIDSize, what+" "+p.String()+" is not there")
	return false
}

// checkSender checks the id under which a client acts. It reports whether the id is known to belong to the client.
func (t *actTracker) checkSender(e *event, p PlayerID) bool {
	c := e.conn
	switch {
	case c.stage != playing:
		return false // the client's id is not known
	case c.isClient(p):
		return true
	}
	e.report(ruleForeign, headerSize, playerIDSize, "it is %s's, the client is %s", p, c.enteredID)
	return false
}

// isCaptured reports whether the capture has the player's messages to the server. If it does, the server's relays of
// them need no check.
func isCaptured(e *event, p PlayerID) bool {
	c := e.conn
	if c.isClient(p) {
		return c.clientSeen
	}
	n := e.game.player(p)
	return n != nil && n.serial != 0 && n.serial != c.serial
}

// actor returns the player who acts in a message. checked reports whether this connection must check the act. A relay
// need not be checked if the original message was captured on its way to the server.
func actor(e *event, p PlayerID) (k *tank, id PlayerID, checked bool) {
	c := e.conn
	if e.fromClient() {
		return c.clientTank(), c.playerID, true
	}
	id = c.resolve(p)
	return c.tanks.get(id), id, !isCaptured(e, id)
}

// checkOnBoard checks that the tank of the acting player is on the board.
func (t *actTracker) checkOnBoard(e *event, k *tank, id PlayerID, what string) {
	c := e.conn
	if k == nil || k.life != dead {
		return
	}
	// A client learns of its own death from others, and the server's updates and deaths may arrive in either order.
	late := k.reportedByServer || e.fromServer() || c.hasLink
	if late && k.died.Known() && e.since(k.died.When()) < deathNotice {
		return
	}
	wait := sameInstant
	if c.hasLink {
		wait = arrivalTime
	}
	t.pending.add(e, pendingFinding{
		rule: ruleActing, player: id, text: what + ", and its player is not on the board",
		wait: wait, enough: sameInstant,
	})
}
