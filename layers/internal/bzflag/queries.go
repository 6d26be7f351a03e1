package bzflag

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// A Question is what is asked of servers before, or without, joining a game.
type Question uint8

// The questions.
const (
	AboutGame Question = iota
	AboutPlayers
	AboutPing
	questions
)

// answerTime is how long an answer to a query may take.
const answerTime = int64(5 * time.Second)

// asker is a client who waits for answers.
type asker struct {
	waiting [questions]int
	place   wire.Place // of its last question
}

// OpenQueries are the questions that wait for answers. Nobody is kept who waits for none.
type OpenQueries struct {
	*wire.Reporter
	askers *bounded.LRU[Route, asker]
}

// NewOpenQueries makes them, for servers of a kind.
func NewOpenQueries(r *wire.Reporter, servers string) OpenQueries {
	kind := bounded.Kind{Name: "queries to " + servers + " servers", Silent: "count of those not answered"}
	return OpenQueries{r, bounded.NewLRU(r.Memory, kind, bounded.Values[Route, asker]{})}
}

// measure counts what became of questions to a server.
func (q OpenQueries) measure(p *wire.Place, r Route, what string, n int) {
	q.Measured(wire.Value{
		Place: *p, Table: Queries, Server: r.Server, Who: askerName(r.Client), What: what, Number: float64(n),
	})
}

// Ask takes a question.
func (q OpenQueries) Ask(p *wire.Place, r Route, about Question) {
	if q.Value == nil {
		return
	}
	q.measure(p, r, "asked", 1)
	a := q.askers.MakeAt(p.Lane, r)
	a.waiting[about]++
	a.place = *p
}

// Answer takes an answer, and what it says in short. One to a question to all servers of a network comes from others
// than were asked.
func (q OpenQueries) Answer(p *wire.Place, r Route, about Question, text string) {
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
	Teller{q.Reporter, p, r.Server}.State(Queries, askerName(r.Client), "answer", text)
}

// askerName names who asks. From which port is not known, 0, of an answer to a group of hosts.
func askerName(a netip.AddrPort) string {
	if a.Port() == 0 {
		return a.Addr().String()
	}
	return a.String()
}

// End tells what was not answered on a connection that has ended.
func (q OpenQueries) End(r Route) {
	if a := q.askers.Peek(r); a != nil {
		q.tellUnanswered(r, a)
		q.askers.Delete(r)
	}
}

// Close tells what was not answered until the end of the capture. What was asked just before may still be.
func (q OpenQueries) Close(now int64) {
	q.askers.Each(func(r Route, a *asker) {
		if clock.Elapsed(a.place.Time, now) >= answerTime {
			q.tellUnanswered(r, a)
		}
	})
}

func (q OpenQueries) tellUnanswered(r Route, a *asker) {
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

// GameText is what an answer says of a game: how many players of at most so many there are by team, and its type.
func GameText[T uint8 | uint16](kind string, counts []T, most int) string {
	players := 0
	for _, n := range counts {
		players += int(n)
	}
	if kind != "" {
		kind += ", "
	}
	return fmt.Sprintf("%s%d of %d players", kind, players, most)
}
