package bzflag24

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// recordQuery remembers a question that came on a connection.
func (e *event) recordQuery() {
	switch e.layer.Code {
	case CodeQueryGame:
		e.queries.Ask(e.place, e.connection.Route, bzflag.AboutGame)
	case CodeQueryPlayers:
		e.queries.Ask(e.place, e.connection.Route, bzflag.AboutPlayers)
	}
}

// recordAnswer handles an answer to a question, on a connection or by UDP.
func (e *event) recordAnswer(r bzflag.Route) {
	if !e.measures() {
		return
	}
	switch b := e.layer.Body.(type) {
	case *Game:
		text := bzflag.GameText(gameTypes.Format(int64(b.GameType)), b.Sizes[:], int(b.MaxPlayers))
		e.queries.Answer(e.place, r, bzflag.AboutGame, text)
	case *PlayerCounts:
		e.queries.Answer(e.place, r, bzflag.AboutPlayers, wire.Counted(int(b.Players), "player"))
	case *PingReply:
		text := bzflag.GameText(gameTypes.Format(int64(b.GameType)), b.Counts[:], int(b.MaxPlayers))
		e.queries.Answer(e.place, r, bzflag.AboutPing, text)
	}
}
