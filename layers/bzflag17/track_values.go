package bzflag17

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// countingIdle is how long a connection may be silent before another connection counts the events of a game.
const countingIdle = 30 * second

type valueTracker struct {
	reporter *wire.Reporter
	games    *gameTable
}

// enabled reports whether values are collected.
func (t *valueTracker) enabled() bool { return t.reporter.Value != nil }

// recorder returns a recorder of events at the server of an event.
func (t *valueTracker) recorder(e *event) bzflag.Recorder {
	t.games.make(e).reported = true
	return bzflag.Recorder{Reporter: t.reporter, Place: e.place, Server: e.server}
}

// isCounting reports whether events on the connection count. All connections of a game show the same events, so only
// one of them counts.
func (t *valueTracker) isCounting(e *event) bool {
	c := e.conn
	if c.stage != playing || c.departed {
		return false
	}
	g := t.games.make(e)
	if g.counting != c.serial && g.counting != 0 && e.since(g.countingTime) < countingIdle {
		return false
	}
	g.counting, g.countingTime = c.serial, e.place.Time
	return true
}

// count counts an action of a player.
func (t *valueTracker) count(e *event, p PlayerID, what string) {
	if id := e.conn.resolve(p); t.enabled() && t.isCounting(e) && e.conn.tanks.get(id) != nil {
		t.recorder(e).Count(nameOf(e, id), what)
	}
}

// event records an event of a player. does is the text after the player's name.
func (t *valueTracker) event(e *event, p PlayerID, what, does string) {
	t.recorder(e).Event(nameOf(e, p), what, "%s %s", called(e, p), does)
}

// nameOf returns the name of a player for use in tables: the call sign if it is known. If several players have the same
// call sign, the id is added.
func nameOf(e *event, p PlayerID) string {
	if n := e.game.player(p); n != nil && n.Who != "" {
		return n.Who
	}
	return p.String()
}

// called returns the name of a player for use in sentences.
func called(e *event, p PlayerID) string {
	if e.game == nil {
		return bzflag.Called("", p.String(), false)
	}
	name := ""
	if n := e.game.player(p); n != nil {
		name = n.Name
	}
	return bzflag.Called(name, p.String(), e.game.players.share(name, p))
}
