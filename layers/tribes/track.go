package tribes

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/ask"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// The times that programs keep, in nanoseconds.
const (
	patience    = 5 * int64(time.Second)   // a query is open for so long, and longer while its list comes
	mostSilence = 250 * int64(time.Second) // the shortest time after which a real master forgets a server
	memory      = 30 * int64(time.Second)  // late answers are told from those that nobody asked for
	sweepEvery  = int64(time.Second) / 2
)

// What is remembered at most. Many strangers cost 5 MB; if all of them ask and answer as much as is
// remembered, exchanges take 8 MB, packets of lists 4 MB, their servers 1 MB and heartbeats 2 MB.
const (
	mostLists      = 4 // an exchange
	mostPackets    = 1 << 15
	mostServers    = 1 << 17
	mostFree       = 32      // lists, and tables of servers, kept for their memory;
	mostFreePlaces = 1 << 12 // places in such a table: together 1 MB
)

// pair is who asks and who is asked. For heartbeats it is the server and the master.
type pair struct{ client, server netip.AddrPort }

// tracker finds what is wrong about several messages: which answer belongs to which query, whether
// the packets of a list fit together, how regular heartbeats are.
type tracker struct {
	reporter *wire.Reporter

	started           bool
	start, now, swept int64        // times of the capture; they do not go back
	forgot            clock.Moment // exchanges had to make room for others

	exchanges  *bounded.LRU[pair, exchange]
	broadcasts *bounded.LRU[netip.AddrPort, exchange] // by who asks
	pulses     *bounded.LRU[pair, pulse]

	sawQuery bool

	// askers asked for a list when the capture had just begun and have none yet.
	askers *bounded.LRU[netip.AddrPort, bool]

	packets, servers int // remembered in all lists
	serial           uint64
	free             []*list    // lists that are over, for others
	tables           [][]uint64 // of the servers in lists, likewise
}

func newTracker(r *wire.Reporter) wire.Tracker {
	t := &tracker{reporter: r}
	t.exchanges = bounded.NewLRU(r.Memory, bounded.Kind{Name: "exchanges"},
		bounded.Values[pair, exchange]{Dropped: t.dropExchange})
	t.broadcasts = bounded.NewLRU(r.Memory, bounded.Kind{Name: "broadcasts"},
		bounded.Values[netip.AddrPort, exchange]{Dropped: func(netip.AddrPort, *exchange) {
			t.forgot = clock.At(t.now)
		}})
	t.pulses = bounded.NewLRU(r.Memory, bounded.Kind{Name: "heartbeats"}, bounded.Values[pair, pulse]{})
	t.askers = bounded.NewLRU(r.Memory, bounded.Kind{Name: "askers"}, bounded.Values[netip.AddrPort, bool]{})
	return t
}

// Message implements wire.Tracker.
func (t *tracker) Message(l wire.Layer, p *wire.Place) {
	if !t.started {
		t.Time(p.Time)
	}
	core := l.Core()
	switch m := core.Body.(type) {
	case *Query:
		q := matchmakingQuery(m, core.Message == verificationRequest)
		if core.Message == masterQuery && q.number == AllPackets && clock.Elapsed(t.start, t.now) <= patience {
			*t.askers.Make(p.Src) = true
		}
		t.noteQuery(p, q)
	case *InfoQuery:
		if core.Message == verificationReply {
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
		case core.Truncated():
			t.noteKeylessAnswer(p, kindGameSpy)
		}
	case *wire.Undefined:
		if v, ok := l.(*Layer); ok && v.Version == Version && core.Size() == 1 { // taken for a query
			t.noteQuery(p, query{kind: kindMatchmaking, number: AllPackets})
		}
	case *Heartbeat:
		if v, ok := l.(*Layer); ok && v.Version == Version {
			t.checkHeartbeat(l, p)
		}
	}
}

// Lost implements wire.Tracker. Nothing here travels in streams.
func (t *tracker) Lost(*wire.Place) {}

// Time implements wire.Tracker.
func (t *tracker) Time(now int64) {
	if !t.started {
		t.started, t.start, t.now, t.swept = true, now, now, now
	}
	t.now = max(t.now, now)
	if clock.Elapsed(t.swept, t.now) > sweepEvery {
		t.swept = t.now
		t.sweep()
	}
}

