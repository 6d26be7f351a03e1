package bzflag24

import (
	"bytes"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

type chatTracker struct {
	values   *valueTracker
	attempts *attemptTracker
	asks     *askTracker
}

// takeChat handles a line of chat. A line from the server itself may be the reason why the server removes the client.
func (t *chatTracker) takeChat(e event, b *ChatFrom) {
	t.takeWords(e, b)
	t.asks.takeRelayed(e, b)
	switch server := b.From.ID == ServerPlayer; {
	case server && int(b.To.ID) < maxTanks: // private lines: rules of the server, or answers to commands
		return
	case !server && int(b.From.ID) >= maxTanks || !t.values.claim(e):
		return
	}
	if b.From.ID != b.To.ID { // some programs send lines to themselves to test the connection
		t.recordChat(e, b)
	}
}

// takeWords handles a line that the server sends to the client or to all players.
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

// takeLine handles a line from a client. Some commands mean that the player says goodbye.
func (t *chatTracker) takeLine(e event, b *Chat) {
	t.asks.takeLine(e, b)
	switch text := wire.Trim(b.Text); {
	case bytes.HasPrefix(text, []byte("/part")), bytes.HasPrefix(text, []byte("/quit")):
		t.attempts.leave(e)
	case bytes.HasPrefix(text, []byte("/")):
		t.attempts.of(e).Command(e.place)
	}
}

// recordChat records a line of chat. It also records the receiver if the line is not for all players.
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

// receiver returns the name of a line's receiver for use in sentences, or "" for all players.
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
