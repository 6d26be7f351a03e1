package tribes

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/attempt"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// tracker passes each message to the components that check it. They match answers with queries, check the packets of a
// list for consistency, and check the intervals of heartbeats.
type tracker struct {
	time       captureTime
	reporter   reporter
	exchanges  *exchanges
	broadcasts *broadcasts
	heartbeats *heartbeats
	coverage   *coverage
	queries    *queries
	replies    *replies
	listed     *listedServers
}

// newTracker creates the stores. Their order matters: if the same message was the last to use several entries, the
// memory budget first drops the entry of the store that was created last.
func newTracker(r *wire.Reporter) wire.Tracker {
	t := &tracker{reporter: reporter{Reporter: r, ends: newEndpoints(r.Memory), files: new(attempt.Files)}}
	lists := &lists{reporter: &t.reporter, time: &t.time}
	t.exchanges = newExchanges(&t.reporter, &t.time, lists)
	t.broadcasts = newBroadcasts(&t.reporter, &t.time)
	t.heartbeats = newHeartbeats(&t.reporter)
	servers := newServers(&t.reporter)
	t.coverage = newCoverage(&t.reporter, &t.time)
	t.listed = newListedServers(&t.reporter, &t.time, t.heartbeats)
	manners := newManners(&t.reporter)
	t.exchanges.manners = manners
	t.queries = &queries{&t.reporter, &t.time, t.exchanges, t.broadcasts, t.coverage, lists, manners}
	t.replies = &replies{&t.reporter, &t.time, t.exchanges, t.coverage, lists, t.queries, servers, t.listed}
	r.Watch(t)
	return t
}

// Signal handles ICMP errors about queries and answers.
func (t *tracker) Signal(s wire.Signal, p *wire.Place) {
	if s == wire.Undelivered {
		t.exchanges.undelivered(p)
	}
}

func (t *tracker) Message(l wire.Layer, p *wire.Place) {
	if !t.time.started {
		t.Time(p.Time)
	}
	t.reporter.protocol = p.Protocol
	core := l.Core()
	switch m := core.Body.(type) {
	case *Query:
		t.queries.addMatchmaking(core, m, p)
		if core.Message == masterQuery {
			t.listed.visit(p)
		}
		t.listed.challenge(p, core.Message == verificationRequest)
	case *InfoQuery:
		if core.Message == verificationReply {
			t.replies.checkVerification(p, m)
		} else {
			t.queries.add(p, query{kind: kindInfo, number: AllPackets, key: m.Key, hasKey: m.HasKey})
		}
	case *GameSpyQuery:
		t.queries.add(p, query{kind: kindGameSpy, number: AllPackets, key: m.Sequence, hasKey: m.HasSequence})
	case *MasterListReply:
		t.replies.checkList(l, p, m)
		checkEntries(l, p, m)
	case *GameInfoReply:
		t.replies.checkGameInfo(l, p, m)
	case *InfoResponse:
		t.replies.check(l, p, kindInfo, m.Key)
	case *GameSpyReply:
		t.replies.checkGameSpy(l, p, m)
	case *GameConnection:
		checkConnection(t.listed.account, m, p)
	case *wire.Undefined:
		if l.(*Layer).Version == Version && core.Size() == 1 { // masters treat it as a query
			t.queries.add(p, query{kind: kindMatchmaking, number: AllPackets})
		}
	case *Heartbeat:
		version := l.(*Layer).Version
		if version == Version {
			t.heartbeats.check(l, p)
		}
		t.listed.heartbeat(p, version)
	}
}

// Lost does nothing, because Tribes does not use streams.
func (t *tracker) Lost(*wire.Place) {}

func (t *tracker) Time(now int64) {
	if t.time.advance(now) {
		t.sweep()
	}
	t.listed.account.Time(t.time.now)
}

func (t *tracker) sweep() {
	t.exchanges.sweep()
	t.coverage.sweep()
}

// Jump drops the open queries. After a jump of the clock their age is unknown.
func (t *tracker) Jump(now int64) {
	t.exchanges.clear()
	t.broadcasts.byClient.Clear()
	t.heartbeats.last.Clear()
	t.queries.manners.byPair.Clear()
	t.coverage.clear()
	t.time = captureTime{started: true, start: now, now: now, swept: now, forgot: clock.At(now)}
	t.listed.account.Jump(now)
}

func (t *tracker) Next() int64 {
	return min(clock.Add(t.time.swept, sweepEvery+1), t.listed.account.Next())
}

// Close reports everything still open, except queries and lists for which packets may come after the end of the
// capture.
func (t *tracker) Close(now int64) {
	t.Time(now)
	t.sweep()
	t.exchanges.close()
	t.listed.account.Close(t.time.now)
}
