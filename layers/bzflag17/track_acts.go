package bzflag17

// actTracker checks whether players may act, and whether clients act only for their own players.
type actTracker struct{ pending pendingFindings }

const leaverMemory = 5 * second // messages may name a player for this long after the player left

// checkPresent reports whether a player whom a message names is in the game. If not, it adds a finding about the id at
// offset off.
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

// checkSender checks that a client acts under its own id. It returns false if the id belongs to another client, or if
// the client's id is not known.
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

// isCaptured reports whether the capture has the player's messages to the server. If so, the server's relays of these
// messages need no check.
func isCaptured(e *event, p PlayerID) bool {
	c := e.conn
	if c.isClient(p) {
		return c.clientSeen
	}
	n := e.game.player(p)
	return n != nil && n.serial != 0 && n.serial != c.serial
}

// actor returns the player who acts in a message. checked is true if the caller must check the act. A relay needs no
// check if the capture has the original message.
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
	// A client may learn of its death from the server, so it may act for a short time after its death. Also, the
	// server's updates and reports of deaths may arrive in either order.
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
