package bzflag24

import (
	"bytes"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// witnessIdle is how long a connection may be silent before another one counts. Servers tell the
// time every few seconds.
const witnessIdle = int64(15 * time.Second)

// counts reports whether the message counts for statistics. The server tells everybody the same, so
// one connection of a game does; when it ends, another.
func (e *event) isWitness() bool {
	if e.reporter.Value == nil {
		return false
	}
	g, c := e.game, e.connection
	if g.witness == c.Client {
		return true
	}
	if c.view == nil || c.killed {
		return false
	}
	old := e.connectionAt(bzflag.Route{Client: g.witness, Server: c.Server})
	if g.witness.IsValid() && old != nil && elapsed(g.witnessTime, e.place.Time) <= witnessIdle {
		return false
	}
	g.witness, g.witnessTime = c.Client, e.place.Time
	return true
}

// The tables of what is measured.
const (
	players = "players"
	servers = "servers"
	refused = "refused"
)

// count counts one of something that a player did.
func (e *event) measureCount(who, what string) {
	e.reporter.Measured(wire.Value{Place: *e.place, Table: players, Who: who, What: what, Number: 1})
}

// state tells what something has become.
func (e *event) measureState(table, who, what, text string) {
	e.reporter.Measured(wire.Value{Place: *e.place, Table: table, Who: who, What: what, State: true, Text: text})
}

// lag tells how long a lag ping and its answer took.
func (e *event) measureLag(d int64) {
	if e.reporter.Value == nil || e.connection.player == NoPlayer || d < 0 {
		return
	}
	e.reporter.Measured(wire.Value{Place: *e.place, Table: players, Who: e.ownPlayer().String(), What: "lag", Number: seconds(d), Unit: "s", Answer: true})
}

// chat counts a chat line. What begins with a slash is a command to the server.
func (e *event) measureChat(from *Player, text []byte) {
	if e.reporter.Value == nil || int(from.ID) >= maxTanks || bytes.HasPrefix(text, []byte("/")) {
		return
	}
	e.measureCount(from.String(), "chat lines")
}

// self is the client's player.
func (e *event) ownPlayer() *Player {
	if s := &e.layer.Sender; e.layer.HasSender && s.ID == e.connection.player {
		return s
	}
	p := &Player{ID: e.connection.player}
	if r := e.layer.Context.Roster; r != nil {
		p.CallSign = r.Name(uint64(p.ID))
	}
	return p
}

// there tells of a player who is there.
func (e *event) measurePlayer(b *AddPlayer) {
	if e.isWitness() {
		who := Player{b.Player.ID, callSign(b.CallSign)}
		e.measureState(players, who.String(), "team", teams.Format(int64(b.Team)))
		e.measureState(players, who.String(), "connected", "yes")
	}
}

// heard remembers what the server says to the client alone: before it removes a player it tells why.
func (e *event) recordServerWords(b *ChatFrom) {
	if b.From.ID == ServerPlayer && b.To.ID == e.connection.player {
		e.recordReason(string(wire.Trim(b.Text)))
	}
}

// refuse tells whom the server refuses, and why.
func (e *event) measureRefusal(b *Reject) {
	if e.reporter.Value == nil {
		return
	}
	who := e.connection.Client.String()
	if e.connection.callSign != "" {
		who += " " + e.connection.callSign
	}
	e.measureState(refused, who, "reason", b.Reason.String()+": "+string(wire.Trim(b.Text)))
}

func (e *event) recordReason(words string) {
	if e.reporter.Value != nil {
		e.connection.reason, e.connection.reasonTime = words, e.place.Time
	}
}

// removed tells why the server removes a player, as far as it said so just before.
func (e *event) measureRemoval() {
	const just = int64(2 * time.Second)
	if c := e.connection; e.reporter.Value != nil && c.reason != "" && elapsed(c.reasonTime, e.place.Time) <= just {
		e.measureState(players, e.ownPlayer().String(), "removed", c.reason)
	}
}
