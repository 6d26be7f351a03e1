package bzflag17

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// chatTracker records and checks chat.
type chatTracker struct {
	values   *valueTracker
	news     *newsTracker
	acts     *actTracker
	attempts attemptTracker
	asks     *askTracker
}

// record records a line of chat that the server relays. In a private message from the server, the recipient is also the
// sender.
func (t *chatTracker) record(e *event, b *Message) {
	from, to := e.conn.resolve(b.From.ID), e.conn.resolve(b.To.ID)
	if from == to && !from.IsZero() {
		if from == e.conn.playerID {
			t.attempts.takeWords(e, b.Text)
			t.asks.takeReply(e, b.Text)
		}
		return
	}
	if from == e.conn.playerID {
		t.asks.takeRelayed(e)
	}
	if !t.news.isNew(e) {
		return
	}
	who, whom, audience := nameOf(e, from), "", ""
	switch {
	case !to.IsZero():
		whom, audience = nameOf(e, to), called(e, to)
	case b.Team != RogueTeam:
		whom = teams.Format(int64(b.Team))
		audience = whom
	}
	text := bzflag.ChatSentence(called(e, from), audience, bzflag.MaskSecret(wire.Trim(b.Text)))
	t.values.recorder(e).Say(bzflag.Says, who, whom, text)
}

// check checks the players in a line of chat that the server relays.
func (t *chatTracker) check(e *event, b *Message) {
	t.record(e, b)
	if !isCaptured(e, b.From.ID) && t.acts.checkPresent(e, b.From.ID, headerSize, "the sender") {
		t.acts.checkPresent(e, b.To.ID, headerSize+playerIDSize, "the receiver")
	}
}
