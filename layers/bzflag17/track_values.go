package bzflag17

import "strconv"

// countingIdle is after how long another connection counts what happens in a game.
const countingIdle = 30 * second

// isCounting reports whether the connection of the message at hand is the one by which what happens in its
// game is counted: all connections show all of it.
func (e *event) isCounting() bool {
	c := e.conn
	if c.stage != playing || c.departed {
		return false
	}
	g := e.makeGame()
	if g.counting != c.serial && g.counting != 0 && e.since(g.countingTime) < countingIdle {
		return false
	}
	g.counting, g.countingTime = c.serial, e.place.Time
	return true
}

// releaseCounting looks for another connection to count by when that of a player ends.
func (e *event) releaseCounting(p PlayerID) {
	g, n := e.game(), e.player(p)
	if g != nil && n != nil && n.serial != 0 && g.counting == n.serial {
		g.counting = 0
	}
}

// measureCount counts something that a player did.
func (e *event) measureCount(p PlayerID, what string) {
	if id := e.conn.resolve(p); e.measures() && e.isCounting() && e.conn.tanks.get(id) != nil {
		e.recorder().Count(e.nameOf(id), what)
	}
}

// measureState tells what something has become; who is "" for the server itself.
func (e *event) measureState(table, who, what, text string) {
	e.recorder().State(table, who, what, text)
}

// measureLag tells how long a ping and its echo took.
func (e *event) measureLag(lag int64) {
	if e.measures() {
		e.recorder().Lag(e.nameOf(e.conn.playerID), lag)
	}
}

// seconds is a time as text.
func seconds(nanoseconds int64) string {
	return strconv.FormatFloat(float64(nanoseconds)/float64(second), 'f', 3, 64) + " s"
}
