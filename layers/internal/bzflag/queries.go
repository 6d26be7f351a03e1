package bzflag

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// A Question is a query that a client sends before, or without, joining a game.
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

// asker is a client that waits for answers.
type asker struct {
	waiting [questions]int
	place   wire.Place // of its last question
}

// OpenQueries are the questions that wait for answers. A client that waits for none is not kept.
type OpenQueries struct {
	*wire.Reporter
	askers *bounded.LRU[Route, asker]
}

// NewOpenQueries makes them, for servers of a kind.
func NewOpenQueries(r *wire.Reporter, servers string) OpenQueries {
	kind := bounded.Kind{Name: "queries to " + servers + " servers", Silent: "count of those not answered"}
	return OpenQueries{r, bounded.NewLRU(r.Memory, kind, bounded.Values[Route, asker]{})}
}

// measure counts questions to a server by their outcome.
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

// Answer takes an answer, and its text for the table. A server that answers a broadcast question is not the one that
// was asked.
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
	Recorder{q.Reporter, p, r.Server}.State(Queries, askerName(r.Client), "answer", text)
}

// askerName names a client. Its port is 0, not known, if the answer went to a group of hosts.
func askerName(a netip.AddrPort) string {
	if a.Port() == 0 {
		return a.Addr().String()
	}
	return a.String()
}

// End counts what was not answered on a connection that has ended.
func (q OpenQueries) End(r Route) {
	if a := q.askers.Peek(r); a != nil {
		q.tellUnanswered(r, a)
		q.askers.Delete(r)
	}
}

// Jump forgets the questions, see wire.Tracker.
func (q OpenQueries) Jump() { q.askers.Clear() }

// Close counts what was not answered until the end of the capture, but for the questions of the last answerTime.
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

// isBroadcast reports whether an address reaches all hosts of a network: no answer to it is owed.
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
