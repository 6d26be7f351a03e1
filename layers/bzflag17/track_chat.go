package bzflag17

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// recordChat takes a chat line that the server passes on. What the server itself says to one player it says in the
// name of that player.
func (e *event) recordChat(b *Message) {
	from, to := e.conn.resolve(b.From.ID), e.conn.resolve(b.To.ID)
	if from == to && !from.IsZero() {
		e.recordReason(from, b.Text)
		return
	}
	if !e.isNew() {
		return
	}
	who, whom, audience := e.nameOf(from), "", ""
	switch {
	case !to.IsZero():
		whom, audience = e.nameOf(to), e.called(to)
	case b.Team != RogueTeam:
		whom = teams.Format(int64(b.Team))
		audience = whom
	}
	text := bzflag.ChatSentence(e.called(from), audience, bzflag.MaskSecret(wire.Trim(b.Text)))
	e.recorder().Say(bzflag.Says, who, whom, text)
}

// recordReason remembers a line of the server's to a player if it tells why the player is removed.
func (e *event) recordReason(p PlayerID, text []byte) {
	n := e.player(p)
	if line := string(wire.Trim(text)); n != nil && e.measures() && bzflag.TellsRemoval(line, true, n.Name) {
		n.removal, n.removalTime = line, e.place.Time
	}
}
