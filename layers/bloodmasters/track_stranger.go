package bloodmasters

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

var ruleStranger = &wire.Rule{
	ID: "bloodmasters.no-connection", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
	Title:  "game commands of an address without a connection",
	Why:    "The server sends this address nothing of a game and answers queries. It drops the commands of who has no connection without a word: the client was removed or never connected, or its address has changed.",
	Source: "the real server, GameServer",
}

// fewestCommands are those of a client that has no connection. One or two may be late.
const fewestCommands = 3

// strangers are clients that send game commands, to whom the server says nothing of a game.
type strangers struct {
	*bounded.LRU[ends, stranger]
}

type stranger struct {
	first    wire.Place
	commands int
	known    bool // it has a connection, or may have had one
}

func newStrangers(r *wire.Reporter) strangers {
	kind := bounded.Kind{Name: "clients of Bloodmasters servers", Silent: ruleStranger.ID}
	return strangers{bounded.NewLRU(r.Memory, kind, bounded.Values[ends, stranger]{})}
}

// take takes a message of a game, in either direction.
func (s strangers) take(core *wire.Base, code Code, p *wire.Place) {
	if core.Fault() != nil {
		return
	}
	switch code &^ reliable {
	case codeConnectRequest, codeConnectConfirm, codeConnectRefused, codeDisconnect, codePlayerLogin:
		return // of a client that connects, or has gone
	}
	if other := s.Get(ends{p.Dst, p.Src}); other != nil {
		other.known = true
	}
	x := s.Make(ends{p.Src, p.Dst})
	if x.commands == 0 {
		x.first = *p
	}
	x.commands++
}

func (s strangers) clear() { s.Clear() }

// close reports who had no connection, if the capture has what the server sends.
func (s strangers) close(t *tracker) {
	s.Each(func(e ends, x *stranger) {
		server := t.servers.Peek(e.server)
		if x.known || x.commands < fewestCommands || server == nil || !server.seen {
			return
		}
		if s.Peek(ends{e.server, e.asker}) == nil && t.joins.Of(joins, e.asker, e.server) == nil {
			t.Report(&x.first, ruleStranger, "%s without a connection to %s, none answered",
				wire.Counted(x.commands, "game command"), e.server)
		}
	})
}
