package bzflag24

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// chatTracker records chat.
type chatTracker struct {
	values *valueTracker
}

// takeChat takes a chat line: one of the server's may say why it removes the client.
func (t *chatTracker) takeChat(e event, b *ChatFrom) {
	c, server := e.connection, b.From.ID == ServerPlayer
	if server && (b.To.ID == c.player || b.To.ID == AllPlayers) && t.values.wanted() {
		c.removal.take(e.message, b, c.player, c.callSign)
	}
	switch {
	case server && int(b.To.ID) < maxTanks: // only for the client: rules of the server, answers to commands
		return
	case !server && int(b.From.ID) >= maxTanks || !t.values.claim(e):
		return
	}
	if b.From.ID != b.To.ID { // as programs send to see whether the connection works
		t.recordChat(e, b)
	}
}

// recordChat records a chat line, and its receiver if it is not for all.
func (t *chatTracker) recordChat(e event, b *ChatFrom) {
	text, what, from := bzflag.MaskSecret(wire.Trim(b.Text)), bzflag.Says, e.game.seats.called(&b.From)
	if b.From.ID == ServerPlayer {
		what, from = bzflag.Notice, "server"
		if b.To.ID == AllPlayers && isShutdown(text) {
			what = bzflag.Shutdown
		}
	}
	whom, to := "", t.receiver(e, &b.To)
	if to != "" {
		whom = b.To.subject()
	}
	if b.Type == Action {
		text = bzflag.ActionSentence(from, to, text)
	} else {
		text = bzflag.ChatSentence(from, to, text)
	}
	t.values.recorder(e).Say(what, b.From.subject(), whom, text)
}

// receiver is what sentences call the receiver of a line, "" for everybody.
func (t *chatTracker) receiver(e event, to *Player) string {
	switch {
	case int(to.ID) < maxTanks:
		return e.game.seats.called(to)
	case to.ID <= RoguePlayers:
		return teams.Format(int64(RoguePlayers - to.ID))
	case to.ID == AdminPlayers:
		return "the administrators"
	}
	return ""
}
