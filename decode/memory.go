package decode

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

const (
	// DefaultMemory is Options.Memory in bytes unless it is set.
	DefaultMemory = 224 << 20

	minMemory = 1 << 20
	partShare = 8 // see Engine.Part
)

// memory is how many bytes an engine may remember: conversations and sessions at most half, trackers what these leave.
// Each tick carries what these leave, so what trackers forget does not depend on how far decoding is ahead.
type memory struct {
	decoding *bounded.Budget // of conversations and sessions, and of all below
	tracking *bounded.Budget // of trackers

	// The largest share of decoding that each of these may take.
	held      *bounded.Budget // datagrams of conversations that are not recognised
	streams   int             // bytes that wait for the rest of a message, or after a gap
	history   int             // bytes of streams that were delivered
	fragments int             // fragments of datagrams that are not whole
	spent     int             // what these four had in use at the last turn
}

// newMemory shares the bytes of the options.
func newMemory(o *Options) memory {
	bytes := o.Memory
	if bytes <= 0 {
		bytes = DefaultMemory
	}
	bytes = max(bytes, minMemory)
	half := bytes / 2
	return memory{
		decoding: bounded.NewBudget(half), tracking: bounded.NewBudget(bytes),
		held: bounded.NewBudget(half / 16), streams: half / 4, history: half / 8, fragments: half / 8,
	}
}

// turn begins the next turn of decoding. inUse is how many bytes streams and fragments have in use.
func (m *memory) turn(inUse int) {
	m.held.Turn()
	if inUse += m.held.Used(); inUse != m.spent {
		m.decoding.Spend(inUse - m.spent)
		m.spent = inUse
	}
	m.decoding.Turn()
}

// reportForgotten adds a finding when a budget forgets something of a kind for the first time. where gives the place of
// the current packet.
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

// Forgotten returns what had to be forgotten so far for want of memory. Any goroutine may call it.
func (m *memory) Forgotten() (all []bounded.Forgotten) {
	for _, b := range []*bounded.Budget{m.decoding, m.held, m.tracking} {
		all = append(all, b.Forgotten()...)
	}
	return all
}
