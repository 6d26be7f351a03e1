package tribes

import (
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/ask"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/listing"
)

// The times that programs keep, in nanoseconds.
const (
	patience   = 5 * int64(time.Second)   // a query is open for so long, and longer while its list comes
	maxSilence = 250 * int64(time.Second) // the shortest time after which a real master forgets a server
	promptly   = int64(time.Second) / 2   // an answer, and the next packet of a list, comes within it if all is well
	memory     = 30 * int64(time.Second)  // an answer this long after its query is late, not unasked
	sweepEvery = int64(time.Second) / 2
	oneList    = int64(time.Second) // masters send a list without a pause
)

// What is remembered at most of two who talk. An exchange takes 5 MB at most.
const (
	maxLists = 4

	maxSpare        = 32              // lists that are kept for their memory,
	maxSparePackets = 16              // for packets,
	maxSparePlaces  = 512             // and as many tables of servers, with so many places
	maxServers      = 1 << 17 / 4 * 3 // of a list; their table takes 1 MB
)

// tracker finds what is wrong about several messages: which answer belongs to which query, whether
// the packets of a list fit together, how regular heartbeats are.
type tracker struct {
	reporter *wire.Reporter

	started           bool
	start, now, swept int64        // times of the capture; they do not go back
	forgot            clock.Moment // exchanges had to make room for others

	exchanges  *bounded.LRU[pair, exchange]
	uses       uint64 // of exchanges
	deadlines  deadlines
	broadcasts *bounded.LRU[endpoint, ask.List[query]] // queries that a host broadcast
	pulses     *bounded.LRU[pair, pulse]
	servers    *bounded.LRU[netip.AddrPort, server]

	// inQueries are the hosts that sent or received a query. The capture may lack the queries of other hosts, so a
	// reply to them without a query proves nothing.
	inQueries *bounded.LRU[endpoint, struct{}] // by hostOf

	// askers are clients that asked for a list just after the capture began, and have none yet.
	askers *bounded.LRU[endpoint, struct{}]

	// Of masters and their servers.
	book  *listing.Book
	homes *bounded.LRU[home, netip.AddrPort]
	rolls *bounded.LRU[netip.AddrPort, roll]

	spare  []*list    // that are over, for others
	tables [][]uint64 // of serverSets, likewise
	about  wire.Place // see place

	// Of the message at hand.
	protocol *wire.Protocol
	file     *string
}

func newTracker(r *wire.Reporter) wire.Tracker {
	t := &tracker{reporter: r, file: new(string)}
	t.exchanges = bounded.NewLRU(r.Memory, bounded.Kind{Name: "Tribes queries",
		Silent: "tribes.unanswered-query, tribes.list-incomplete, tribes.wrong-sequence, ping"},
		bounded.Values[pair, exchange]{Held: (*exchange).held, Dropped: t.dropExchange})
	t.broadcasts = bounded.NewLRU(r.Memory, bounded.Kind{Name: "Tribes queries to many", Silent: "ping"},
		bounded.Values[endpoint, ask.List[query]]{Held: heldByMany, Dropped: func(endpoint, *ask.List[query]) {
			t.forgot = clock.At(t.now)
		}})
	t.pulses = bounded.NewLRU(r.Memory, bounded.Kind{Name: "Tribes heartbeats",
		Silent: "heartbeat interval, tribes.heartbeat-gap"}, bounded.Values[pair, pulse]{})
	t.servers = bounded.NewLRU(r.Memory, bounded.Kind{Name: "Tribes game servers"},
		bounded.Values[netip.AddrPort, server]{Held: (*server).held})
	t.inQueries = bounded.NewLRU(r.Memory, bounded.Kind{Name: "hosts that take part in Tribes queries",
		Silent: "tribes.unsolicited-reply, tribes.unknown-key"}, bounded.Values[endpoint, struct{}]{})
	t.askers = bounded.NewLRU(r.Memory, bounded.Kind{Name: "clients that wait for their first Tribes list",
		Silent: "tribes.unsolicited-reply"}, bounded.Values[endpoint, struct{}]{})
	t.followLists(r)
	return t
}

func (t *tracker) Message(l wire.Layer, p *wire.Place) {
	if !t.started {
		t.Time(p.Time)
	}
	t.protocol = p.Protocol
	core := l.Core()
	switch m := core.Body.(type) {
	case *Query:
		q := matchmakingQuery(m, core.Message == verificationRequest)
		if core.Message == masterQuery && q.number == AllPackets && clock.Elapsed(t.start, t.now) <= patience {
			t.askers.Make(endpointOf(p.Src))
		}
		t.noteQuery(p, q)
		if core.Message != masterQuery {
			t.listVerification(p, q.verification)
		}
	case *InfoQuery:
		if core.Message == verificationReply {
			t.listOtherReply(p)
			t.noteVerificationReply(p, m)
			return
		}
		t.noteQuery(p, query{kind: kindInfo, number: AllPackets, key: m.Key, hasKey: m.HasKey})
	case *GameSpyQuery:
		t.noteQuery(p, query{kind: kindGameSpy, number: AllPackets, key: m.Sequence, hasKey: m.HasSequence})
	case *MasterListReply:
		t.noteListPacket(l, p, m)
	case *GameInfoReply:
		t.checkGameInfo(l, p, m)
	case *InfoResponse:
		t.checkAnswer(l, p, kindInfo, m.Key)
	case *GameSpyReply:
		switch {
		case string(m.Game) == "Tribes": // or it may be a packet of the game that looks like it
			t.checkAnswer(l, p, kindGameSpy, m.Sequence)
			t.measureServer(l, m, p)
		case core.Truncated(), l.(*Layer).Answers:
			t.noteKeylessAnswer(p, kindGameSpy)
		}
	case *wire.Undefined:
		if v, ok := l.(*Layer); ok && v.Version == Version && core.Size() == 1 { // taken for a query
			t.noteQuery(p, query{kind: kindMatchmaking, number: AllPackets})
		}
	case *Heartbeat:
		if v, ok := l.(*Layer); ok {
			if v.Version == Version {
				t.checkHeartbeat(l, p)
			}
			t.listHeartbeat(p, v.Version)
		}
	}
}

