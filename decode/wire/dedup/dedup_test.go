package dedup

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

const window = int64(10 * time.Second)

const second = int64(time.Second)

func newEvents(memory int) (*Events, *bounded.Budget) {
	b := bounded.NewBudget(memory)
	return New(b, bounded.Kind{Name: "events"}, time.Duration(window)), b
}

// TestRepeats compares Events with a simple model: a list of all events.
func TestRepeats(t *testing.T) {
	type event struct {
		text    string
		first   int64
		sources []uint32
	}
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 3))
		e, _ := newEvents(16 << 20)
		var all []*event
		now := int64(time.Hour)
		for step := range 500 {
			now += r.Int64N(window / 20)
			text, source := fmt.Sprint(r.IntN(3)), uint32(r.IntN(4))
			i := slices.IndexFunc(all, func(x *event) bool {
				return x.text == text && now-x.first <= window && !slices.Contains(x.sources, source)
			})
			if i >= 0 {
				all[i].sources = append(all[i].sources, source)
			} else {
				all = append(all, &event{text, now, []uint32{source}})
			}
			if got := e.Repeats(source, now, "", []byte(text)); got != (i >= 0) {
				t.Fatalf("seed %d, step %d: Repeats of %s from source %d returns %t", seed, step, text, source, got)
			}
		}
	}
}

// TestLosses makes each source lose a third of the events. Of equal events, the number that count as new must be the
// largest number that a single source has.
func TestLosses(t *testing.T) {
	type message struct {
		text   string
		source int
		time   int64
	}
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 4))
		var sent []message
		want, counts := make(map[string]int), make(map[message]int)
		for i := range int64(40) {
			text := fmt.Sprint(r.IntN(10))
			for source := range 5 {
				if r.IntN(3) > 0 {
					m := message{text: text, source: source}
					counts[m]++
					want[text] = max(want[text], counts[m])
					m.time = i*second/100 + r.Int64N(second)
					sent = append(sent, m)
				}
			}
		}
		slices.SortStableFunc(sent, func(a, b message) int { return int(a.time - b.time) })
		e, _ := newEvents(16 << 20)
		got := make(map[string]int)
		for _, m := range sent {
			if !e.Repeats(uint32(m.source), m.time, "", []byte(m.text)) {
				got[m.text]++
			}
		}
		if !maps.Equal(got, want) {
			t.Fatalf("seed %d: %v, want %v", seed, got, want)
		}
	}
}

// TestScopes checks that equal bytes in two scopes are two events, even if scope and bytes are equal when joined.
func TestScopes(t *testing.T) {
	e, _ := newEvents(1 << 20)
	for _, x := range [][2]string{{"a", "bc"}, {"ab", "c"}, {"", "abc"}} {
		if e.Repeats(1, 0, x[0], []byte(x[1])) || !e.Repeats(2, 0, x[0], []byte(x[1])) {
			t.Errorf("%q", x)
		}
	}
}

// TestMemory checks that memory is bounded, and that a dropped event later counts as new.
func TestMemory(t *testing.T) {
	e, memory := newEvents(1 << 20)
	const many = 20_000
	for i := range many {
		for source := range uint32(3) {
			memory.Turn()
			if e.Repeats(source, 0, "", fmt.Append(nil, i)) != (source > 0) {
				t.Fatalf("Repeats of event %d from source %d returns the wrong result", i, source)
			}
		}
	}
	memory.Turn()
	if used := memory.Used(); used > 1<<20 || e.lru.Len() < 2000 {
		t.Errorf("%d events take %d bytes", e.lru.Len(), used)
	}
	if e.Repeats(3, 0, "", []byte("0")) || !e.Repeats(3, 0, "", fmt.Append(nil, many-1)) {
		t.Error("the dropped events are not the oldest")
	}
	unknown := 0
	for i := range uint32(10_000) { // many sources send one event, and one source sends equal events
		if !e.Repeats(i, 0, "", []byte("x")) {
			unknown++
		}
		e.Repeats(1, 0, "", []byte("y"))
	}
	x, y := e.lru.Peek(e.key("", []byte("x"))), e.lru.Peek(e.key("", []byte("y")))
	if len(x.sources) > maxSources || unknown != 10_000-maxSources+1 || len(y.times) > maxAlike {
		t.Errorf("%d sources, %d new, %d equal events", len(x.sources), unknown, len(y.times))
	}
}

// TestWindow checks that expired events use no memory and do not count as dropped.
func TestWindow(t *testing.T) {
	e, memory := newEvents(1 << 20)
	for i := range int64(20_000) {
		memory.Turn()
		e.Repeats(1, i*second/100, "", fmt.Append(nil, i))
	}
	if n, most := e.lru.Len(), int((window+maxDelay)/second)*100; n > most+2 || n < most || memory.Forgotten() != nil {
		t.Errorf("%d events are stored, with 100 per second; %v", n, memory.Forgotten())
	}
}

// TestLateCalls checks that other events do not affect a late call.
func TestLateCalls(t *testing.T) {
	e, _ := newEvents(1 << 20)
	e.Repeats(1, 0, "", []byte("x"))
	e.Repeats(1, window+maxDelay, "", []byte("y"))
	if !e.Repeats(2, window, "", []byte("x")) {
		t.Error("the event was dropped too early")
	}
}