// Next implements wire.Tracker.
func (t *tracker) Next() int64 {
	return clock.Add(t.swept, sweepEvery+1)
}

// Close implements wire.Tracker. No packet of a list comes any more; answers may have been on their
// way.
func (t *tracker) Close(now int64) {
	t.Time(now)
	t.sweep()
	t.exchanges.Each(func(who pair, x *exchange) {
		for len(x.lists) > 0 {
			t.finishList(who, x, x.lists[0])
		}
	})
}

// sweep tells what did not come in time and forgets what is over.
func (t *tracker) sweep() {
	t.exchanges.Each(func(who pair, x *exchange) {
		x.queries.Overdue(queries, t.now, func(q *ask.Question[query]) {
			t.reporter.Report(q.Value.place(who.client, who.server), ruleUnanswered, "no answer within 5 s")
		})
		t.finishLate(who, x)
		if len(x.lists) == 0 && clock.Elapsed(x.used, t.now) > memory {
			t.exchanges.Delete(who)
		}
	})
}

// dropExchange is called when an exchange makes room for another: what was asked in it is not known any more.
func (t *tracker) dropExchange(_ pair, x *exchange) {
	if clock.Elapsed(x.used, t.now) <= patience {
		t.forgot = clock.At(t.now)
	}
	for _, l := range x.lists {
		t.releaseList(l)
	}
}

// seconds is the time between two moments; ok is false if it went back.
func seconds(from, to int64) (s float64, ok bool) {
	return float64(clock.Elapsed(from, to)) / 1e9, to >= from
}

// pulse is when a server's last heartbeat went to a master.
type pulse struct{ when clock.Moment }

// checkHeartbeat sees a heartbeat.
func (t *tracker) checkHeartbeat(l wire.Layer, p *wire.Place) {
	h := t.pulses.Make(pair{p.Src, p.Dst})
	if last := h.when; last.Known {
		interval, ok := seconds(last.When, p.Time)
		if !ok {
			return
		}
		t.measured(p, servers, p.Src, "heartbeat interval", interval, "s")
		if clock.Elapsed(last.When, p.Time) > mostSilence {
			reportHeader(l, ruleGap, "%.0f s after the last one to this master", interval)
		}
	}
	h.when = clock.At(p.Time)
}

// measured tells of a value, if anybody wants to know: who has to be written out.
func (t *tracker) measured(p *wire.Place, table string, who netip.AddrPort, what string, number float64, unit string) {
	if t.reporter.Value != nil {
		t.reporter.Measured(wire.Value{Place: *p, Table: table, Server: who, What: what, Number: number, Unit: unit})
	}
}

// The tables of what is measured: of game servers, and of masters' lists.
const (
	servers = "servers"
	lists   = "lists"
)

// measureState tells what a game server says of itself.
func (t *tracker) measureState(m *GameInfoReply, p *wire.Place) {
	if t.reporter.Value == nil {
		return
	}
	state := func(what, text string) {
		t.reporter.Measured(wire.Value{Place: *p, Table: servers, Server: p.Src, What: what, State: true, Text: text})
	}
	if name := wire.Trim(m.Name); len(name) > 0 {
		state("name", string(name))
	}
	if m.HasPlayers && m.HasMaxPlayers {
		state("players", fmt.Sprintf("%d/%d", m.Players, m.MaxPlayers))
	}
}

// reportHeader reports what is about no field.
func reportHeader(l wire.Layer, rule *wire.Rule, format string, args ...any) {
	core := l.Core()
	core.Report(rule, 0, min(minimum, len(core.Contents)), format, args...)
}

// spot is where a message was seen. Endpoints are known otherwise.
type spot struct {
	frame, stream int
	time          int64
	file          string
}

func spotOf(p *wire.Place) spot { return spot{p.Frame, p.Conversation, p.Time, p.File} }

func (s *spot) place(src, dst netip.AddrPort) *wire.Place {
	return &wire.Place{Frame: s.frame, File: s.file, Time: s.time, Transport: wire.UDP, Conversation: s.stream,
		Src: src, Dst: dst, Protocol: Protocol}
}
