package ask

import (
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// Pairs describes the questions and answers of a protocol as data. It is for protocols whose answers go back to the
// endpoint that asked. wire.MessageType.Answers lists the messages that a message answers, and wire.Keyed returns the
// key that question and answer must share. A protocol uses the method NewTracker of its Pairs as
// wire.Protocol.NewTracker.
type Pairs struct {
	Patience   int64      // nanoseconds to wait for an answer, unless the side that must answer closes first
	Unanswered *wire.Rule // broken if no answer comes; may be nil
	Unasked    *wire.Rule // broken by an answer to a question that its receiver did not ask; may be nil
	Table      string     // table whose column "ping" has the response times of the server; "": no such table

	// Measure reports the values of a message. It is called for each message that could be read completely, including
	// repeated ones. It may be nil.
	Measure func(*wire.Reporter, wire.Layer, *wire.Place)
}

// NewTracker makes the tracker for a capture.
func (p *Pairs) NewTracker(r *wire.Reporter) wire.Tracker {
	const silent = "findings about answers, response times"
	return &pairs{
		Pairs: p, Reporter: r, rules: Rules{Most: 8, Patience: p.Patience},
		lists: bounded.NewLRU(r.Memory, bounded.Kind{Name: "lists of questions", Silent: silent},
			bounded.Values[ends, List[asked]]{Held: sizeOf}),
		due: bounded.NewDeadlines[ends](r.Memory, bounded.Kind{Name: "awaited answers", Silent: silent}),
	}
}

// ends are the two endpoints of a question.
type ends struct{ asker, server netip.AddrPort }

// asked is what a List keeps of a question.
type asked struct {
	message *wire.MessageType
	key     string
	place   wire.Place
}

func sizeOf(l *List[asked]) int {
	n := l.Held()
	for i := range l.Len() {
		n += len(l.At(i).Value.key)
	}
	return n
}

// pairs is the tracker of Pairs.
type pairs struct {
	*Pairs
	*wire.Reporter
	rules Rules
	lists *bounded.LRU[ends, List[asked]]
	due   *bounded.Deadlines[ends]
}

// Message handles a message. A message that cannot be read may answer any open question, so all of them are dropped.
func (t *pairs) Message(l wire.Layer, p *wire.Place) {
	core := l.Core()
	m := core.Message
	if core.Fault() != nil {
		t.lists.Delete(ends{p.Dst, p.Src})
		return
	}
	if t.Measure != nil && !core.Truncated() {
		t.Measure(t.Reporter, l, p)
	}
	key := ""
	if k, ok := core.Body.(wire.Keyed); ok {
		key = string(k.AnswerKey())
	}
	if list := t.lists.Get(ends{p.Dst, p.Src}); list != nil && len(m.Answers) > 0 {
		t.answer(core, list, key, p)
	}
	if m.IsQuestion() {
		list := t.lists.Make(ends{p.Src, p.Dst})
		list.Ask(&t.rules, p.Time, asked{m, key, *p}, nil)
		t.due.Add(clock.Add(p.Time, t.Patience), ends{p.Src, p.Dst})
	}
}

// answer pairs an answer with the oldest question that it fits, preferably an unanswered one.
func (t *pairs) answer(core *wire.Base, list *List[asked], key string, p *wire.Place) {
	q, verdict := list.Answer(&t.rules, p.Time, func(q *Question[asked]) int {
		switch {
		case q.Value.key != key || !slices.Contains(core.Message.Answers, q.Value.message.Name):
			return 0 // another question
		case q.Answers > 0:
			return 1
		}
		return 2
	})
	switch {
	case verdict == Unasked && t.Unasked != nil && !p.Lossy:
		core.Report(t.Unasked, 0, core.Size(), "%s asked nothing of the kind", p.Dst)
	case verdict == First && t.Table != "" && core.Direction != wire.ToServer:
		t.Measured(wire.Value{Place: *p, Table: t.Table, Server: p.Src, What: "ping", Unit: "s", Answer: true,
			Number: float64(max(clock.Elapsed(q.Asked, p.Time), 0)) / 1e9})
	}
}

func (t *pairs) Time(now int64) {
	for who, _, ok := t.due.Due(now); ok; who, _, ok = t.due.Due(now) {
		list := t.lists.Peek(who)
		if list == nil {
			continue
		}
		list.Overdue(&t.rules, now, func(q *Question[asked]) { t.unanswered(q, "no answer from %s") })
	}
}

func (t *pairs) unanswered(q *Question[asked], format string) {
	if t.Unanswered != nil {
		t.Report(&q.Value.place, t.Unanswered, format, q.Value.place.Dst)
	}
}

func (t *pairs) Next() int64 { return t.due.Next() }

// Lost drops the questions of both directions, because the lost message may have been a question or an answer.
func (t *pairs) Lost(p *wire.Place) {
	t.lists.Delete(ends{p.Src, p.Dst})
	t.lists.Delete(ends{p.Dst, p.Src})
}

// Ended reports the open questions that the source will not answer, because it has closed the connection. If the
// source's last bytes may be lost, the engine calls Lost first, which drops the questions.
func (t *pairs) Ended(p *wire.Place) {
	if list := t.lists.Peek(ends{p.Dst, p.Src}); list != nil && !p.Lossy {
		for i := range list.Len() {
			if q := list.At(i); q.Answers == 0 && !q.Overdue() {
				t.unanswered(q, "%s closed the connection without an answer")
			}
		}
	}
	t.Lost(p)
}

// Jump drops all questions, since it is unknown how long they have waited.
func (t *pairs) Jump(int64) {
	t.lists.Clear()
	t.due.Clear()
}

// Close reports the unanswered questions, except those that could still be answered after the capture.
func (t *pairs) Close(now int64) { t.Time(now) }

var _ wire.Ender = (*pairs)(nil)
