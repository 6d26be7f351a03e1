// Package dedup recognises messages about the same event. A server sends such a message to each of its clients, and a
// client may have sent it to the server before. (Packets that a capture contains twice are a different case: package
// decode does not pass their messages to trackers.)
//
// Other programs must not rely on it, see docs/api.md.
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
	maxDelay   = int64(30 * time.Second) // how late a call may come, because bytes after a gap in a stream must wait
	maxSources = 512                     // maximum number of sources per event; 200 players have 400, one on each side
	maxAlike   = 64                      // maximum number of equal events in a window
)

// Events stores the events of the last seconds. Events with equal bytes cannot be distinguished, so they are counted
// per source: the nth message of any source is about the nth event. Events must not be used concurrently.
type Events struct {
	window int64
	lru    *bounded.LRU[key, equals]
	seeds  [2]maphash.Seed
	room   []byte // scratch of key
}

// key is a hash of an event's scope and bytes.
type key [2]uint64

// equals are events with equal bytes.
type equals struct {
	times   []int64 // when each event first came, in ascending order
	sources []source
}

// source counts how many of these events came from a source.
type source struct{ id, count uint32 }

// New returns an Events that stores an event for a window, which is the maximum time between its copies. The budget
// bounds its memory.
func New(b *bounded.Budget, kind bounded.Kind, window time.Duration) *Events {
	return &Events{
		window: int64(window),
		lru:    bounded.NewLRU(b, kind, bounded.Values[key, equals]{Held: (*equals).size}),
		seeds:  [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
	}
}

// Repeats reports whether another source already had the event. A source is a connection, or one side of a connection.
// event is the part of the message that is equal for all sources. Events of different scopes are never equal. now is in
// nanoseconds. Calls must come roughly in order of time: if a call comes at most 30 s late, other scopes and events do
// not affect its result. An event that was dropped for lack of memory counts as new.
func (e *Events) Repeats(source uint32, now int64, scope string, event []byte) bool {
	for k, old := e.lru.Stalest(); old != nil && old.over(now-maxDelay, e.window); k, old = e.lru.Stalest() {
		e.lru.Delete(k)
	}
	return e.lru.Make(e.key(scope, event)).repeats(source, now, e.window)
}

// Forget drops all events.
func (e *Events) Forget() { e.lru.Clear() }

func (e *Events) key(scope string, event []byte) key {
	e.room = append(append(append(e.room[:0], scope...), 0), event...)
	return key{maphash.Bytes(e.seeds[0], e.room), maphash.Bytes(e.seeds[1], e.room)}
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

// over reports whether all the events are older than the window.
func (q *equals) over(now, window int64) bool {
	return len(q.times) == 0 || clock.Elapsed(q.times[len(q.times)-1], now) > window
}

// expire drops the events that are older than the window.
func (q *equals) expire(now, window int64) {
	n := 0
	for n < len(q.times) && clock.Elapsed(q.times[n], now) > window {
		n++
	}
	if n > 0 {
		q.forget(n)
	}
}

// forget drops the first n events, and the sources that had no other events.
func (q *equals) forget(n int) {
	q.times = slices.Delete(q.times, 0, n)
	for i := range q.sources {
		q.sources[i].count -= min(q.sources[i].count, uint32(n))
	}
	q.sources = slices.DeleteFunc(q.sources, func(s source) bool { return s.count == 0 })
}

// size returns the size of the slices in bytes.
func (q *equals) size() int { return cap(q.times)*8 + cap(q.sources)*int(unsafe.Sizeof(source{})) }
