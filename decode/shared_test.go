package decode

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// TestPressed has conversations be forgotten that are nobody's: no loss, and yet an engine with more memory may find
// something else.
func TestPressed(t *testing.T) {
	e := New(Options{Protocols: []*wire.Protocol{poker}, Memory: leastMemory})
	for i := range 20_000 {
		if i == 100 && e.Pressed() {
			t.Error("there is room")
		}
		src := fmt.Sprintf("10.0.%d.%d:%d", i>>8, i&255, 1000+i)
		e.Frame(&Frame{Data: udpPacket(t, src, other, foreign), Link: ip.LinkRaw, Time: int64(i)})
	}
	if !e.Pressed() || len(e.Forgotten()) > 0 {
		t.Errorf("pressed: %v; forgotten: %v", e.Pressed(), e.Forgotten())
	}
	e.Close()
}

// TestCountersAdd wants engines that share frames to count what one does.
func TestCountersAdd(t *testing.T) {
	var frames []Frame
	for i := range 40 {
		f := Frame{Data: udpPacket(t, client, server, saying("S>", "a text")), Link: ip.LinkRaw, Number: i + 1, Time: int64(i)}
		if i%3 == 1 {
			f.Data = udpPacket(t, other, "198.51.100.9:9", foreign)
		}
		if i%20 == 3 {
			f.Link = 147
		}
		f.Length = len(f.Data) + i%2
		frames = append(frames, f)
	}
	count := func(mine func(i int) bool) Counters {
		e := New(Options{Protocols: []*wire.Protocol{toyStreams(), poker}})
		for i := range frames {
			if mine(i) {
				e.Frame(&frames[i])
			} else {
				e.Elsewhere(&frames[i])
			}
		}
		e.Close()
		return e.Counters()
	}
	ours := func(i int) bool { return i%3 != 1 || i%20 == 3 }
	want, got := count(func(int) bool { return true }), count(ours)
	rest := count(func(i int) bool { return !ours(i) })
	got.Add(&rest)
	if fmt.Sprint(got) != fmt.Sprint(want) || want.Messages == 0 || want.Other == 0 || !slices.Equal(got.UnknownLinks, want.UnknownLinks) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
