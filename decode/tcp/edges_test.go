package tcp

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// Up to maxWaitingBytes may wait after a gap, and not one byte more.
func TestAssemblerWaitingBytes(t *testing.T) {
	l := newLoad(1)
	l.send(0, 0, []byte{1})
	payload := make([]byte, maxWaitingBytes/4)
	for i := range uint32(4) {
		l.send(0, 2+i*uint32(len(payload)), payload)
	}
	if l.gaps != 0 {
		t.Error("the gap was given up too early")
	}
	l.send(0, 2+maxWaitingBytes, []byte{1})
	if l.gaps != 1 || l.missing != 1 {
		t.Errorf("%+v", *l.counter)
	}
	l.check(t)
}

// gapList is a receiver that uses no bytes and lists the gaps.
type gapList struct {
	counter
	a         *Assembler
	all       []Gap
	misplaced int // number of gaps whose rest has a wrong position
}

func newGapList(a *Assembler) *gapList {
	return &gapList{a: a, counter: counter{use: func(*Stream, []byte) int { return 0 }}}
}

func (g *gapList) Gap(s *Stream, gap Gap) {
	if g.a.Position() != s.start+gap.Offset-int64(len(gap.Rest)) {
		g.misplaced++
	}
	gap.Rest = nil
	g.all = append(g.all, gap)
}

// The Assembler uses all its memory. If one more byte arrives, it drops unused bytes and reports that as a gap.
func TestAssemblerFillsItsMemory(t *testing.T) {
	l := newLoad(64)
	r := newGapList(l.a)
	next := 0
	for left := maxStreamBytes; left > 0; next++ {
		size := maxTail
		for rest := left - size - backlogCost; rest < 0 || rest == smallestTail; rest = left - size - backlogCost {
			size /= 2 // until the tail fits, and the remaining memory is 0 or enough for another tail
		}
		left -= size + backlogCost
		l.connections[next].Receiver = r
		l.send(next, 0, make([]byte, size))
	}
	l.connections[next].Receiver = r
	l.connections[next].Add(l.a, 0, &Segment{Missing: 3})
	l.check(t)
	if l.a.bytes() != maxStreamBytes || len(r.all) != 1 || r.all[0].Missing != 3 || !r.all[0].CutOff || r.all[0].Crowded {
		t.Errorf("%d bytes, gaps %+v", l.a.bytes(), r.all)
	}
	l.send(next, 3, []byte{1})
	l.check(t)
	if len(r.all) != 2 || r.all[1].Offset != maxTail || r.all[1].Missing != 0 || !r.all[1].Crowded || r.all[1].CutOff {
		t.Errorf("gaps %+v", r.all)
	}
	if r.misplaced > 0 {
		t.Errorf("%d of %d gaps have a rest with a wrong position", r.misplaced, len(r.all))
	}
}

// Records fill the ring to its last byte. The next record overwrites the oldest one, which is then no longer found.
func TestDeliveredFillsItsRing(t *testing.T) {
	var h delivered
	const size = 1 << 12
	var places []int64
	for i := range deliveredSize / size {
		places = append(places, h.add(0, int64(i), make([]byte, size-recordHead)))
	}
	for i, place := range places {
		var d difference
		h.compare(place, int64(i), []byte{1}, &d)
		if place != deliveredSize+int64(i)*size || d.bytes != min(i, 1) {
			t.Errorf("record %d at %d: %d differ", i, place, d.bytes)
		}
	}
	if h.end != 2*deliveredSize {
		t.Errorf("the ring ends at %d", h.end)
	}
}

