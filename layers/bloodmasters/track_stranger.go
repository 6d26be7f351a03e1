package bloodmasters

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

var ruleStranger = &wire.Rule{
	ID: "bloodmasters.no-connection", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
	Title:  "game commands from an address without a connection",
	Why:    "The server answers queries, but sends no game messages to this address. It silently drops game commands from addresses that have no connection. The client was removed, never connected, or has a new address.",
	Source: "the real server, class GameServer",
}

// fewestCommands is the number of commands after which a client without a connection is reported. One or two commands
// may arrive late.
const fewestCommands = 3

// strangers are clients that send game commands but get no game messages from the server.
type strangers struct {
	*bounded.LRU[ends, stranger]
}

type stranger struct {
	first    wire.Place
	commands int
	known    bool // the client has a connection, or may have one
}

func newStrangers(r *wire.Reporter) strangers {
	kind := bounded.Kind{Name: "clients of Bloodmasters servers", Silent: ruleStranger.ID}
	return strangers{bounded.NewLRU(r.Memory, kind, bounded.Values[ends, stranger]{})}
}

// take handles a message of a running game, in either direction.
func (s strangers) take(core *wire.Base, code Code, p *wire.Place) {
	if core.Fault() != nil {
		return
	}
	switch code &^ reliable {
	case codeConnectRequest, codeConnectConfirm, codeConnectRefused, codeDisconnect, codePlayerLogin:
		return // sent while joining or leaving
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

// close reports clients without a connection if the capture has messages from the server.
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