// Lost implements wire.Tracker. Nothing here travels in streams.
func (t *tracker) Lost(*wire.Place) {}

func (t *tracker) Time(now int64) {
	if !t.started {
		t.started, t.start, t.now, t.swept = true, now, now, now
	}
	t.now = max(t.now, now)
	if clock.Elapsed(t.swept, t.now) > sweepEvery {
		t.sweep()
	}
	t.book.Time(t.now)
}

// Jump implements wire.Tracker: which queries wait is not known.
func (t *tracker) Jump(now int64) {
	t.exchanges.Each(t.dropExchange)
	t.exchanges.Clear()
	t.broadcasts.Clear()
	t.pulses.Clear()
	t.inQueries.Clear()
	t.askers.Clear()
	t.start, t.now, t.swept, t.forgot = now, now, now, clock.At(now)
	t.book.Jump(now)
}

func (t *tracker) Next() int64 {
	return min(clock.Add(t.swept, sweepEvery+1), t.book.Next())
}

// Close implements wire.Tracker. Answers, and packets of a list, may come after the capture.
func (t *tracker) Close(now int64) {
	t.Time(now)
	t.sweep()
	t.exchanges.Each(func(who pair, x *exchange) {
		t.closeExchange(who, x)
	})
	t.book.Close(t.now)
}

// dropExchange is called when an exchange makes room for another: its queries are forgotten. Complete lists are still
// checked.
func (t *tracker) dropExchange(who pair, x *exchange) {
	if clock.Elapsed(x.used, t.now) <= patience {
		t.forgot = clock.At(t.now)
	}
	for i := 0; i < len(x.lists); {
		if l := x.lists[i]; l.complete() {
			t.finishList(who, x, l)
		} else {
			i++
		}
	}
	t.unlink(x)
}

// seconds is the time between two moments; ok is false if it went back.
func seconds(from, to int64) (s float64, ok bool) {
	return float64(clock.Elapsed(from, to)) / 1e9, to >= from
}

// pulse is when a server's last heartbeat went to a master.
type pulse struct {
	when clock.Moment
	late bool // it came too long after the one before
}

// checkHeartbeat checks a heartbeat.
func (t *tracker) checkHeartbeat(l wire.Layer, p *wire.Place) {
	h := t.pulses.Make(pairOf(p.Src, p.Dst))
	if last := h.when; last.Known() {
		interval, ok := seconds(last.When(), p.Time)
		if !ok {
			return
		}
		t.measured(p, servers, p.Src, "heartbeat interval", interval, "s")
		late := clock.Elapsed(last.When(), p.Time) > maxSilence
		if late && h.late {
			reportHeader(l, ruleGap, "%.0f s after the last one to this master, which was late as well", interval)
		}
		h.late = late
	}
	h.when = clock.At(p.Time)
}

// measured emits a value, if the caller wants values, since formatting who takes time.
func (t *tracker) measured(p *wire.Place, table string, who netip.AddrPort, what string, number float64, unit string) {
	if t.reporter.Value != nil {
		t.reporter.Measured(wire.Value{Place: *p, Table: table, Server: who, What: what, Number: number, Unit: unit})
	}
}

// The tables of what is measured: of game servers, and of masters' lists.
const (
	servers = "servers"
	lists   = "lists"
	queried = "queries" // by client
)

// countQuery counts the outcome of a client's query, by the client's host: most clients ask from a new port each time.
// Verifications by masters are in the table listing.
func (t *tracker) countQuery(p *wire.Place, q *query, server, asker netip.AddrPort, what string) {
	if t.reporter.Value == nil || q.verification {
		return
	}
	t.reporter.Measured(wire.Value{Place: *p, Table: queried, Server: server, Who: asker.Addr().String(),
		What: what, Number: 1})
}

// reportHeader reports a finding about no field.
func reportHeader(l wire.Layer, rule *wire.Rule, format string, args ...any) {
	core := l.Core()
	core.Report(rule, 0, min(minimum, len(core.Contents)), format, args...)
}

// spot is the place of a message without its endpoints.
type spot struct {
	frame  int
	time   int64
	file   *string
	stream int32
}

func (t *tracker) spotOf(p *wire.Place) spot {
	if *t.file != p.File {
		file := p.File
		t.file = &file
	}
	return spot{p.Frame, p.Time, t.file, int32(p.Conversation)}
}

// place gives the place of a spot, valid until the next call.
func (t *tracker) place(s *spot, src, dst endpoint) *wire.Place {
	t.about = wire.Place{Frame: s.frame, File: *s.file, Time: s.time, Transport: wire.UDP, Conversation: int(s.stream),
		Src: src.addrPort(), Dst: dst.addrPort(), Protocol: t.protocol}
	return &t.about
}