// A backlog records the packet of each byte of its tail. If there are more than maxMarks packets, the last ones are
// recorded as one packet.
func TestBacklogMarks(t *testing.T) {
	var l backlog
	origins := func() (all []int64) {
		for i := range l.tail {
			all = append(all, l.origin(i).Serial)
		}
		return all
	}
	var want []int64
	send := func(serial int64) {
		l.tail = append(l.tail, "ab"...)
		l.grown(&Origin{Serial: serial})
		want = append(want, serial, serial)
	}
	for serial := range int64(10) {
		send(serial)
		send(serial)
	}
	for n := range 6 {
		l.use(n)
		if want = want[n:]; !slices.Equal(origins(), want) {
			t.Errorf("%d used: %d, want %d", n, origins(), want)
		}
	}
	l.use(1) // the rest of a packet
	want = want[1:]
	for serial := int64(10); len(want) < 2*2*6+2*(maxMarks-6); serial++ {
		send(serial)
	}
	if !slices.Equal(origins(), want) {
		t.Errorf("%d marks: %d, want %d", len(l.marks), origins(), want)
	}
	send(999)
	want[len(want)-3], want[len(want)-4] = 999, 999
	if !slices.Equal(origins(), want) || len(l.marks) != maxMarks {
		t.Errorf("%d marks: %d, want %d", len(l.marks), origins(), want)
	}
}

// A Gap reports why its bytes are missing. If a tail becomes longer than the longest segment, it is reported as a Gap
// without missing bytes.
func TestGapReasons(t *testing.T) {
	k := newTalk(t, nil)
	r := newGapList(k.a)
	k.Receiver = r
	k.bytes(0, 0, strings.Repeat("a", maxTail-1))
	k.cut(0, maxTail, 0, "zz", 3)
	k.bytes(0, maxTail-1, "a") // the tail is full, and the waiting bytes make it too long
	k.cut(0, maxTail+5, 0, "b", 4)
	k.bytes(0, maxTail+12, "e")
	k.cut(0, maxTail+14, 0, "gh", 2)
	k.time += time.Minute
	k.tick()
	want := []Gap{
		{Offset: maxTail + 2}, {Offset: maxTail + 2, Missing: 3, CutOff: true}, {Offset: maxTail + 6, Missing: 4, CutOff: true},
		{Offset: maxTail + 10, Missing: 2}, {Offset: maxTail + 13, Missing: 1}, {Offset: maxTail + 16, Missing: 2, CutOff: true},
	}
	if fmt.Sprint(r.all) != fmt.Sprint(want) || r.longest != maxTail {
		t.Errorf("got  %+v\nwant %+v, the longest tail has %d", r.all, want, r.longest)
	}
}

// A tail grows in place while its buffer has room.
func TestStreamGrowsTailsInPlace(t *testing.T) {
	k := opened(t, none)
	k.bytes(0, 1000, strings.Repeat("a", smallestTail-1))
	l := k.Stream(0).backlog
	first, size := &l.tail[0], k.a.bytes()
	k.bytes(0, 1000+smallestTail-1, "b")
	if &l.tail[0] != first || k.a.bytes() != size {
		t.Errorf("moved: %d bytes instead of %d", k.a.bytes(), size)
	}
	k.bytes(0, 1000+smallestTail, "c")
	if k.a.bytes() != size+2*smallestTail {
		t.Errorf("%d bytes, want %d more than %d", k.a.bytes(), 2*smallestTail, size)
	}
}

// After the receiver has used all kept bytes, later bytes are again delivered without a copy.
func TestStreamDeliversInPlaceAfterARest(t *testing.T) {
	var passed [][]byte
	k := opened(t, nil)
	k.Receiver = &counter{use: func(_ *Stream, b []byte) int { passed = append(passed, b); return []int{0, 3, len(b)}[len(passed)-1] }}
	k.bytes(0, 1000, "abc")
	k.tick()
	second := bytes.Repeat([]byte("x"), 3*smallestTail)
	k.Add(k.a, 0, &Segment{Seq: 1003, Payload: second})
	if len(passed) != 3 || len(passed[2]) != len(second) || &passed[2][0] != &second[0] {
		t.Errorf("%d calls, or the bytes were copied", len(passed))
	}
}
