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

// A Deduplicator recognises copies: a server sends an event to each of its clients, so messages of several connections
// are one event. Events that it has no memory for count as new. It must not be used concurrently.
type Deduplicator struct {
	events *bounded.LRU[eventKey, occurrences]
	seeds  [2]maphash.Seed
}

const (
	copyWindow = int64(5 * time.Second) // how far copies may be apart: TCP retransmits for seconds
	maxSources = 512                    // of an event: a game has 200 players, each with two connections at most
	maxAlike   = 64                     // equal events within copyWindow
)

// eventKey is a hash of an event's bytes.
type eventKey [2]uint64

// occurrences are equal events. No message says which of them it is about, so the nth message of a source is about the
// nth event.
type occurrences struct {
	times   []int64 // of each event's first message, in order
	sources []sourceCount
}

// sourceCount is how many of the events a source sent.
type sourceCount struct{ source, count uint32 }

// Deduplicator makes a Deduplicator for Options.Message to ask. It must be called before the first frame. What the
// Deduplicator remembers counts as the engine's memory.
func (e *Engine) Deduplicator() *Deduplicator { return newDeduplicator(e.Part()) }

func newDeduplicator(b *bounded.Budget) *Deduplicator {
	o := &Deduplicator{seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}}
	o.events = bounded.NewLRU(b, bounded.Kind{Name: "events"},
		bounded.Values[eventKey, occurrences]{Held: (*occurrences).held})
	return o
}

// Copy reports whether other connections carried the event of a message before, and sets m.Copy. Call it for each
// message once, in order. It needs Options.Told.
func (o *Deduplicator) Copy(m *Message) bool {
	m.Copy = m.Told.Elsewhere || o.again(m, "")
	return m.Copy
}

// Finding reports whether another message with the same event had a finding of the same rule before.
func (o *Deduplicator) Finding(m *Message, f *wire.Finding) bool { return o.again(m, f.Rule.ID) }

// again notes the event of a message, or the rule that it breaks, and reports whether another source sent it before.
func (o *Deduplicator) again(m *Message, rule string) bool {
	if m.Told.Event == nil {
		return false
	}
	o.expire(m.Time)
	return o.events.Make(o.key(m, rule)).again(m.Told.Teller, m.Time)
}

// expire forgets events that are older than copyWindow.
func (o *Deduplicator) expire(now int64) {
	for key, t := o.events.Stalest(); t != nil && t.over(now); key, t = o.events.Stalest() {
		o.events.Delete(key)
	}
}

// key hashes the event of a message and the ID of a rule; "" is none.
func (o *Deduplicator) key(m *Message, rule string) (k eventKey) {
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

// again counts a message of a source, and reports whether another source sent its event before.
func (t *occurrences) again(source uint32, now int64) bool {
	t.expire(now)
	i := slices.IndexFunc(t.sources, func(x sourceCount) bool { return x.source == source })
	if i < 0 {
		if len(t.sources) >= maxSources {
			return false
		}
		i = len(t.sources)
		t.sources = append(t.sources, sourceCount{source: source})
	}
	t.sources[i].count++
	if int(t.sources[i].count) <= len(t.times) {
		return true
	}
	if len(t.times) >= maxAlike {
		t.forget(1)
	}
	t.times = append(t.times, now)
	return false
}

// over reports whether all events are older than copyWindow.
func (t *occurrences) over(now int64) bool {
	return len(t.times) == 0 || clock.Elapsed(t.times[len(t.times)-1], now) > copyWindow
}

// expire forgets the events that are older than copyWindow.
func (t *occurrences) expire(now int64) {
	n := 0
	for n < len(t.times) && clock.Elapsed(t.times[n], now) > copyWindow {
		n++
	}
	if n > 0 {
		t.forget(n)
	}
}

// forget forgets the first n events, and the sources that sent no others.
func (t *occurrences) forget(n int) {
	t.times = slices.Delete(t.times, 0, n)
	for i := range t.sources {
		t.sources[i].count -= min(t.sources[i].count, uint32(n))
	}
	t.sources = slices.DeleteFunc(t.sources, func(x sourceCount) bool { return x.count == 0 })
}

// held is how many bytes they take.
func (t *occurrences) held() int {
	return cap(t.times)*8 + cap(t.sources)*int(unsafe.Sizeof(sourceCount{}))
}
