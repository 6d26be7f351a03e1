package tribes

import (
	"hash/maphash"
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

var (
	ruleOften = &wire.Rule{
		ID: "tribes.asked-too-often", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
		Title:  "an unanswered query after many others",
		Why:    "The master t1master counts five points for each query from an address and subtracts one point per second. It drops queries while the address has more than fifty points. So it answers about ten queries in a row, then one every five seconds. Heartbeats from the address also count. Ask less often.",
		Source: "t1master, t1master.cpp",
	}
	ruleDropsRepeat = &wire.Rule{
		ID: "tribes.repeat-dropped", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
		Title:  "repeated queries that get no answer",
		Why:    "The master answers only queries that differ from the previous one. neos-thicc-master, for example, drops a datagram that equals the previous one from the same address. Use a different key for each query.",
		Source: "neos-thicc-master, main.go",
	}
)

// How masters limit queries.
const (
	pointsEach = 5 * int64(time.Second) // points per query; they expire with time
	manyPoints = 9 * pointsEach         // at this number of points, the next query may be too many
	fewest     = 2                      // cases needed for a report
)

// manners records how clients send queries, because this may be the reason why a master ignores them.
type manners struct {
	reporter *reporter
	byPair   *bounded.LRU[pair, asking] // keys without the client's port
	seed     maphash.Seed
}

// manner is a set of ways in which a query was sent.
type manner uint8

const (
	often    manner = 1 << iota // after many other queries
	repeated                    // with the same datagram as the previous query
)

// asking records how a client sends queries to a master.
type asking struct {
	when   int64  // time of the last query
	points int64  // points at that time
	row    uint16 // number of queries since the client had no points
	since  int64  // time when these queries began
	last   uint64 // hash of the last datagram, to recognise a repetition; 0: none

	answered, repeatsAnswered, repeatsUnanswered uint16
}

func newManners(r *reporter) *manners {
	kind := bounded.Kind{Name: "clients of Tribes masters", Silent: ruleOften.ID + ", " + ruleDropsRepeat.ID}
	return &manners{r, bounded.NewLRU(r.Memory, kind, bounded.Values[pair, asking]{}), maphash.MakeSeed()}
}

func (s *manners) of(client, master netip.AddrPort) pair {
	return pair{s.reporter.ends.host(client), s.reporter.ends.Of(master)}
}

// ask handles a query to a master, and records what a master may object to.
func (s *manners) ask(core *wire.Base, p *wire.Place, q *query) {
	a := s.byPair.Make(s.of(p.Src, p.Dst))
	a.points = max(0, a.points-max(0, clock.Elapsed(a.when, p.Time)))
	if a.points == 0 {
		a.row, a.since = 0, p.Time
	}
	q.manner = 0
	if a.points >= manyPoints {
		q.manner |= often
	}
	a.when, a.points, a.row = p.Time, a.points+pointsEach, a.row+1
	hash := maphash.Bytes(s.seed, core.Contents)
	if a.last == hash {
		q.manner |= repeated
		hash = 0
	}
	a.last = hash
}

// answered handles a query that was answered.
func (s *manners) answered(p *wire.Place, q *query) {
	if a := s.byPair.Get(s.of(p.Dst, p.Src)); a != nil && q.number == AllPackets {
		a.answered++
		if q.manner&repeated != 0 {
			a.repeatsAnswered++
		}
	}
}

// unanswered reports a possible reason why a query was not answered although others were.
func (s *manners) unanswered(about *wire.Place, q *query) {
	a := s.byPair.Get(s.of(about.Src, about.Dst))
	if a == nil || q.manner == 0 {
		return
	}
	if q.manner&repeated != 0 {
		a.repeatsUnanswered++
	}
	switch {
	case a.answered < fewest:
	case q.manner&repeated != 0 && a.repeatsAnswered == 0:
		if a.repeatsUnanswered >= fewest {
			s.reporter.Report(about, ruleDropsRepeat,
				"the same datagram as the query before: %d such queries are not answered, %d others are",
				a.repeatsUnanswered, a.answered)
		}
	case q.manner&often != 0:
		s.reporter.Report(about, ruleOften,
			"%d queries of %s within %s are too many for some masters, which answer ten in a row, then one in 5 s",
			a.row, about.Src.Addr(), time.Duration(clock.Elapsed(a.since, a.when)).Round(100*time.Millisecond))
	}
}
