package decode

import (
	"fmt"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// withEvent returns a message in which a source reports an event.
func withEvent(event string, source uint32, when int64) *Message {
	m := &Message{Told: wire.Told{Event: []byte(event), Source: source}}
	m.Protocol, m.Time = &wire.Protocol{Name: "toy"}, when
	return m
}

// testDeduplicator starts a turn of the budget with each message, as an engine does.
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

// A Deduplicator uses at most its part of the engine's memory.
func TestDeduplicatorInEngine(t *testing.T) {
	const memory = 8 << 20
	e := New(Options{Memory: memory, Told: true})
	o := e.Deduplicator()
	e.decoder.dispatcher.place = new(wire.Place)
	for i := range 100_000 {
		e.memory.tracking.Turn()
		o.Copy(withEvent(fmt.Sprint(i), 1, 0))
	}
	e.memory.tracking.Turn()
	if used := e.memory.tracking.Used(); used > memory/partShare || used < memory/partShare/2 || len(e.Forgotten()) != 1 {
		t.Errorf("%d of %d bytes are used; %v", used, memory, e.Forgotten())
	}
	e.Close()
}

// A message with Skip set is a copy, but does not make other messages copies. A message without an event is never a
// copy.
func TestDeduplicatorSkip(t *testing.T) {
	o := deduplicatorOf(16 << 20)
	m := withEvent("a", 1, 0)
	m.Told.Skip = true
	if !o.Copy(m) || o.Copy(withEvent("a", 2, 0)) || !o.Copy(withEvent("a", 3, 0)) {
		t.Error("a message with Skip set makes another message a copy")
	}
	for range 3 {
		if o.Copy(&Message{}) {
			t.Error("a message without an event is a copy")
		}
	}
	other := withEvent("a", 4, 0)
	other.Protocol = &wire.Protocol{Name: "other"}
	if o.Copy(other) {
		t.Error("a message of another protocol is a copy")
	}
}

// A finding about a copy is new if no other source had a finding of the same rule about this event.
func TestDeduplicatorFindings(t *testing.T) {
	o := deduplicatorOf(16 << 20)
	bad := wire.Finding{Rule: &wire.Rule{ID: "toy.bad"}}
	worse := wire.Finding{Rule: &wire.Rule{ID: "toy.worse"}}
	o.Copy(withEvent("a", 1, 0))
	if o.Finding(withEvent("a", 1, 0), &bad) || !o.Finding(withEvent("a", 2, 0), &bad) || o.Finding(withEvent("a", 3, 0), &worse) {
		t.Error("Finding must return true only for repeated findings")
	}
	if !o.Copy(withEvent("a", 2, 0)) {
		t.Error("a finding counts as an event")
	}
}

// A partial message is not a copy, even if the previous message was a copy.
func TestDeduplicatorPartial(t *testing.T) {
	var got Message
	d := &dispatcher{options: &Options{Partial: func(m *Message) { got = *m }}}
	d.current.Copy, d.current.Told.Event = true, []byte("a")
	l := new(toyLayer)
	_ = l.DecodeFromBytes([]byte("S>\x01x"), gopacket.NilDecodeFeedback) // a complete message
	d.partial(l, new(wire.Place), 0)
	if got.Name != "Toy" || got.Copy || got.Told.Event != nil {
		t.Errorf("%+v", got)
	}
}
