package bzflag24

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/attempt"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// queryTracker follows queries about a game, both on connections and by pings. It records the settings in the answers.
type queryTracker struct {
	values *valueTracker
	open   *attempt.Queries
}

// takePing handles a ping, which is a query over UDP.
func (t *queryTracker) takePing(m message, r bzflag.Route) {
	t.open.Ask(m.place, r.Client, r.Server, bzflag.AboutPing)
}

// takePingReply handles the answer to a ping.
func (t *queryTracker) takePingReply(e event, r bzflag.Route, b *PingReply) {
	if version := string(b.Version); version != Version {
		t.open.Answer(e.place, r.Client, r.Server, bzflag.AboutPing, "a server of "+version)
		if t.values.wanted() {
			t.values.recorder(e).State(bzflag.Servers, "", "version", version)
		}
		return
	}
	t.recordSettings(e, b.GameType, b.Options)
	e.game.settings.take(b.GameType, b.Options, b.MaxShots)
	e.game.match.Limit(&b.Limits)
	if t.values.wanted() {
		text := bzflag.GameText(gameTypes.Format(int64(b.GameType)), b.Counts[:], int(b.MaxPlayers))
		t.open.Answer(e.place, r.Client, r.Server, bzflag.AboutPing, text)
	}
}

// takeQuestion handles a query on a connection.
func (t *queryTracker) takeQuestion(e event, about uint8) {
	t.open.Ask(e.place, e.connection.Client, e.connection.Server, about)
}

// takeGame handles the answer to a query about the game.
func (t *queryTracker) takeGame(e event, b *Game) {
	t.recordSettings(e, b.GameType, b.Options)
	e.game.settings.take(b.GameType, b.Options, b.MaxShots)
	e.game.match.Limit(&b.Limits)
	if t.values.wanted() {
		text := bzflag.GameText(gameTypes.Format(int64(b.GameType)), b.Sizes[:], int(b.MaxPlayers))
		t.open.Answer(e.place, e.connection.Client, e.connection.Server, bzflag.AboutGame, text)
	}
}

// takePlayerCounts handles the answer to a query about the players.
func (t *queryTracker) takePlayerCounts(e event, b *PlayerCounts) {
	if t.values.wanted() {
		text := wire.Counted(int(b.Players), "player")
		t.open.Answer(e.place, e.connection.Client, e.connection.Server, bzflag.AboutPlayers, text)
	}
}

// takeSettings handles MsgGameSettings.
func (t *queryTracker) takeSettings(e event, b *Settings) {
	t.recordSettings(e, b.GameType, b.Options)
	e.game.settings.take(b.GameType, b.Options, b.MaxShots)
	e.game.settings.numFlags = int(b.NumFlags)
}

// recordSettings records changes of the settings.
func (t *queryTracker) recordSettings(e event, kind GameType, options GameOptions) {
	if !t.values.wanted() {
		return
	}
	s, r := &e.game.settings, t.values.recorder(e)
	if !s.known || s.kind != kind {
		r.State(bzflag.Servers, "", "game type", gameTypes.Format(int64(kind)))
	}
	if !s.known || s.options != options {
		r.State(bzflag.Servers, "", "options", optionNames(options))
	}
}
