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
func (e *event) counts() bool {
	if e.to.Value == nil {
		return false
	}
	g, c := e.g, e.c
	if g.witness == c.Client {
		return true
	}
	if c.view == nil || c.killed {
		return false
	}
	old := e.connAt(bzflag.Route{Client: g.witness, Server: c.Server})
	if g.witness.IsValid() && old != nil && elapsed(g.witnessTime, e.p.Time) <= witnessIdle {
		return false
	}
	g.witness, g.witnessTime = c.Client, e.p.Time
	return true
}

// The tables of what is measured.
const (
	players = "players"
	servers = "servers"
	refused = "refused"
)

// count counts one of something that a player did.
func (e *event) count(who, what string) {
	e.to.Measured(wire.Value{Place: *e.p, Table: players, Who: who, What: what, Number: 1})
}

// state tells what something has become.
func (e *event) state(table, who, what, text string) {
	e.to.Measured(wire.Value{Place: *e.p, Table: table, Who: who, What: what, State: true, Text: text})
}

// lag tells how long a lag ping and its answer took.
func (e *event) lag(d int64) {
	if e.to.Value == nil || e.c.player == NoPlayer || d < 0 {
		return
	}
	e.to.Measured(wire.Value{Place: *e.p, Table: players, Who: e.self().String(), What: "lag", Number: seconds(d), Unit: "s", Answer: true})
}

// chat counts a chat line. What begins with a slash is a command to the server.
func (e *event) chat(from *Player, text []byte) {
	if e.to.Value == nil || int(from.ID) >= maxTanks || bytes.HasPrefix(text, []byte("/")) {
		return
	}
	e.count(from.String(), "chat lines")
}

// self is the client's player.
func (e *event) self() *Player {
	if s := &e.l.Sender; e.l.HasSender && s.ID == e.c.player {
		return s
	}
	p := &Player{ID: e.c.player}
	if r := e.l.Context.Roster; r != nil {
		p.CallSign = r.Name(uint64(p.ID))
	}
	return p
}

// there tells of a player who is there.
func (e *event) there(b *AddPlayer) {
	if e.counts() {
		who := Player{b.Player.ID, callSign(b.CallSign)}
		e.state(players, who.String(), "team", teams.Format(int64(b.Team)))
		e.state(players, who.String(), "connected", "yes")
	}
}

// heard remembers what the server says to the client alone: before it removes a player it tells why.
func (e *event) heard(b *ChatFrom) {
	if b.From.ID == ServerPlayer && b.To.ID == e.c.player {
		e.remember(string(wire.Trim(b.Text)))
	}
}

// refuse tells whom the server refuses, and why.
func (e *event) refuse(b *Reject) {
	if e.to.Value == nil {
		return
	}
	who := e.c.Client.String()
	if e.c.sign != "" {
		who += " " + e.c.sign
	}
	e.state(refused, who, "reason", b.Reason.String()+": "+string(wire.Trim(b.Text)))
}

func (e *event) remember(words string) {
	if e.to.Value != nil {
		e.c.words, e.c.wordsTime = words, e.p.Time
	}
}

// removed tells why the server removes a player, as far as it said so just before.
func (e *event) removed() {
	const just = int64(2 * time.Second)
	if c := e.c; e.to.Value != nil && c.words != "" && elapsed(c.wordsTime, e.p.Time) <= just {
		e.state(players, e.self().String(), "removed", c.words)
	}
}
