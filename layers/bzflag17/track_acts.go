package bzflag17

// actTracker checks who acts, and whether it may.
type actTracker struct{ pending pendingFindings }

const leaverMemory = 5 * second // others may still name a player who has left

// checkPresent checks that a player whom a message names is in the game, and reports whether it is; off is where the
// message names it.
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

// checkSender checks the id under which a client speaks, and reports whether it is known to be the client's.
func (t *actTracker) checkSender(e *event, p PlayerID) bool {
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

// isCaptured reports whether what a player sends to the server was captured. What the server makes of it
// is not checked again then.
func isCaptured(e *event, p PlayerID) bool {
	c := e.conn
	if c.isClient(p) {
		return c.clientSeen
	}
	n := e.game.player(p)
	return n != nil && n.serial != 0 && n.serial != c.serial
}

// actor returns the player who acts in a message, and reports whether this connection has to check it: what
// the server makes of a message that was captured on its way to it is not checked again.
func actor(e *event, p PlayerID) (k *tank, id PlayerID, checked bool) {
	c := e.conn
	if e.fromClient() {
		return c.clientTank(), c.playerID, true
	}
	id = c.resolve(p)
	return c.tanks.get(id), id, !isCaptured(e, id)
}

// checkOnBoard checks that a player who acts is on the board.
func (t *actTracker) checkOnBoard(e *event, k *tank, id PlayerID, what string) {
	c := e.conn
	if k == nil || k.life != dead {
		return
	}
	// A client learns from others that it is dead, and on the way from the server updates and
	// deaths may pass each other.
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
