// Package dedup recognises messages about the same event: a server sends it to each of its clients, and a player sends
// it to the server before. Packets that a capture has twice are another matter, which package decode settles before
// there are messages. Other programs find no promise here, see docs/api.md.
package dedup

import (
	"hash/maphash"
	"slices"
	"time"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

const (
	maxDelay   = int64(30 * time.Second) // by which calls may come late: what is after a gap of a stream waits
	maxSources = 512                     // of an event; a game has 200 players, and each may have it on either side
	maxAlike   = 64                      // equal events within a window
)

// Events are those of the last seconds. Nothing tells equal events apart, so sources are counted: the nth message of a
// source is about the nth event. Events must not be used concurrently.
type Events struct {
	window int64
	lru    *bounded.LRU[key, equals]
	seeds  [2]maphash.Seed
}

// key stands for the bytes of an event.
type key [2]uint64

// equals are events of the same bytes.
type equals struct {
	times   []int64 // when each came first, in order
	sources []source
}

// source is how many of these events a source had.
type source struct{ id, count uint32 }

// New makes an Events that remembers an event for a window, which is how far copies of it may be apart, and takes its
// memory from a budget.
func New(b *bounded.Budget, kind bounded.Kind, window time.Duration) *Events {
	return &Events{
		window: int64(window),
		lru:    bounded.NewLRU(b, kind, bounded.Values[key, equals]{Held: (*equals).held}),
		seeds:  [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
	}
}

// Repeats reports whether another source had the event before. A source is a connection, or one side of it. The event
// is the bytes that are equal whoever sends it; those of different scopes are never equal. Calls have to come about
// in the order of time, in nanoseconds: the answer for a call that comes at most 30 s late does not depend on other
// scopes and events. An event that was forgotten for want of memory is new.
func (e *Events) Repeats(source uint32, now int64, scope string, event []byte) bool {
	for k, old := e.lru.Stalest(); old != nil && old.over(now-maxDelay, e.window); k, old = e.lru.Stalest() {
		e.lru.Delete(k)
	}
	return e.lru.Make(e.key(scope, event)).repeats(source, now, e.window)
}

// Forget forgets all events.
func (e *Events) Forget() { e.lru.Clear() }

func (e *Events) key(scope string, event []byte) (k key) {
	for i, seed := range e.seeds {
		var h maphash.Hash
		h.SetSeed(seed)
		_, _ = h.WriteString(scope)
		_ = h.WriteByte(0)
		_, _ = h.Write(event)
		k[i] = h.Sum64()
	}
	return k
}

func (q *equals) repeats(id uint32, now, window int64) bool {
	q.expire(now, window)
	i := slices.IndexFunc(q.sources, func(s source) bool { return s.id == id })
	if i < 0 {
		if len(q.sources) >= maxSources {
			return false
		}
		i = len(q.sources)
		q.sources = append(q.sources, source{id: id})
	}
	q.sources[i].count++
	if int(q.sources[i].count) <= len(q.times) {
		return true
	}
	if len(q.times) >= maxAlike {
		q.forget(1)
	}
	q.times = append(q.times, now)
	return false
}

// over reports whether no source will send any of the events any more.
func (q *equals) over(now, window int64) bool {
	return len(q.times) == 0 || clock.Elapsed(q.times[len(q.times)-1], now) > window
}

// expire forgets the events that no source will send any more.
func (q *equals) expire(now, window int64) {
	n := 0
	for n < len(q.times) && clock.Elapsed(q.times[n], now) > window {
		n++
	}
	if n > 0 {
		q.forget(n)
	}
}

// forget forgets the first n events, and the sources that had no others.
func (q *equals) forget(n int) {
	q.times = slices.Delete(q.times, 0, n)
	for i := range q.sources {
		q.sources[i].count -= min(q.sources[i].count, uint32(n))
	}
	q.sources = slices.DeleteFunc(q.sources, func(s source) bool { return s.count == 0 })
}

// held is how many bytes they take.
func (q *equals) held() int { return cap(q.times)*8 + cap(q.sources)*int(unsafe.Sizeof(source{})) }
