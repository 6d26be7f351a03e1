package bzflag17

import (
	"strconv"

	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

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
	if id := e.view.idOf(p); e.isWitness() && e.view.tanks.get(id) != nil {
		bzflag.MeasureCount(e.reporter, e.place, e.server(), e.nameOf(id), what)
	}
}

// measureState tells what something has become; who is "" for the server itself.
func (e *event) measureState(table, who, what, text string) {
	bzflag.MeasureState(e.reporter, e.place, table, e.server(), who, what, text)
}

// measureLag tells how long a ping and its echo took.
func (e *event) measureLag(lag int64) {
	bzflag.MeasureLag(e.reporter, e.place, e.server(), e.nameOf(e.view.own), lag)
}

// measurePlayerCount tells how many players there are when that changes.
func (e *event) measurePlayerCount() {
	v := e.view
	if !v.complete || v.isRobot() || !e.isWitness() {
		return
	}
	n := 0
	for i := range v.tanks {
		if p := e.player(v.tanks[i].id); p == nil || !p.gone {
			n++
		}
	}
	if g := e.makeGame(); g.playerCount != n {
		g.playerCount = n
		e.measureState(bzflag.Servers, "", "players", strconv.Itoa(n))
	}
}

// measureLeaving tells that the player of the connection is gone: when the server shuts down it tells nobody.
func (e *event) measureLeaving() {
	v := e.view
	if v.stage != playing || v.departed {
		return
	}
	if n := e.player(v.own); n != nil && n.serial == v.serial {
		n.gone = true
	}
	e.measurePlayerCount()
	e.releaseWitness(v.own)
	if g := e.game(); g != nil {
		g.elder.Leave(v.serial)
	}
	v.departed = true
}

// nameOf tells a player: its id, and its call sign if that is known.
func (e *event) nameOf(p PlayerID) string {
	if n := e.player(p); n != nil {
		return n.name
	}
	return p.String()
}

// seconds is a time as text.
func seconds(nanoseconds int64) string {
	return strconv.FormatFloat(float64(nanoseconds)/float64(second), 'f', 3, 64) + " s"
}
