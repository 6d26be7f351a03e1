package bzflag24

import (
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// countingIdle is how long a connection may be silent before another one counts. Servers tell the
// time every few seconds.
const countingIdle = int64(15 * time.Second)

// measures reports whether the caller wants values.
func (e *event) measures() bool { return e.reporter.Value != nil }

// isCounting reports whether the message counts for statistics. The server tells everybody the same, so
// one connection of a game does; when it ends, another.
func (e *event) isCounting() bool {
	g, c := e.game, e.connection
	switch {
	case !e.measures():
		return false
	case g.counting == c:
		return true
	case c.view == nil || c.killed.Known():
		return false
	}
	if g.counting != nil && e.since(g.countingTime) <= countingIdle {
		return false
	}
	g.counting, g.countingTime = c, e.place.Time
	return true
}

// measureCount counts one of something that a player did.
func (e *event) measureCount(who *Player, what string) {
	e.recorder().Count(who.subject(), what)
}

// server is the address of the game.
func (e *event) server() netip.AddrPort {
	if e.connection != nil {
		return e.connection.Server
	}
	return e.place.Src
}

// measureState tells what something has become; who is "" for the server itself.
func (e *event) measureState(table, who, what, text string) {
	e.recorder().State(table, who, what, text)
}

// measureLag tells how long a lag ping and its answer took.
func (e *event) measureLag(d int64) {
	if !e.measures() || d < 0 {
		return
	}
	p := e.ownPlayer()
	if p.ID == NoPlayer {
		p = e.named(e.connection.speaker)
	}
	if int(p.ID) < maxTanks {
		e.recorder().Lag(p.subject(), d)
	}
}

// ownPlayer is the client's player.
func (e *event) ownPlayer() *Player {
	if s := &e.layer.Sender; e.layer.HasSender && s.ID == e.connection.player {
		return s
	}
	return e.named(e.connection.player)
}

// named is the player with a number, with the call sign if that is known.
func (e *event) named(id PlayerID) *Player {
	p := &Player{ID: id}
	if r := e.layer.Context.Roster; r != nil {
		p.CallSign = r.Name(uint64(p.ID))
	}
	return p
}

// measureRefusal tells whom the server refuses, and why.
func (e *event) measureRefusal(reason string) {
	if c := e.connection; e.measures() {
		who := e.recorder().Refusal(c.Client, c.callSign, reason)
		if c.version != "" {
			e.measureState(bzflag.Refused, who, "version", c.version)
		}
	}
}
