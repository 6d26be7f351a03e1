package bzflag17

import (
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// witnessIdle is after how long another connection counts what happens in a game.
const witnessIdle = 30 * second

// witnessedGame gives the game of the message at hand if its connection is the one by which what happens
// there is counted, else nil: all connections show all of it.
func (e *event) witnessedGame() *game {
	v, now := e.view, e.place.Time
	if v.stage != playing {
		return nil
	}
	g := e.games.Make(v.server)
	if g.witness != v.serial && g.witness != 0 && clock.Elapsed(g.witnessTime, now) < witnessIdle {
		return nil
	}
	g.witness, g.witnessTime = v.serial, now
	return g
}

// releaseWitness looks for another connection to count by when that of a player ends.
func (e *event) releaseWitness(p PlayerID) {
	g := e.games.Get(e.view.server)
	n := e.identities.Get(playerKey{e.view.server, p})
	if g != nil && n != nil && n.serial != 0 && g.witness == n.serial {
		g.witness = 0
	}
}

// count counts something that a player did.
func (e *event) count(p PlayerID, what string) {
	if e.witnessedGame() == nil {
		return
	}
	if id := e.view.idOf(p); e.view.tanks[id] != nil {
		e.measure(wire.Value{Table: "players", Who: e.nameOf(id), What: what, Number: 1})
	}
}

// recordLag tells how long a ping and its echo took.
func (e *event) recordLag(lag int64) {
	number := float64(lag) / float64(second)
	e.measure(wire.Value{
		Table: "players", Who: e.nameOf(e.view.own), What: "lag", Number: number, Unit: "s", Answer: true,
	})
}

// recordPlayerCount tells how many players there are.
func (e *event) recordPlayerCount() {
	v := e.view
	if !v.complete || v.isRobot() {
		return
	}
	if g := e.witnessedGame(); g != nil && g.playerCount != len(v.tanks) {
		g.playerCount = len(v.tanks)
		e.recordState("servers", v.server.String(), "players", strconv.Itoa(g.playerCount))
	}
}

// recordState tells what something has become.
func (e *event) recordState(table, who, what, text string) {
	e.measure(wire.Value{Table: table, Who: who, What: what, State: true, Text: text})
}

// measure tells of a value that the message at hand shows.
func (e *event) measure(v wire.Value) {
	v.Place = *e.place
	e.reporter.Measured(v)
}

// nameOf tells a player: its id, and its call sign if that is known.
func (e *event) nameOf(p PlayerID) string {
	if n := e.identities.Get(playerKey{e.view.server, p}); n != nil && n.callSign != "" {
		return p.String() + " " + n.callSign
	}
	return p.String()
}

// seconds is a time as text.
func seconds(nanoseconds int64) string {
	return strconv.FormatFloat(float64(nanoseconds)/float64(second), 'f', 3, 64) + " s"
}
