package decode

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// tells makes a message by which a source tells an event.
func tells(event string, source uint32, when int64) *Message {
	m := &Message{Told: wire.Told{Event: []byte(event), Teller: source}}
	m.Protocol, m.Time = &wire.Protocol{Name: "toy"}, when
	return m
}

// testDeduplicator begins a turn of its memory with each message, as an engine does.
type testDeduplicator struct {
	*Deduplicator
	memory *bounded.Budget
}

func deduplicatorOf(memory int) testDeduplicator {
	b := bounded.NewBudget(memory)
	return testDeduplicator{newDeduplicator(b), b}
}

func (o testDeduplicator) Copy(m *Message) bool {
	o.memory.Turn()
	return o.Deduplicator.Copy(m)
}

// occurrence is an event of the reference, which keeps all of them in a list.
type occurrence struct {
	what    string
	first   int64
	sources []uint32
}

// TestDeduplicator holds a Once against a list that is searched.
func TestDeduplicator(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 3))
		o := deduplicatorOf(16 << 20)
		var all []*occurrence
		now := int64(time.Hour)
		for step := range 500 {
			now += int64(r.IntN(int(copyWindow / 20)))
			what, source := fmt.Sprint(r.IntN(3)), uint32(r.IntN(4))
			i := slices.IndexFunc(all, func(h *occurrence) bool {
				return h.what == what && now-h.first <= copyWindow && !slices.Contains(h.sources, source)
			})
			if i >= 0 {
				all[i].sources = append(all[i].sources, source)
			} else {
				all = append(all, &occurrence{what, now, []uint32{source}})
			}
			m := tells(what, source, now)
			if got := o.Copy(m); got != (i >= 0) || m.Copy != got {
				t.Fatalf("seed %d, step %d: %s by %d is a copy: %t", seed, step, what, source, got)
			}
		}
	}
}

// TestDeduplicatorLosses has each connection lose some of what happens. Whatever one of them has is counted as often as the
// connection that has it most often.
func TestDeduplicatorLosses(t *testing.T) {
	const sources = 5
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 4))
		var sent []*Message
		want := make(map[string]int)
		most := make(map[string]*[sources]int)
		for i := range 40 {
			what := fmt.Sprint(r.IntN(10))
			if most[what] == nil {
				most[what] = new([sources]int)
			}
			for source := range sources {
				if r.IntN(3) == 0 {
					continue
				}
				most[what][source]++
				late := int64(r.IntN(int(time.Second)))
				sent = append(sent, tells(what, uint32(source), int64(i)*int64(10*time.Millisecond)+late))
			}
		}
		slices.SortStableFunc(sent, func(a, b *Message) int { return int(a.Time - b.Time) })
		for what, n := range most {
			if n := slices.Max(n[:]); n > 0 {
				want[what] = n
			}
		}
		o, got := deduplicatorOf(16<<20), make(map[string]int)
		for _, m := range sent {
			if !o.Copy(m) {
				got[string(m.Told.Event)]++
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("seed %d: %v, want %v", seed, got, want)
		}
	}
}

// TestDeduplicatorIsBounded wants what there is no room for to be taken for new, never for a copy.
func TestDeduplicatorIsBounded(t *testing.T) {
	wiretest.WithoutDetector(t)
	o := deduplicatorOf(16 << 20)
	const many = 200_000
	for i := range many {
		for source := range uint32(3) {
			if o.Copy(tells(fmt.Sprint(i), source, int64(i))) != (source > 0) {
				t.Fatalf("%d by %d", i, source)
			}
		}
	}
	o.memory.Turn()
	if used := o.memory.Used(); used > 16<<20 || o.events.Len() < many/4 {
		t.Errorf("%d events take %d bytes", o.events.Len(), used)
	}
	if o.Copy(tells("0", 3, many)) || !o.Copy(tells(fmt.Sprint(many-1), 3, many)) {
		t.Error("not the oldest ones were forgotten")
	}
	news := 0
	for i := range uint32(10_000) { // many tell the same, and one tells it often
		if !o.Copy(tells("x", i, many)) {
			news++
		}
		o.Copy(tells("y", 1, many))
	}
	if x := *o.events.Make(o.key(tells("x", 0, 0), "")); len(x.sources) > maxSources || news != 10_000-maxSources+1 {
		t.Errorf("%d sources are kept, %d are new", len(x.sources), news)
	}
	if y := *o.events.Make(o.key(tells("y", 0, 0), "")); len(y.times) > maxAlike {
		t.Errorf("%d events that are the same are kept", len(y.times))
	}
}

