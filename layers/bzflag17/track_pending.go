package bzflag17

import (
	"math"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// The maximum numbers of pending findings per connection.
const (
	maxOpen    = 64  // findings without an explanation so far
	maxPending = 256 // all findings, including those that a message has explained
)

// arrivalTime is how late a message from the other side may be captured.
const arrivalTime = 2 * second

// A pendingFinding is reported when its wait is over, unless a message explains it before that.
type pendingFinding struct {
	rule      *wire.Rule
	player    PlayerID // see shotSubject and pingSubject
	text      string
	otherSide bool  // the explanation may still come in the other side's stream
	wait      int64 // nanoseconds until the finding is due
	enough    int64 // replaces wait if the capture ends earlier; 0: no wait if otherSide, otherwise no finding
}

var keptPending = bounded.Kind{Name: "answers awaited in BZFlag 1.07 games", Silent: "finding that they did not come"}

// pendingFindings are the pending findings of all connections.
type pendingFindings struct{ *bzflag.PendingFindings }

func newPendingFindings(r *wire.Reporter) pendingFindings {
	return pendingFindings{bzflag.NewPendingFindings(r, keptPending, maxPending)}
}

// add adds a finding about the message of an event.
func (p pendingFindings) add(e *event, f pendingFinding) {
	o := &e.conn.outcomes
	if o.Open() >= maxOpen {
		return
	}
	about := &subject{f.rule, f.player, f.otherSide}
	d := bzflag.PendingFinding{Rule: f.rule, Text: f.text, Wait: f.wait, Enough: f.enough, Rests: about}
	if f.enough == 0 && !f.otherSide {
		d.Enough = math.MaxInt64
	}
	if !e.tcp() {
		d.Excuse = o.unproven(e.place.Time, e.fromServer() != f.otherSide)
	}
	p.Add(&o.Outcomes, e.place, d)
}

// report reports a message that is wrong because an expected message from the other side has not come. A finding about
// a client's message waits, because the missing message may still come in the server's stream.
func (p pendingFindings) report(e *event, rule *wire.Rule, player PlayerID, off, size int, text string) {
	if e.fromServer() {
		e.report(rule, off, size, "%s", text)
		return
	}
	p.add(e, pendingFinding{rule: rule, player: player, text: text, otherSide: true, wait: arrivalTime})
}
