package wiretest

import (
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// pairSplitter splits a stream into messages of two bytes, either immediately or only when the whole stream is
// available.
type pairSplitter struct{ needsAll bool }

func (p pairSplitter) Next(_ wire.Direction, data []byte, ended bool, _ *wire.Progress) int {
	if len(data) < 2 || p.needsAll && !ended {
		return wire.NeedMore
	}
	return 2
}

func (p pairSplitter) Plausible(way wire.Direction, data []byte, g *wire.Progress) int {
	return p.Next(way, data, false, g)
}

func (pairSplitter) Lost(wire.Direction) {}

// Even if messages are short, the work must not grow with the square of the stream's length.
func TestShortMessagesAreSplit(t *testing.T) {
	sample := samplesOf(t, "transport: tcp\n00 00")[0]
	for _, splitter := range []pairSplitter{{}, {needsAll: true}} {
		p := toy(none)
		p.NewSplitter = func() wire.Splitter { return splitter }
		var c complaints
		checkSplits(&c, p, sample)
		if splitter.needsAll != (len(c) > 0) {
			t.Errorf("a splitter that needs whole streams %t: %q", splitter.needsAll, c)
		}
	}
}

// wrongSplitter returns an invalid size, or reduces Progress.Passed.
type wrongSplitter struct {
	pairSplitter
	goesBack bool
}

func (w wrongSplitter) Next(_ wire.Direction, _ []byte, _ bool, p *wire.Progress) int {
	if !w.goesBack {
		return -7
	}
	p.Passed--
	return wire.NeedMore
}

// checkSplits reports the mistakes of wrongSplitter, and does not panic.
func TestWrongSplitters(t *testing.T) {
	sample := samplesOf(t, "transport: tcp\n00 00 00 00")[0]
	for want, splitter := range map[string]wrongSplitter{
		"Next returns the size -7":                   {},
		"Next sets Progress.Passed from 0 back to -": {goesBack: true},
	} {
		p := toy(none)
		p.NewSplitter = func() wire.Splitter { return splitter }
		var c complaints
		checkSplits(&c, p, sample)
		if len(c) == 0 || !strings.Contains(c[0], want) {
			t.Errorf("%q, want %q", c, want)
		}
	}
}

// The values of a JSON text are made only for the tree, and may allocate.
func TestJSONMayAllocate(t *testing.T) {
	sample := samplesOf(t, jsonSample)[0]
	var c complaints
	if checkAllocations(&c, toy(none), sample); len(c) > 0 {
		t.Errorf("%q", c)
	}
	if n := read(toy(none), toy(none).New(), sample); !n.next() || n.tree().Find("a") == nil {
		t.Error("the tree lacks the values of the text")
	}
}

// A sample whose message depends on earlier messages names the sample that contains them.
func TestAfter(t *testing.T) {
	list := samplesOf(t, pairs, "after: sample-0.hex\n"+whole, "after: sample-1.hex\n"+whole)
	if err := order(list); err != nil {
		t.Fatal(err)
	}
	for i, s := range list {
		r := read(toy(none), toy(none).New(), s)
		if r.next(); r.tree().Find("informed") != nil != (i > 0) {
			t.Errorf("%s: depends on earlier messages %t", s.Name, i == 0)
		}
	}
	list[0].After = "sample-2.hex"
	if err := order(list); err == nil || !strings.Contains(err.Error(), "follows itself") {
		t.Error(err)
	}
	list[0].After = "none.hex"
	if err := order(list); err == nil || !strings.Contains(err.Error(), "is not in its folder") {
		t.Error(err)
	}
}

// If the sender of "closed" sends again, its messages do not depend on messages before "closed".
func TestClosedEndsTheState(t *testing.T) {
	for _, c := range []struct {
		turns string
		want  bool
	}{{"", true}, {"1 server > client closed\n", true}, {"1 client > server closed\n", false}} {
		k, err := parseTalk("# Two.\nclient: 10.0.0.1:4000\nserver: 10.0.0.2:1999\n0 client > server tcp\n" + pairs + "\n" + c.turns +
			"2 client > server tcp\n" + whole + "\n")
		if err != nil {
			t.Fatal(err)
		}
		p := toy(none)
		p.NewSession = wire.NewStates[uint8]
		y := newPlayer(k, p)
		y.tracker = &enders{y.tracker}
		y.show(k.turns)
		if informed := y.layer.(*toyLayer).Before > 0; informed != c.want {
			t.Errorf("%q: depends on earlier messages %t", c.turns, informed)
		}
	}
}

type enders struct{ wire.Tracker }

func (enders) Ended(*wire.Place) {}

// hasty returns NoMessage if it has only the first byte of a message.
type hasty struct{ pairSplitter }

func (h hasty) Plausible(way wire.Direction, data []byte, p *wire.Progress) int {
	if len(data) < 2 {
		return wire.NoMessage
	}
	return h.Next(way, data, false, p)
}

// checkSplit reports results of a splitter that contradict each other.
func TestContradiction(t *testing.T) {
	p := toy(none)
	p.NewSplitter = func() wire.Splitter { return hasty{} }
	var c complaints
	checkSplit(&c, p, samplesOf(t, "transport: tcp\ndirection: c2s\n01 02 03 04")[0])
	want := "at byte 0, 01 02 03 04: the splitter returns -1 for the first 1 byte, and 2 for all"
	if len(c) == 0 || !strings.Contains(c[0], want) || !strings.Contains(c[0], `direction "c2s": Plausible`) {
		t.Errorf("%q", c)
	}
}
