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

// memory is the memory of an engine. Conversations and sessions get at most five eighths of it, and trackers get the
// rest. Each tick contains the size of the rest, so the data that trackers drop do not depend on how far decoding is
// ahead.
type memory struct {
	decoding *bounded.Budget // of conversations and sessions, and of everything below
	tracking *bounded.Budget // of trackers

	// The largest share of decoding for each of the following.
	held      *bounded.Budget // datagrams of unrecognised conversations
	streams   int             // bytes that wait for the rest of a message, or after a gap
	history   int             // delivered bytes of streams
	fragments int             // fragments of incomplete datagrams
	spent     int             // bytes used by these four at the last turn
}

// newMemory divides the memory of the options.
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

// turn begins the next turn of decoding. inUse is the memory of streams and fragments in bytes.
func (m *memory) turn(inUse int) {
	m.held.Turn()
	if inUse += m.held.Used(); inUse != m.spent {
		m.decoding.Spend(inUse - m.spent)
		m.spent = inUse
	}
	m.decoding.Turn()
}

// reportForgotten adds a finding when a budget first drops an entry of a kind. where returns the place of the current
// packet.
func reportForgotten(b *bounded.Budget, to func(*wire.TrafficFinding), where func() wire.Place) {
	b.Told = func(k bounded.Kind) {
		text := k.Name + " idle longest are forgotten from here on, there is no memory for more"
		if k.Most != "" {
			text = k.Name + " are left out from here on where there are more than " + k.Most
		}
		if k.Silent != "" {
			text += ", and of those no " + k.Silent + " any more"
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
