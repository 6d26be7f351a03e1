package bzflag24

import (
	"bytes"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// chatTracker records chat.
type chatTracker struct {
	values   *valueTracker
	attempts *attemptTracker
	asks     *askTracker
}

// takeChat takes a chat line: one of the server's may say why it removes the client.
func (t *chatTracker) takeChat(e event, b *ChatFrom) {
	t.takeWords(e, b)
	t.asks.takeRelayed(e, b)
	switch server := b.From.ID == ServerPlayer; {
	case server && int(b.To.ID) < maxTanks: // only for the client: rules of the server, answers to commands
		return
	case !server && int(b.From.ID) >= maxTanks || !t.values.claim(e):
		return
	}
	if b.From.ID != b.To.ID { // as programs send to see whether the connection works
		t.recordChat(e, b)
	}
}

// takeWords takes a line of the server to the client, or to all.
func (t *chatTracker) takeWords(e event, b *ChatFrom) {
	c, toAll := e.connection, b.To.ID == AllPlayers
	if b.From.ID != ServerPlayer || b.To.ID != c.player && !toAll {
		return
	}
	text := strings.TrimSpace(string(wire.Trim(b.Text)))
	c.removal.take(e.message, text, toAll, c.callSign)
	if !toAll {
		t.asks.takeReply(e, text)
	}
	switch recent := c.removal.isRecent(e.message); {
	case recent && c.removal.parting:
		t.attempts.leave(e)
	case !toAll || recent && c.removal.shutdown && isShutdown(text):
		t.attempts.takeWords(e, text)
	}
}

// takeLine takes a client's line: with some commands it says goodbye.
func (t *chatTracker) takeLine(e event, b *Chat) {
	t.asks.takeLine(e, b)
	switch text := wire.Trim(b.Text); {
	case bytes.HasPrefix(text, []byte("/part")), bytes.HasPrefix(text, []byte("/quit")):
		t.attempts.leave(e)
	case bytes.HasPrefix(text, []byte("/")):
		t.attempts.of(e).Command(e.place)
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
