package bzflag17

import "strconv"

// witnessIdle is after how long another connection counts what happens in a game.
const witnessIdle = 30 * second

// isWitness reports whether the connection of the message at hand is the one by which what happens in its
// game is counted: all connections show all of it.
func (e *event) isWitness() bool {
	v := e.view
	if v.stage != playing || v.departed {
		return false
	}
	g := e.makeGame()
	if g.witness != v.serial && g.witness != 0 && e.since(g.witnessTime) < witnessIdle {
		return false
	}
	g.witness, g.witnessTime = v.serial, e.place.Time
	return true
}

// releaseWitness looks for another connection to count by when that of a player ends.
func (e *event) releaseWitness(p PlayerID) {
	g, n := e.game(), e.player(p)
	if g != nil && n != nil && n.serial != 0 && g.witness == n.serial {
		g.witness = 0
	}
}

// measureCount counts something that a player did.
func (e *event) measureCount(p PlayerID, what string) {
	if id := e.view.idOf(p); e.measures() && e.isWitness() && e.view.tanks.get(id) != nil {
		e.teller().Count(e.nameOf(id), what)
	}
}

// measureState tells what something has become; who is "" for the server itself.
func (e *event) measureState(table, who, what, text string) {
	e.teller().State(table, who, what, text)
}

// measureLag tells how long a ping and its echo took.
func (e *event) measureLag(lag int64) {
	if e.measures() {
		e.teller().Lag(e.nameOf(e.view.own), lag)
	}
}

// seconds is a time as text.
func seconds(nanoseconds int64) string {
	return strconv.FormatFloat(float64(nanoseconds)/float64(second), 'f', 3, 64) + " s"
}
