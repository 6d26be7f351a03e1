package bzflag17

import (
	"bytes"
	"fmt"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// askTracker follows the requests that a server denies in a private message to the client.
type askTracker struct {
	values  *valueTracker
	pending pendingFindings
}

// removalTime is the maximum time between a removal and the private message that states its reason.
const removalTime = 2 * second

// takeLine handles a line from a client. A line is chat, which the server also sends back to the client, or a command.
func (t *askTracker) takeLine(e *event, b *Message) {
	c := e.conn
	if to := b.To.ID; !to.IsZero() && c.isClient(to) {
		return // the relay of such a line looks like a private message from the server
	}
	if command := bzflag.Command(wire.Trim(b.Text)); command != "" {
		c.wish.Ask(command, e.place.Time)
		return
	}
	c.wish.Ask(bzflag.Talk, e.place.Time)
}

// takeRelayed handles the client's line when the server relays it.
func (t *askTracker) takeRelayed(e *event) {
	c := e.conn
	c.wish.Grant()
	c.outcomes.settle(ruleDenied, c.playerID, e.place.Time)
}

// takeReply handles a private message from the server to the client. If the server removes the client right after the
// message, the message states the reason.
func (t *askTracker) takeReply(e *event, line []byte) {
	words := string(bytes.TrimSpace(wire.Trim(line)))
	c, rule, kind, text := e.conn, ruleWarned, bzflag.Warned, "is warned"
	if what := c.wish.Deny(e.place.Time, words); what != "" {
		rule, kind, text = ruleDenied, bzflag.Denied, "is denied "+what
		if n := e.game.player(c.playerID); n != nil && what == bzflag.Talk {
			e.game.wishes.Answered(n.wished, bzflag.Lines)
		}
	} else if !bzflag.Warns(words) {
		return
	}
	text = fmt.Sprintf("%s %s: %q", called(e, c.playerID), text, bzflag.MaskSecret([]byte(words)))
	if t.values.enabled() {
		t.values.recorder(e).Event(nameOf(e, c.playerID), kind, "%s", text)
	}
	t.add(e, rule, removalTime, text, nil)
}

func (t *askTracker) add(e *event, rule *wire.Rule, wait int64, text string, excuse func() bool) {
	o := &e.conn.outcomes
	t.pending.Add(&o.Outcomes, e.place, bzflag.PendingFinding{
		Rule: rule, Text: text, Wait: wait, Enough: min(wait, second), Excuse: excuse,
		Rests: &subject{rule: rule, player: e.conn.playerID},
	})
}
