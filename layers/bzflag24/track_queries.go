package bzflag24

import (
	"fmt"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// What is asked of servers before, or without, joining a game.
type question uint8

const (
	aboutGame question = iota
	aboutPlayers
	aboutPing
	questions
)

// asker is a client who waits for answers.
type asker struct {
	waiting [questions]int
	place   wire.Place // of its last question
}

var askerKind = bounded.Kind{Name: "queries to BZFlag 2.4 servers", Silent: "count of those not answered"}

// queries are those that wait for answers. Nobody is kept who waits for none.
type queries struct {
	*wire.Reporter
	askers *bounded.LRU[bzflag.Route, asker]
}

func newQueries(r *wire.Reporter) queries {
	return queries{r, bounded.NewLRU(r.Memory, askerKind, bounded.Values[bzflag.Route, asker]{})}
}

// measure counts what became of questions to a server.
func (q queries) measure(p *wire.Place, r bzflag.Route, what string, n int) {
	q.Measured(wire.Value{
		Place: *p, Table: bzflag.Queries, Server: r.Server, Who: r.Client.String(), What: what, Number: float64(n),
	})
}

// ask takes a question.
func (q queries) ask(p *wire.Place, r bzflag.Route, about question) {
	if q.Value == nil {
		return
	}
	q.measure(p, r, "asked", 1)
	a := q.askers.MakeAt(p.Lane, r)
	a.waiting[about]++
	a.place = *p
}

// answer takes an answer, and what it says in short. One to a question to all servers of a network comes from others
// than were asked.
func (q queries) answer(p *wire.Place, r bzflag.Route, about question, text string) {
	if q.Value == nil {
		return
	}
	if a := q.askers.GetAt(p.Lane, r); a != nil {
		a.waiting[about] = max(a.waiting[about]-1, 0)
		if a.waiting == [questions]int{} {
			q.askers.Delete(r)
		}
	}
	q.measure(p, r, "answered", 1)
	bzflag.MeasureState(q.Reporter, p, bzflag.Queries, r.Server, r.Client.String(), "answer", text)
}

// end tells what was not answered on a connection that has ended.
func (q queries) end(r bzflag.Route) {
	if a := q.askers.Peek(r); a != nil {
		q.tellUnanswered(r, a)
		q.askers.Delete(r)
	}
}

// close tells what was not answered until the end of the capture. What was asked just before may still be.
func (q queries) close(now int64) {
	q.askers.Each(func(r bzflag.Route, a *asker) {
		if clock.Elapsed(a.place.Time, now) >= overdue {
			q.tellUnanswered(r, a)
		}
	})
}

func (q queries) tellUnanswered(r bzflag.Route, a *asker) {
	n := 0
	for _, waiting := range a.waiting {
		n += waiting
	}
	if n > 0 && !isBroadcast(r.Server.Addr()) {
		q.measure(&a.place, r, "unanswered", n)
	}
}

// isBroadcast reports whether all hosts of a network listen to an address, so that those answer who are there.
func isBroadcast(a netip.Addr) bool {
	a = a.Unmap()
	return a.IsMulticast() || a.Is4() && a.As4()[3] == 255
}

// recordQuery takes a question on a connection.
func (e *event) recordQuery() {
	switch e.layer.Code {
	case CodeQueryGame:
		e.queries.ask(e.place, e.connection.Route, aboutGame)
	case CodeQueryPlayers:
		e.queries.ask(e.place, e.connection.Route, aboutPlayers)
	}
}

// recordAnswer takes the answer to one.
func (e *event) recordAnswer(r bzflag.Route) {
	if !e.measures() {
		return
	}
	switch b := e.layer.Body.(type) {
	case *Game:
		e.queries.answer(e.place, r, aboutGame, gameText(b.GameType, sum(b.Sizes[:]), int(b.MaxPlayers)))
	case *PlayerCounts:
		e.queries.answer(e.place, r, aboutPlayers, wire.Counted(int(b.Players), "player"))
	case *PingReply:
		e.queries.answer(e.place, r, aboutPing, gameText(b.GameType, sum(b.Counts[:]), int(b.MaxPlayers)))
	}
}

// gameText is what an answer says of a game.
func gameText(t GameType, players, most int) string {
	return fmt.Sprintf("%s, %d of %d players", gameTypes.Format(int64(t)), players, most)
}

func sum[T uint8 | uint16](counts []T) int {
	n := 0
	for _, x := range counts {
		n += int(x)
	}
	return n
}
