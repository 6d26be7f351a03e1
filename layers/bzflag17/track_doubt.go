package bzflag17

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

const maxDoubts = 64 // of a connection

// arrivalTime is how long what the other side said may be missing only because it was captured later, or
// because its stream waits for bytes.
const arrivalTime = 2 * second

// A doubt is a finding that something may still explain.
type doubt struct {
	rule      *wire.Rule
	player    PlayerID // whom it is about; see shotSubject and pingSubject
	text      string
	otherSide bool // what explains it may still come in the other side's stream

	deadline int64
	place    wire.Place
}

// doubt puts a finding about the message at hand off: it holds if nothing explains it in time.
func (e *event) doubt(d doubt, wait int64) {
	v := e.view
	d.deadline = clock.Add(e.place.Time, wait)
	if len(v.doubts) >= maxDoubts || !v.pending.add(e.now, d.deadline) {
		return
	}
	d.place = *e.place
	v.doubts = append(v.doubts, d)
	e.tasks.Add(d.deadline, task{route: e.route, serial: v.serial})
}

// reportOrDoubt is for findings about what one side said that rest on what the other did not say. Those
// about a client wait for what the server's stream may still bring.
func (e *event) reportOrDoubt(rule *wire.Rule, player PlayerID, off, size int, text string) {
	if e.layer.Direction == s2c {
		e.report(rule, off, size, "%s", text)
		return
	}
	e.doubt(doubt{rule: rule, player: player, text: text, otherSide: true}, arrivalTime)
}

// reportDoubts reports the doubts that nothing explained until now.
func (t *tracker) reportDoubts(v *view, now int64) {
	v.dropDoubts(func(d *doubt) bool {
		if d.deadline > now {
			return false
		}
		t.reporter.Report(&d.place, d.rule, "%s", d.text)
		return true
	})
}

// settle drops the doubts of a rule about a player that something explains now, unless they were due
// before.
func (v *view) settle(rule *wire.Rule, player PlayerID, now int64) {
	v.dropDoubts(func(d *doubt) bool {
		return d.rule == rule && d.player == player && d.deadline >= now
	})
}

// settleActing drops the doubts about what a player did before MsgAlive or just after it.
func (v *view) settleActing(player PlayerID, now int64) {
	v.dropDoubts(func(d *doubt) bool {
		return d.rule == ruleActing && d.player == player && clock.Elapsed(d.place.Time, now) < sameInstant
	})
}

// dropOvertaken drops the doubts that wait for the server when its stream turns out to be behind.
func (v *view) dropOvertaken(now int64) {
	v.dropDoubts(func(d *doubt) bool { return d.otherSide && d.place.Time > now })
}

// dropAllDoubts is for when what would explain them may be lost.
func (v *view) dropAllDoubts() { v.doubts = nil }

// dropDoubts drops those that a function chooses. A doubt is large, and most connections have none most of the time.
func (v *view) dropDoubts(chosen func(*doubt) bool) {
	kept := v.doubts[:0]
	for i := range v.doubts {
		if d := &v.doubts[i]; !chosen(d) {
			kept = append(kept, *d)
		}
	}
	clear(v.doubts[len(kept):])
	if v.doubts = kept; len(kept) == 0 {
		v.doubts = nil
	}
}
