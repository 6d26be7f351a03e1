package decode

import (
	"hash/maphash"
	"slices"
	"time"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// A Once tells copies: a server tells an event to everybody, so that messages of several connections are one event.
// What it has no room to remember it takes for new. It is for one goroutine at a time.
type Once struct {
	events *bounded.LRU[eventKey, tellings]
	seeds  [2]maphash.Seed
}

const (
	onceTime    = int64(5 * time.Second) // by which copies may be apart: what TCP sends again takes seconds
	mostTellers = 512                    // of an event; a game has 200 players, and each may be told on either side
	mostAlike   = 64                     // events in that time that are the same
)

// eventKey stands for the bytes of an event.
type eventKey [2]uint64

// tellings are what was told of events that are the same: nobody can tell which of them a message is about, but who
// told n of them tells the next one.
type tellings struct {
	times   []int64 // when each was told first, in order
	tellers []telling
}

// telling is how many of these events a teller told.
type telling struct{ teller, count uint32 }

// Once makes a Once for Options.Message to ask, before the first frame. What it remembers is in the engine's memory.
func (e *Engine) Once() *Once { return newOnce(e.Part()) }

func newOnce(b *bounded.Budget) *Once {
	o := &Once{seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}}
	o.events = bounded.NewLRU(b, bounded.Kind{Name: "events"},
		bounded.Values[eventKey, tellings]{Held: (*tellings).held})
	return o
}

// Copy reports whether a message tells only what others told before, and notes it in the message. Each message has to
// come once, in order. The engine has to have Options.Told.
func (o *Once) Copy(m *Message) bool {
	m.Copy = m.Told.Elsewhere || o.again(m, "")
	return m.Copy
}

// Finding reports whether a finding about a message repeats one about another message that tells the same event.
func (o *Once) Finding(m *Message, f *wire.Finding) bool { return o.again(m, f.Rule.ID) }

// again reports whether a teller tells what another one told before: what happens, or which rule is broken by it.
func (o *Once) again(m *Message, rule string) bool {
	if m.Told.Event == nil {
		return false
	}
	o.expire(m.Time)
	return o.events.Make(o.key(m, rule)).again(m.Told.Teller, m.Time)
}

// expire forgets events that nobody is going to tell any more.
func (o *Once) expire(now int64) {
	for key, t := o.events.Stalest(); t != nil && t.over(now); key, t = o.events.Stalest() {
		o.events.Delete(key)
	}
}

// key is that of the event of a message, and of a rule; "" is none.
func (o *Once) key(m *Message, rule string) (k eventKey) {
	for i, seed := range o.seeds {
		var h maphash.Hash
		h.SetSeed(seed)
		_, _ = h.WriteString(rule)
		_ = h.WriteByte(0)
		_, _ = h.WriteString(m.Protocol.Name)
		_, _ = h.Write(m.Told.Event)
		k[i] = h.Sum64()
	}
	return k
}

// again takes what somebody tells now, and reports whether it was told before.
func (t *tellings) again(teller uint32, now int64) bool {
	t.expire(now)
	i := slices.IndexFunc(t.tellers, func(x telling) bool { return x.teller == teller })
	if i < 0 {
		if len(t.tellers) >= mostTellers {
			return false
		}
		i = len(t.tellers)
		t.tellers = append(t.tellers, telling{teller: teller})
	}
	t.tellers[i].count++
	if int(t.tellers[i].count) <= len(t.times) {
		return true
	}
	if len(t.times) >= mostAlike {
		t.forget(1)
	}
	t.times = append(t.times, now)
	return false
}

// over reports whether nobody is going to tell any of the events any more.
func (t *tellings) over(now int64) bool {
	return len(t.times) == 0 || clock.Elapsed(t.times[len(t.times)-1], now) > onceTime
}

// expire forgets those of the events that nobody is going to tell any more.
func (t *tellings) expire(now int64) {
	n := 0
	for n < len(t.times) && clock.Elapsed(t.times[n], now) > onceTime {
		n++
	}
	if n > 0 {
		t.forget(n)
	}
}

// forget forgets the first n of the events, and who told no others.
func (t *tellings) forget(n int) {
	t.times = slices.Delete(t.times, 0, n)
	for i := range t.tellers {
		t.tellers[i].count -= min(t.tellers[i].count, uint32(n))
	}
	t.tellers = slices.DeleteFunc(t.tellers, func(x telling) bool { return x.count == 0 })
}

// held is how many bytes they take.
func (t *tellings) held() int {
	return cap(t.times)*8 + cap(t.tellers)*int(unsafe.Sizeof(telling{}))
}
