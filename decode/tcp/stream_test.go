package tcp

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"
	"unsafe"
)

// Bytes in order are not copied: the receiver receives a slice of the payload.
func TestStreamDeliversInPlace(t *testing.T) {
	var passed [][]byte
	use := func(b []byte) int { passed = append(passed, b); return lines(b) }
	k := opened(t, use)
	send := func(seq uint32, payload []byte) {
		k.tick()
		passed = nil
		k.Add(k.a, 0, &Segment{Seq: seq, Payload: payload})
	}
	first := []byte("one\ntwo\nthr")
	send(1000, first)
	if len(passed) != 1 || &passed[0][0] != &first[0] {
		t.Fatal("the bytes were copied")
	}
	// The bytes that complete a message are copied after its beginning. The bytes after them are not copied.
	second := slices.Concat([]byte("ee\n"), bytes.Repeat([]byte("line\n"), 1000))
	send(1011, second)
	if len(passed) != 2 || &passed[1][len(passed[1])-1] != &second[len(second)-1] {
		t.Fatalf("%d calls", len(passed))
	}
	if copied := len(passed[0]); copied > len("thr")+smallestTail {
		t.Errorf("%d bytes copied", copied)
	}
	// A segment that exactly fills a gap is not copied either.
	k.bytes(0, 1011+uint32(len(second))+4, "end\n")
	third := []byte("abc\n")
	send(1011+uint32(len(second)), third)
	if len(passed) != 2 || &passed[0][0] != &third[0] {
		t.Error("a segment that fills a gap was copied")
	}
}

// If the unused bytes become too many, they are dropped and reported as a gap without missing bytes.
func TestStreamGivesUpLongTails(t *testing.T) {
	r := &counter{use: func(*Stream, []byte) int { return 0 }}
	a := new(Assembler)
	c := Connection{Receiver: r}
	for i := range int64(3 * maxTail / 1000) {
		a.Begin(Origin{Serial: i + 1})
		c.Add(a, 0, &Segment{Seq: uint32(i * 1000), Payload: make([]byte, 1000)})
		checkAssembler(t, a, &c)
	}
	if r.gaps != 3 || r.missing != 0 || r.dropped < 3*maxTail-3*1500 || r.longest > maxTail {
		t.Errorf("%+v", *r)
	}
	c.Add(a, 1, &Segment{Payload: make([]byte, maxTail)})
	c.Add(a, 1, &Segment{Seq: maxTail, Payload: make([]byte, maxTail)})
	checkAssembler(t, a, &c)
	if r.gaps != 4 {
		t.Errorf("%d gaps", r.gaps)
	}
}

// If a receiver keeps many bytes and uses few at a time, each byte is moved only a few times, for any sizes of
// segments.
func TestStreamMovesTailsLittle(t *testing.T) {
	const total = 200_000
	for _, keeps := range []int{300, 64 << 10, 64<<10 + 1, 131_000} {
		for _, size := range []int{4, 1400} {
			var place uintptr // address that the stream's first byte would have
			moved := 0
			a := new(Assembler)
			r := &counter{use: func(_ *Stream, b []byte) int {
				if at := uintptr(unsafe.Pointer(&b[0])) - uintptr(a.Position()); at != place {
					place = at
					moved += len(b)
				}
				return max(0, len(b)-keeps)
			}}
			c := Connection{Receiver: r}
			for at := 0; at < total; at += size {
				a.Begin(Origin{Serial: int64(at + 1)})
				c.Add(a, 0, &Segment{Seq: uint32(at), Payload: make([]byte, size)})
			}
			if moved > 5*total {
				t.Errorf("%d kept, segments of %d: %d bytes moved for %d", keeps, size, moved, total)
			}
		}
	}
}

// If single bytes arrive before a long tail, the whole tail is not passed to the receiver each time.
func TestStreamPassesLittleTwice(t *testing.T) {
	const tail, early = 32 << 10, 1000
	passed := 0
	r := &counter{use: func(_ *Stream, b []byte) int {
		passed += len(b)
		return 0
	}}
	a := new(Assembler)
	c := Connection{Receiver: r}
	for i := range int64(early) {
		s := Segment{Seq: uint32(-i), Payload: make([]byte, 1)}
		if i == 0 {
			s.Payload = make([]byte, tail)
		}
		a.Begin(Origin{Serial: i + 1})
		c.Add(a, 0, &s)
	}
	if passed > tail+early*shortTail {
		t.Errorf("%d bytes passed of %d", passed, tail+early)
	}
}

