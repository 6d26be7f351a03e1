package wiretest

import (
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// pairSplitter cuts a stream into messages of two bytes, at once or when all of the stream is there.
type pairSplitter struct{ wantsAll bool }

func (p pairSplitter) Next(_ wire.Direction, data []byte, ended bool, _ *wire.Progress) int {
	if len(data) < 2 || p.wantsAll && !ended {
		return wire.NeedMore
	}
	return 2
}

func (p pairSplitter) Plausible(way wire.Direction, data []byte, g *wire.Progress) int {
	return p.Next(way, data, false, g)
}

func (pairSplitter) Lost(wire.Direction) {}

// Messages may be short: what counts is that the work does not grow with the square of the stream.
func TestShortMessagesAreSplit(t *testing.T) {
	sample := samplesOf(t, "transport: tcp\n00 00")[0]
	for _, splitter := range []pairSplitter{{}, {wantsAll: true}} {
		p := toy(none)
		p.NewSplitter = func() wire.Splitter { return splitter }
		var c complaints
		checkSplits(&c, p, sample)
		if splitter.wantsAll != (len(c) > 0) {
			t.Errorf("a splitter that wants whole streams %t: %q", splitter.wantsAll, c)
		}
	}
}
