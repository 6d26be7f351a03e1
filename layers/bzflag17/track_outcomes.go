package bzflag17

import (
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// outcomes holds the outcomes of the pending findings of a connection.
type outcomes struct {
	bzflag.Outcomes
	streamed *[2]int64 // times of the last messages over TCP, to the server and from it; nil: not needed
}

func (o *outcomes) held() int {
	n := o.Held()
	if o.streamed != nil {
		n += int(unsafe.Sizeof(*o.streamed))
	}
	return n
}

// record records the time of a message in a stream.
func (o *outcomes) record(m *message) {
	if o.streamed != nil {
		o.streamed[index(m.fromServer())] = m.place.Time
	}
}

// unproven returns an excuse for a finding about a UDP message that was sent at the given time. The finding may be
// wrong because a TCP message is missing from the capture. The excuse is valid unless the capture has a later TCP
// message in the given direction.
func (o *outcomes) unproven(sent int64, fromServer bool) func() bool {
	if o.streamed == nil {
		o.streamed = new([2]int64)
	}
	streamed, i := o.streamed, index(fromServer)
	return func() bool { return streamed[i] <= sent }
}

// index returns the index of a direction in outcomes.streamed.
func index(fromServer bool) int {
	if fromServer {
		return 1
	}
	return 0
}

// settle drops the findings of a rule about a player, because there is an explanation. It keeps findings that were due
// earlier.
func (o *outcomes) settle(rule *wire.Rule, player PlayerID, now int64) {
	o.settleChosen(func(s *subject, d *bzflag.Outcome) bool {
		return s.rule == rule && s.player == player && d.Due >= now
	})
}

// settleActs drops the findings about acts of a player just before MsgAlive or after it.
func (o *outcomes) settleActs(player PlayerID, now int64) {
	o.settleChosen(func(s *subject, d *bzflag.Outcome) bool {
		return s.rule == ruleActing && s.player == player && clock.Elapsed(d.When, now) < sameInstant
	})
}

// settleOvertaken drops the findings that wait for the server's stream and are about messages after now. The caller has
// noticed that the server's stream was captured late.
func (o *outcomes) settleOvertaken(now int64) {
	o.settleChosen(func(s *subject, d *bzflag.Outcome) bool { return s.otherSide && d.When > now })
}

// settleAll drops all findings, because a message that explains them may be lost.
func (o *outcomes) settleAll() { o.Settle(func(*bzflag.Outcome) bool { return true }) }

func (o *outcomes) settleChosen(chosen func(*subject, *bzflag.Outcome) bool) {
	o.Settle(func(d *bzflag.Outcome) bool {
		s, ok := d.Rests.(*subject)
		return ok && chosen(s, d)
	})
}

// subject identifies what a pending finding is about.
type subject struct {
	rule      *wire.Rule
	player    PlayerID
	otherSide bool
}

// shotSubject encodes a shot as a player in a pending finding.
func shotSubject(p PlayerID, shot uint16) PlayerID {
	p.Number ^= shot
	return p
}

// pingSubject encodes a ping as a player in a pending finding.
func pingSubject(number uint16) PlayerID { return PlayerID{Number: number} }
