package bzflag24

import (
	"fmt"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// askTracker follows client requests that the server may deny with a private message.
type askTracker struct {
	values      *valueTracker
	pending     *bzflag.PendingFindings
	connections *connectionTable
}

// removalTime is the maximum time between a removal and the private message that states the reason for it.
const removalTime = int64(2 * time.Second)

// takeLine handles a line from a client: a command, or chat, which the server also sends back to the client.
func (t *askTracker) takeLine(e event, b *Chat) {
	c := e.connection
	if command := bzflag.Command(wire.Trim(b.Text)); command != "" {
		c.asked.Ask(command, e.place.Time)
		return
	}
	c.asked.Ask(bzflag.Talk, e.place.Time)
}

// takeReply handles a private message from the server to the client. If the server removes the client right after the
// message, the message is the reason for the removal, and not a denial or a warning.
func (t *askTracker) takeReply(e event, words string) {
	c, rule, kind, text := e.connection, ruleWarned, bzflag.Warned, "is warned"
	if c.removal.parting {
		return
	}
	what := c.asked.Deny(e.place.Time, words)
	if what != "" {
		rule, kind, text = ruleDenied, bzflag.Denied, "is denied "+what
		c.asked.Grant() // excuses pending denials of earlier requests, which the server may have answered
		switch what {
		case bzflag.Talk:
			e.game.wishes.Answered(c.wished, bzflag.Lines)
		case bzflag.Respawn:
			e.game.wishes.Answered(c.wished, bzflag.Spawns)
		}
	} else if !bzflag.Warns(words) {
		return
	}
	player := clientPlayer(e)
	text = fmt.Sprintf("%s %s: %q", e.game.seats.called(player), text, bzflag.MaskSecret([]byte(words)))
	if t.values.wanted() {
		t.values.recorder(e).Event(player.subject(), kind, "%s", text)
	}
	granted := c.asked.Granted
	t.pending.Add(&c.outcomes, e.place, bzflag.PendingFinding{
		Rule: rule, Text: text, Wait: removalTime, Excuse: func() bool {
			return c.killed.Known() || (what == bzflag.Talk || what == bzflag.Respawn) && c.asked.Granted != granted
		},
	})
}

// takeRelayed handles a line of chat that the server relays to any client. The line shows that its sender may chat.
func (t *askTracker) takeRelayed(e event, b *ChatFrom) {
	if int(b.From.ID) < maxTanks {
		t.grant(e, b.From.ID)
	}
}

// grant records that the server grants a player's request.
func (t *askTracker) grant(e event, id PlayerID) {
	c := e.connection
	if id != c.player {
		c = t.connections.ofPlayer(e, id)
	}
	if c != nil {
		c.asked.Grant()
	}
}
