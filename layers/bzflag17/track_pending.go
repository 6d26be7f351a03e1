package bzflag17

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

const maxPendingFindings = 64 // of a connection

// arrivalTime is how long what the other side said may be missing only because it was captured later, or
// because its stream waits for bytes.
const arrivalTime = 2 * second

// A pendingFinding is reported at its deadline unless something explains it before.
type pendingFinding struct {
	rule      *wire.Rule
	player    PlayerID // whom it is about; see shotSubject and pingSubject
	text      string
	otherSide bool // what explains it may still come in the other side's stream

	way      int // of what would explain it, see view.streamed
	deadline int64
	place    wire.Place
}

// postpone postpones a finding about the current message: it is reported if nothing explains it in time.
func (e *event) postpone(d pendingFinding, wait int64) {
	c := e.conn
	d.deadline = clock.Add(e.place.Time, wait)
	if len(c.findings) >= maxPendingFindings || !c.pending.add(e.now, d.deadline) {
		return
	}
	d.place, d.way = *e.place, way(e.layer.Direction)
	if d.otherSide {
		d.way = 1 - d.way
	}
	c.findings = append(c.findings, d)
	e.tasks.Add(d.deadline, task{route: e.route, serial: c.serial})
}

// reportOrPostpone is for findings about what one side said that rest on what the other did not say. Those
// about a client wait for what the server's stream may still bring.
func (e *event) reportOrPostpone(rule *wire.Rule, player PlayerID, off, size int, text string) {
	if e.layer.Direction == s2c {
		e.report(rule, off, size, "%s", text)
		return
	}
	e.postpone(pendingFinding{rule: rule, player: player, text: text, otherSide: true}, arrivalTime)
}

// way is the index of a direction in view.streamed.
func way(d wire.Direction) int {
	if d == wire.ToServer {
		return 0
	}
	return 1
}

// proven reports whether nothing is missing that would explain a finding. What was sent over UDP may rest on a message
// of a stream: unless that stream goes on behind it without a gap, the message may be missing.
func (c *connection) proven(d *pendingFinding) bool {
	return d.place.Transport != wire.UDP || c.streamed[d.way] > d.place.Time
}

// reportPending reports the pending findings whose deadline has passed, if they are proven.
func (t *tracker) reportPending(c *connection, now int64) {
	c.dropPending(func(d *pendingFinding) bool {
		if d.deadline > now {
			return false
		}
		if c.proven(d) {
			t.reporter.Report(&d.place, d.rule, "%s", d.text)
		}
		return true
	})
}

// settle drops the pending findings of a rule about a player: something explains them. Those that were due before stay.
func (c *connection) settle(rule *wire.Rule, player PlayerID, now int64) {
	c.dropPending(func(d *pendingFinding) bool {
		return d.rule == rule && d.player == player && d.deadline >= now
	})
}

// settleActing drops the pending findings about what a player did before MsgAlive or just after it.
func (c *connection) settleActing(player PlayerID, now int64) {
	c.dropPending(func(d *pendingFinding) bool {
		return d.rule == ruleActing && d.player == player && clock.Elapsed(d.place.Time, now) < sameInstant
	})
}

// dropOvertaken drops the pending findings that wait for the server when its stream turns out to be behind.
func (c *connection) dropOvertaken(now int64) {
	c.dropPending(func(d *pendingFinding) bool { return d.otherSide && d.place.Time > now })
}

// dropAllPending is for when what would explain them may be lost.
func (c *connection) dropAllPending() { c.findings = nil }

// dropPending drops those that a function chooses. If none is left it frees the slice: a finding is large, and most
// connections have none.
func (c *connection) dropPending(chosen func(*pendingFinding) bool) {
	kept := c.findings[:0]
	for i := range c.findings {
		if d := &c.findings[i]; !chosen(d) {
			kept = append(kept, *d)
		}
	}
	clear(c.findings[len(kept):])
	if c.findings = kept; len(kept) == 0 {
		c.findings = nil
	}
}
