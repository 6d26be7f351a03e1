package bzflag24

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// recordChat takes a chat line: what the server says may be why it removes the client.
func (e *event) recordChat(b *ChatFrom) {
	if b.From.ID == ServerPlayer && (b.To.ID == e.connection.player || b.To.ID == AllPlayers) {
		e.recordReason(b)
	}
	server := b.From.ID == ServerPlayer
	switch {
	case server && int(b.To.ID) < maxTanks: // alone: its rules, answers to commands
		return
	case !server && int(b.From.ID) >= maxTanks || !e.isNew():
		return
	}
	if b.From.ID != b.To.ID { // as programs do to see whether they are still heard
		e.tellChat(b)
	}
}

// tellChat records a chat line, and its receiver if it is not for all.
func (e *event) tellChat(b *ChatFrom) {
	text, what, from := bzflag.MaskSecret(wire.Trim(b.Text)), bzflag.Says, e.called(&b.From)
	if b.From.ID == ServerPlayer {
		what, from = bzflag.Notice, "server"
		if b.To.ID == AllPlayers && tellsShutdown(text) {
			what = bzflag.Shutdown
		}
	}
	whom, to := "", e.audience(&b.To)
	if to != "" {
		whom = b.To.subject()
	}
	if b.Type == Action {
		text = bzflag.ActionSentence(from, to, text)
	} else {
		text = bzflag.ChatSentence(from, to, text)
	}
	e.recorder().Say(what, b.From.subject(), whom, text)
}

// audience names to whom something is said, "" for everybody.
func (e *event) audience(to *Player) string {
	switch {
	case int(to.ID) < maxTanks:
		return e.called(to)
	case to.ID <= RoguePlayers:
		return teams.Format(int64(RoguePlayers - to.ID))
	case to.ID == AdminPlayers:
		return "the administrators"
	}
	return ""
}
