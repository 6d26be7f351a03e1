package bzflag17

import (
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// scored is MsgScore.
func (t *tracker) scored(b *Score) {
	v := t.v
	if t.m.Direction == c2s {
		if s := v.score; s.known {
			t.jump(s.wins, s.losses, b)
		}
		v.score = score{b.Wins, b.Losses, true}
		return
	}
	k := v.tank(b.Player)
	if k == nil {
		return
	}
	if k.scored && !t.observed(b.Player) {
		t.jump(k.wins, k.losses, b)
	}
	k.wins, k.losses, k.scored = b.Wins, b.Losses, true
	if v.id(b.Player) == v.own && !v.score.known {
		v.score = score{b.Wins, b.Losses, true}
	}
}

// jump judges the step from one score to the next.
func (t *tracker) jump(wins, losses uint16, b *Score) {
	if far(wins, b.Wins) || far(losses, b.Losses) {
		t.report(ruleScore, t.behind(), 4, "from %d:%d to %d:%d", wins, losses, b.Wins, b.Losses)
	}
}

// far reports whether two numbers are more than one apart; below zero they go round.
func far(a, b uint16) bool { return b-a+1 > 2 }

// timeLeft is MsgTimeLeft.
func (t *tracker) timeLeft(b *TimeLeft) {
	v := t.v
	if v.timed && b.Seconds > v.timeLeft {
		t.report(ruleTime, headerSize, 2, "%d seconds, it was %d before", b.Seconds, v.timeLeft)
	}
	v.timed, v.timeLeft = true, b.Seconds
	if b.Seconds == 0 {
		t.over()
	}
}

// over notes the end of the game: all tanks explode.
func (t *tracker) over() {
	v := t.v
	if !v.over {
		v.over, v.overAt = true, t.p.Time
	}
	v.forgive()
	for _, k := range v.tanks {
		k.life = unsure
	}
}

// ttl is MsgSetTTL from the server.
func (t *tracker) ttl(b *SetTTL) {
	v := t.v
	if v.ttl != 0 && b.TTL <= v.ttl {
		t.report(ruleTTL, headerSize, 2, "a TTL of %d, it was %d before", b.TTL, v.ttl)
	}
	v.ttl = b.TTL
}

// ping is what is known of a client's MsgLagPing.
type ping struct {
	seq     uint16
	sent    int64
	known   bool // seq is
	waiting bool // for the echo
	ahead   bool // the echo came first
	early   uint16
}

const (
	pings    = 10000       // sequence numbers go from 0 to below it
	pingTime = 10 * second // from one to the next
)

// echoOf stands for a ping where a player is named.
func echoOf(seq uint16) PlayerID { return PlayerID{Number: seq} }

// lagPing is MsgLagPing from either side.
func (t *tracker) lagPing(b *LagPing) {
	v := t.v
	q := &v.ping
	if t.m.Direction == s2c {
		if q.known && q.seq == b.Sequence && v.link {
			return // the same datagram once more
		}
		// Datagrams of a link may be lost, and pings with them.
		if next := (q.seq + 1) % pings; q.known && b.Sequence != next && !(v.link && (b.Sequence+pings-next)%pings < pings/2) {
			t.report(ruleLagPing, headerSize, 2, "ping %d follows %d", b.Sequence, q.seq)
		}
		*q = ping{seq: b.Sequence, sent: t.p.Time, known: true, waiting: !q.ahead || q.early != b.Sequence}
		if t.p.Transport == wire.TCP && q.waiting && v.spoke && v.link == v.linkHeard {
			t.suspect(ruleLagPing, echoOf(b.Sequence), pingTime, "ping "+strconv.Itoa(int(b.Sequence))+" was not echoed")
		}
		return
	}
	switch {
	case q.waiting && b.Sequence == q.seq:
		q.waiting = false
		v.explain(ruleLagPing, echoOf(b.Sequence), t.p.Time)
		if v.stage == playing {
			t.out.Measured(wire.Value{Place: *t.p, Table: "players", Who: t.who(v.own), What: "lag", Number: float64(passed(q.sent, t.p.Time)) / 1e9, Unit: "s", Answer: true})
		}
	case !q.known, b.Sequence == (q.seq+1)%pings && !q.waiting:
		q.ahead, q.early = true, b.Sequence // its ping may only have been captured later
	case q.known && b.Sequence != q.seq && !v.link:
		t.report(ruleLagPing, headerSize, 2, "an echo of %d, the ping was %d", b.Sequence, q.seq)
	}
}

// quietTime is after how long another connection counts what happens in a game.
const quietTime = 30 * second

// counts reports whether the connection of the message at hand is the one by which what happens in its
// game is counted: all connections show all of it.
func (t *tracker) counts() *game {
	v := t.v
	if v.stage != playing {
		return nil
	}
	g := t.games.Make(v.game)
	if g.counter != v.serial {
		if g.counter != 0 && before(g.heard, t.p.Time, quietTime) {
			return nil
		}
		g.counter = v.serial
	}
	g.heard = max(t.p.Time, 1)
	return g
}

// count counts something that a player did.
func (t *tracker) count(p PlayerID, what string) {
	if t.counts() == nil {
		return
	}
	if id := t.v.id(p); t.v.tanks[id] != nil {
		t.measure("players", t.who(id), what, 1, "", "")
	}
}

// crowd tells how many players there are.
func (t *tracker) crowd() {
	if !t.v.roster || t.v.robot() {
		return
	}
	if g := t.counts(); g != nil && g.players != len(t.v.tanks) {
		g.players = len(t.v.tanks)
		t.measure("servers", t.v.game.String(), "players", 0, "", strconv.Itoa(g.players))
	}
}

// quit looks for another connection to count by when that of a player ends.
func (t *tracker) quit(p PlayerID) {
	g := t.games.Get(t.v.game)
	n := t.names.Get(playerKey{t.v.game, p})
	if g != nil && n != nil && n.view != 0 && g.counter == n.view {
		g.counter = 0
	}
}

// who tells a player: its id, and its call sign if that is known.
func (t *tracker) who(p PlayerID) string {
	if n := t.names.Get(playerKey{t.v.game, p}); n != nil && n.sign != "" {
		return p.String() + " " + n.sign
	}
	return p.String()
}

func (t *tracker) measure(table, who, what string, number float64, unit, text string) {
	t.out.Measured(wire.Value{Place: *t.p, Table: table, Who: who, What: what, Number: number, Unit: unit, State: text != "", Text: text})
}

// seconds is a time as text.
func seconds(n int64) string { return strconv.FormatFloat(float64(n)/1e9, 'f', 3, 64) + " s" }