// Events that nobody is going to tell any more take no memory, and are no loss.
func TestDeduplicatorForgetsWhatIsOver(t *testing.T) {
	wiretest.WithoutDetector(t)
	o := deduplicatorOf(1 << 20)
	for i := range int64(100_000) {
		o.Copy(tells(fmt.Sprint(i), 1, i*int64(time.Second)/100))
	}
	if n := o.events.Len(); n > 600 || n < 400 || o.memory.Forgotten() != nil {
		t.Errorf("%d events are remembered of 100 a second; %v", n, o.memory.Forgotten())
	}
}

// What a Once remembers is part of the engine's memory, and not all of it.
func TestDeduplicatorInEngine(t *testing.T) {
	const memory = 8 << 20
	e := New(Options{Memory: memory, Told: true})
	o := e.Deduplicator()
	e.decoder.dispatcher.place = new(wire.Place)
	for i := range 100_000 {
		e.memory.tracking.Turn()
		o.Copy(tells(fmt.Sprint(i), 1, 0))
	}
	e.memory.tracking.Turn()
	if used := e.memory.tracking.Used(); used > memory/partShare || used < memory/partShare/2 || len(e.Forgotten()) != 1 {
		t.Errorf("%d bytes are used of %d; %v", used, memory, e.Forgotten())
	}
	e.Close()
}

// What is told elsewhere is a copy, and does not make others copies. What is told to one alone is none.
func TestDeduplicatorElsewhere(t *testing.T) {
	o := deduplicatorOf(16 << 20)
	m := tells("a", 1, 0)
	m.Told.Elsewhere = true
	if !o.Copy(m) || o.Copy(tells("a", 2, 0)) || !o.Copy(tells("a", 3, 0)) {
		t.Error("what was told elsewhere counts")
	}
	for range 3 {
		if o.Copy(&Message{}) {
			t.Error("what is told to one alone is a copy")
		}
	}
	other := tells("a", 4, 0)
	other.Protocol = &wire.Protocol{Name: "other"}
	if o.Copy(other) {
		t.Error("what another protocol tells is a copy")
	}
}

// A finding about a copy is new if nobody else told of a finding of that rule.
func TestDeduplicatorFindings(t *testing.T) {
	o := deduplicatorOf(16 << 20)
	bad := wire.Finding{Rule: &wire.Rule{ID: "toy.bad"}}
	worse := wire.Finding{Rule: &wire.Rule{ID: "toy.worse"}}
	o.Copy(tells("a", 1, 0))
	if o.Finding(tells("a", 1, 0), &bad) || !o.Finding(tells("a", 2, 0), &bad) || o.Finding(tells("a", 3, 0), &worse) {
		t.Error("not the first of a rule is new")
	}
	if !o.Copy(tells("a", 2, 0)) {
		t.Error("a finding counts as an event")
	}
}

// The beginning of a message is no copy because the message before it was one.
func TestDeduplicatorPartial(t *testing.T) {
	var got Message
	d := &dispatcher{options: &Options{Partial: func(m *Message) { got = *m }}}
	d.current.Copy, d.current.Told.Event = true, []byte("a")
	l := new(toyLayer)
	_ = l.DecodeFromBytes([]byte("S>\x01x"), gopacket.NilDecodeFeedback) // it is whole
	d.partial(l, new(wire.Place), 0)
	if got.Name != "Toy" || got.Copy || got.Told.Event != nil {
		t.Errorf("%+v", got)
	}
}
