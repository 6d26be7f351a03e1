package decode

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

const (
	// DefaultMemory is how many bytes an Engine remembers that nobody gave another number.
	DefaultMemory = 224 << 20

	minMemory = 1 << 20
	partShare = 8 // see Engine.Part
)

// memory is what an engine may remember, in bytes: conversations and sessions at most half of it, and trackers what
// these leave. How much that is they are told with each tick, so that what is forgotten does not depend on how far one
// goroutine is ahead of the other.
type memory struct {
	decoding *bounded.Budget // conversations and sessions, and what the others below have in use
	tracking *bounded.Budget // trackers

	// Shares of decoding: the most that each of these may take of it.
	held      *bounded.Budget // datagrams of conversations that are not recognised
	streams   int             // what waits for the rest of a message, or behind a hole
	history   int             // what was delivered of streams
	fragments int             // what waits for fragments
	others    int             // what these had in use at the last turn
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

// turn begins the next turn of decoding. inUse is what streams and fragments have in use.
func (m *memory) turn(inUse int) {
	m.held.Turn()
	if inUse += m.held.Used(); inUse != m.others {
		m.decoding.Spend(inUse - m.others)
		m.others = inUse
	}
	m.decoding.Turn()
}

// reportForgotten has a sink told when a budget has to forget something of a kind for the first time. where gives
// the place of the packet at hand.
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

// Forgotten gives what had to be forgotten so far for want of memory. Any goroutine may call it.
func (m *memory) Forgotten() (all []bounded.Forgotten) {
	for _, b := range []*bounded.Budget{m.decoding, m.held, m.tracking} {
		all = append(all, b.Forgotten()...)
	}
	return all
}
