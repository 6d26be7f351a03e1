package ask_test

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/ask"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

var (
	rulePong = &wire.Rule{ID: "quiz.unasked-pong", Severity: wire.Warning}
	rulePing = &wire.Rule{ID: "quiz.unanswered-ping", Severity: wire.Note}
	rules    = &ask.Rules{Most: 8, Patience: int64(5 * time.Second), Memory: int64(time.Minute)}
)

type (
	ends struct{ client, server netip.AddrPort }
	ping struct { // what a list keeps of a Ping
		number uint16
		place  wire.Place
	}
)

// tracker pairs pongs with pings. It is complete, so other trackers can begin as a copy of it. Hostile traffic can have
// many pings, so the Reporter's budget limits them: when the budget is full, it drops the least recently used entry.
// The budget knows the size of the entries in its LRUs, but not of the data to which their values point. Held returns
// the size of that data.
type tracker struct {
	*wire.Reporter
	now   int64
	since clock.Moment // no later pings are missing: the capture began then, or the last drop was then
	pings *bounded.LRU[ends, ask.List[ping]]
	due   *bounded.Deadlines[ends] // when to look for pings without an answer
}

func newTracker(r *wire.Reporter) wire.Tracker {
	t := &tracker{Reporter: r}
	t.pings = bounded.NewLRU(r.Memory, bounded.Kind{Name: "pings of Quiz servers", Silent: "ping, " + rulePing.ID},
		bounded.Values[ends, ask.List[ping]]{
			Held:    (*ask.List[ping]).Held,
			Dropped: func(ends, *ask.List[ping]) { t.since = clock.At(t.now) },
		})
	t.due = bounded.NewDeadlines[ends](r.Memory, bounded.Kind{Name: "awaited pongs of Quiz servers", Silent: rulePing.ID})
	return t
}

func (t *tracker) Message(l wire.Layer, p *wire.Place) {
	switch m := l.Core().Body.(type) {
	case *Ping:
		key := ends{p.Src, p.Dst}
		t.list(key, p.Lane).Ask(rules, t.now, ping{m.Number, *p}, nil)
		t.due.Add(clock.Add(t.now, rules.Patience), key)
	case *Pong:
		q, verdict := t.list(ends{p.Dst, p.Src}, wire.ReverseLane(p.Lane)).Answer(rules, t.now, func(q *ask.Question[ping]) int {
			switch {
			case q.Value.number != m.Number:
				return 0
			case q.Waits(rules, t.now):
				return 2
			}
			return 1
		})
		switch verdict {
		case ask.First:
			t.Measured(wire.Value{Place: *p, Table: "servers", Server: p.Src, What: "ping",
				Number: time.Duration(clock.Elapsed(q.Asked, t.now)).Seconds(), Unit: "s", Answer: true})
		case ask.Unasked:
			l.Core().Report(rulePong, 0, l.Core().Size(), "no ping had number %d", m.Number)
		}
	}
}

// list returns the pings from one endpoint to another. The lane makes the lookup faster.
func (t *tracker) list(key ends, lane uint32) *ask.List[ping] {
	list := t.pings.GetAt(lane, key)
	if list == nil {
		list = t.pings.MakeAt(lane, key)
		list.Miss(t.since.When())
	}
	return list
}

func (t *tracker) Time(now int64) {
	if !t.since.Known() {
		t.since = clock.At(now)
	}
	t.now = now
	for key, _, ok := t.due.Due(now); ok; key, _, ok = t.due.Due(now) {
		if list := t.pings.Peek(key); list != nil { // Peek does not count as a use
			list.Overdue(rules, now, func(q *ask.Question[ping]) {
				t.Report(&q.Value.place, rulePing, "ping %d is not answered", q.Value.number)
			})
		}
	}
}

func (t *tracker) Next() int64 { return t.due.Next() }

func (*tracker) Lost(*wire.Place) {}

// Jump drops all pings, since it is unknown which of them were answered in the gap.
func (t *tracker) Jump(now int64) {
	t.now, t.since = now, clock.At(now)
	t.pings.Clear()
	t.due.Clear()
}

// Close reports the overdue pings. The other pings could still be answered after the capture.
func (t *tracker) Close(now int64) { t.Time(now) }

// Ping asks a server. It contains a number that comes back in a Pong.
type Ping struct{ Number uint16 }

func (p *Ping) Walk(c *wire.Cursor) { wire.U16(c, "number", &p.Number) }

// Pong answers a Ping.
type Pong struct{ Ping }

// said is a message as the engine passes it to a tracker.
type said struct {
	wire.Layer
	core wire.Base
}

func (s *said) Core() *wire.Base { return &s.core }

// A tracker pairs pongs with pings, measures the time between them, and reports pings without a pong and pongs without
// a ping.
func Example_tracker() {
	t := newTracker(&wire.Reporter{
		Finding: func(f *wire.TrafficFinding) { fmt.Printf("%s: %s\n", f.Rule.ID, f.Text) },
		Value:   func(v *wire.Value) { fmt.Printf("%s of %s: %g %s\n", v.What, v.Server, v.Number, v.Unit) },
	})
	client, server := netip.MustParseAddrPort("192.0.2.1:4000"), netip.MustParseAddrPort("192.0.2.2:27960")
	say := func(seconds float64, src, dst netip.AddrPort, body wire.Body) {
		now := int64(seconds * float64(time.Second))
		message := &said{core: wire.Base{Body: body}}
		t.Time(now)
		t.Message(message, &wire.Place{Time: now, Src: src, Dst: dst})
		for _, f := range message.core.Findings() {
			fmt.Printf("%s: %s\n", f.Rule.ID, f.Text)
		}
	}
	say(0, server, client, &Pong{Ping{6}}) // its ping may have been before the capture
	say(1, client, server, &Ping{7})
	say(1.25, server, client, &Pong{Ping{7}})
	say(8, client, server, &Ping{8})
	say(9, server, client, &Pong{Ping{9}})
	t.Close(int64(20 * time.Second))
	// Output:
	// ping of 192.0.2.2:27960: 0.25 s
	// quiz.unasked-pong: no ping had number 9
	// quiz.unanswered-ping: ping 8 is not answered
}
