package wiretest

import (
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// pairSplitter splits a stream into messages of two bytes, either immediately or only when the whole stream is
// available.
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

// Messages may be short. The work still must not grow with the square of the stream's length.
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

// wrongSplitter returns an invalid size, or moves backwards.
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

// The check names each mistake of a splitter, and then continues.
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
		t.Error("the tree has no values of the text")
	}
}

// If a message depends on others, its sample names the earlier sample.
func TestAfter(t *testing.T) {
	list := samplesOf(t, pairs, "after: sample-0.hex\n"+whole, "after: sample-1.hex\n"+whole)
	if err := order(list); err != nil {
		t.Fatal(err)
	}
	for i, s := range list {
		r := read(toy(none), toy(none).New(), s)
		if r.next(); r.tree().Find("informed") != nil != (i > 0) {
			t.Errorf("%s: informed %t", s.Name, i == 0)
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

// Messages after "closed" do not depend on messages before it.
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
			t.Errorf("%q: informed %t", c.turns, informed)
		}
	}
}

type enders struct{ wire.Tracker }

func (enders) Ended(*wire.Place) {}

// hasty mistakes the first byte of a message for NoMessage.
type hasty struct{ pairSplitter }

func (h hasty) Plausible(way wire.Direction, data []byte, p *wire.Progress) int {
	if len(data) < 2 {
		return wire.NoMessage
	}
	return h.Next(way, data, false, p)
}

// The check reports answers of a splitter that contradict each other.
func TestContradiction(t *testing.T) {
	p := toy(none)
	p.NewSplitter = func() wire.Splitter { return hasty{} }
	var c complaints
	checkSplit(&c, p, samplesOf(t, "transport: tcp\ndirection: c2s\n01 02 03 04")[0])
	want := "from byte 0 on, 01 02 03 04: the answer is -1 to the first 1 byte, and 2 to all"
	if len(c) == 0 || !strings.Contains(c[0], want) || !strings.Contains(c[0], `direction "c2s": by Plausible`) {
		t.Errorf("%q", c)
	}
}