// Bytes that are added before a tail count towards its limit.
func TestStreamBoundsEarlyBytes(t *testing.T) {
	r := &counter{use: func(*Stream, []byte) int { return 0 }}
	a := new(Assembler)
	c := Connection{Receiver: r}
	for i := range uint32(400) {
		a.Begin(Origin{Serial: int64(i + 1)})
		c.Add(a, 0, &Segment{Seq: -i * maxEarly, Payload: make([]byte, maxEarly)})
		checkAssembler(t, a, &c)
	}
	if r.longest != maxTail || r.gaps != 0 {
		t.Errorf("%+v", *r)
	}
}

// origin returns the packet that contained byte i of the bytes passed to the Receiver. It may be inexact if the unused
// bytes arrived in more than maxMarks packets.
func (a *Assembler) origin(i int) *Origin {
	if i < a.kept {
		return a.keptIn.origin(i)
	}
	return a.from
}

// TestStreamOrigins checks which packets began and completed each message.
func TestStreamOrigins(t *testing.T) {
	type place struct{ first, last int }
	var got []place
	var k *talk
	k = opened(t, func(b []byte) int {
		at := 0
		for n := lines(b); at < n; {
			got = append(got, place{k.a.origin(at).Frame, k.a.latest.Frame})
			at += bytes.IndexByte(b[at:], '\n') + 1
		}
		return at
	})
	k.time += time.Second
	k.bytes(0, 1000, "a\nb\nc") // frame 3
	k.bytes(1, 5000, "\n")      // frame 4
	k.bytes(0, 1005, "c\nd\ne") // frame 5
	k.bytes(0, 1013, "f\ng\nh") // frame 6, after a gap
	k.bytes(0, 1018, "h\n")     // frame 7
	k.bytes(0, 1010, "e\nf")    // frame 8 fills the gap
	k.bytes(0, 1024, "k\n")     // frame 9, after another gap
	k.bytes(0, 1022, "j\n")     // frame 10; the gap remains
	k.time += time.Minute
	k.tick() // frame 11
	k.expect(0, "a\nb\nc"+"c\nd\ne"+"e\nf"+"f\ng\nh"+"h\n gap:2 j\nk\n")
	want := []place{
		{3, 3}, {3, 3}, {4, 4}, // a, b, and the empty line of the other side
		{3, 5}, {5, 5}, {5, 8}, {8, 8}, // cc, d, ee, ff
		{6, 8}, {6, 8}, {10, 10}, {9, 10}, // g, hh, j, k
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// TestStreamRetry passes the unused bytes of one side again while the receiver handles the other side. This must not
// change the position and the origins of the other side's bytes.
func TestStreamRetry(t *testing.T) {
	k := opened(t, nil)
	var passed []string
	k.Receiver = &counter{use: func(s *Stream, b []byte) int {
		at := k.a.Position() - s.Start()
		passed = append(passed, fmt.Sprintf("%d:%s@%d", s.Side(), b, at))
		switch {
		case s.Side() == 0 && len(passed) < 4:
			return 0
		case string(b) == "xy":
			s.Other().Retry(k.a)
			if k.a.Position() != s.Start()+1 || k.a.OriginOf(0).Frame != 4 || k.a.OriginOf(1).Frame != 6 {
				t.Errorf("position %d, frames %d and %d", k.a.Position()-s.Start(), k.a.OriginOf(0).Frame, k.a.OriginOf(1).Frame)
			}
			s.Other().Retry(k.a) // no bytes are left to pass
		case string(b) == "wx":
			return 1
		}
		return len(b)
	}}
	k.try(0, 1000, ACK, "ab", 0)
	k.try(1, 5000, ACK, "wx", 0)
	k.try(0, 1002, ACK, "c", 0)
	k.try(1, 5002, ACK, "y", 0)
	want := []string{"0:ab@0", "1:wx@0", "0:abc@0", "1:xy@1", "0:abc@0"}
	if !slices.Equal(passed, want) {
		t.Errorf("%q, want %q", passed, want)
	}
}
