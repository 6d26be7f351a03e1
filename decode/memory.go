package decode

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

const (
	// DefaultMemory is the default of Options.Memory in bytes.
	DefaultMemory = 224 << 20

	minMemory = 1 << 20
	partShare = 8 // see Engine.Part
)

// memory divides the memory of an engine. Conversations and sessions may use up to five eighths, and trackers may use
// the rest. In a pipeline, decoding runs ahead of the trackers. What the trackers drop must not depend on how far it is
// ahead, so each tick contains the number of bytes that decoding used at that time.
type memory struct {
	decoding *bounded.Budget // conversations and sessions, and everything below
	tracking *bounded.Budget // trackers

	// Limits of parts of decoding.
	held      *bounded.Budget // datagrams of unrecognised conversations
	streams   int             // bytes that wait for the rest of a message or for missing bytes
	history   int             // delivered bytes of streams
	fragments int             // fragments of incomplete datagrams
	spent     int             // bytes that these four used at the last turn
}

// newMemory divides Options.Memory.
func newMemory(o *Options) memory {
	bytes := o.Memory
	if bytes <= 0 {
		bytes = DefaultMemory
	}
	bytes = max(bytes, minMemory)
	half := bytes / 2
	return memory{
		decoding: bounded.NewBudget(bytes / 8 * 5), tracking: bounded.NewBudget(bytes),
		held: bounded.NewBudget(half / 16), streams: half / 4, history: half / 8, fragments: half / 8,
	}
}

// turn begins the next turn of the decoding budgets, see bounded.Budget. inUse is the number of bytes in streams and
// fragments.
func (m *memory) turn(inUse int) {
	m.held.Turn()
	if inUse += m.held.Used(); inUse != m.spent {
		m.decoding.Spend(inUse - m.spent)
		m.spent = inUse
	}
	m.decoding.Turn()
}

// reportForgotten makes a budget report a finding when it first drops an entry of a kind. where returns the place of
// the current packet.
func reportForgotten(b *bounded.Budget, to func(*wire.TrafficFinding), where func() wire.Place) {
	b.Told = func(k bounded.Kind) {
		text := "memory is full: from here on, " + k.Name + " are dropped, those idle longest first"
		if k.Most != "" {
			text = "from here on, " + k.Name + " are dropped if there are more than " + k.Most
		}
		if k.Silent != "" {
			text += "; missing after that: " + k.Silent
		}
		to(&wire.TrafficFinding{Place: where(), Rule: RuleForgotten, Text: text})
	}
}

// Forgotten returns what was dropped so far because the memory was full. Any goroutine may call it.
func (m *memory) Forgotten() (all []bounded.Forgotten) {
	for _, b := range []*bounded.Budget{m.decoding, m.held, m.tracking} {
		all = append(all, b.Forgotten()...)
	}
	return all
}
