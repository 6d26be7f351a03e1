package decode

import (
	"fmt"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// DefaultMemory is how many bytes an Engine remembers that nobody gave another number.
const DefaultMemory = 192 << 20

// memory is what an engine may remember, in bytes: so much of the capture before sessions and so much behind them.
// Each side has its own, so that what is forgotten does not depend on how far one goroutine is ahead of the other.
type memory struct {
	decoding *bounded.Budget // conversations and sessions
	tracking *bounded.Budget // trackers
}

// newMemory shares the bytes of the options.
func newMemory(o *Options) memory {
	bytes := o.Memory
	if bytes <= 0 {
		bytes = DefaultMemory
	}
	return memory{decoding: bounded.NewBudget(bytes / 2), tracking: bounded.NewBudget(bytes / 2)}
}

// reportForgotten has a sink told when a budget has to forget something of a kind for the first time. where gives
// the place of the packet at hand.
func reportForgotten(b *bounded.Budget, to func(*wire.TrafficFinding), where func() wire.Place) {
	b.Told = func(k bounded.Kind) {
		text := fmt.Sprintf("%s idle longest are forgotten from here on, %d MB are full", k.Name, b.Limit()>>20)
		if k.Silent != "" {
			text += "; of those there is no " + k.Silent + " any more"
		}
		to(&wire.TrafficFinding{Place: where(), Rule: RuleForgotten, Text: text})
	}
}

// Forgotten tells what had to be forgotten so far for want of memory. It may be asked from any goroutine.
func (m *memory) Forgotten() []bounded.Forgotten {
	return append(m.decoding.Forgotten(), m.tracking.Forgotten()...)
}
