package tcp

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"
	"unsafe"
)

// Bytes in order are not copied: the receiver gets a slice of the frame.
func TestStreamDeliversInPlace(t *testing.T) {
	var given [][]byte
	use := func(b []byte) int { given = append(given, b); return lines(b) }
	k := opened(t, use)
	send := func(seq uint32, payload []byte) {
		k.tick()
		given = nil
		k.Add(k.a, 0, &Segment{Seq: seq, Payload: payload})
	}
	first := []byte("one\ntwo\nthr")
	send(1000, first)
	if len(given) != 1 || &given[0][0] != &first[0] {
		t.Fatal("not in place")
	}
	// The bytes that complete a message are copied after its beginning. The bytes after them are not copied.
	second := slices.Concat([]byte("ee\n"), bytes.Repeat([]byte("line\n"), 1000))
	send(1011, second)
	if len(given) != 2 || &given[1][len(given[1])-1] != &second[len(second)-1] {
		t.Fatalf("%d calls", len(given))
	}
	if copied := len(given[0]); copied > len("thr")+smallestTail {
		t.Errorf("%d bytes copied", copied)
	}
	// A segment that exactly fills a gap is not copied either.
	k.bytes(0, 1011+uint32(len(second))+4, "end\n")
	third := []byte("abc\n")
	send(1011+uint32(len(second)), third)
	if len(given) != 2 || &given[0][0] != &third[0] {
		t.Error("a gap is not filled in place")
	}
}

// If a message grows too long, it is given up. That is a gap without missing bytes.
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
			var place uintptr // address at which the stream would begin
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
				t.Errorf("%d kept, segments of %d: %d bytes are moved for %d", keeps, size, moved, total)
			}
		}
	}
}

// If single bytes are prepended to a long tail, the receiver does not read the whole tail each time.
func TestStreamGivesLittleTwice(t *testing.T) {
	const tail, early = 32 << 10, 1000
	given := 0
	r := &counter{use: func(_ *Stream, b []byte) int {
		given += len(b)
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
	if given > tail+early*shortTail {
		t.Errorf("%d bytes are given of %d", given, tail+early)
	}
}

// Prepended bytes count toward the limit of a tail.
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

// origin returns the packet that contained byte i of the bytes passed. If the unused bytes came in very many packets,
// it may be inexact.
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
	k.heard(0, "a\nb\nc"+"c\nd\ne"+"e\nf"+"f\ng\nh"+"h\n gap:2 j\nk\n")
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
	var given []string
	k.Receiver = &counter{use: func(s *Stream, b []byte) int {
		at := k.a.Position() - s.Start()
		given = append(given, fmt.Sprintf("%d:%s@%d", s.Side(), b, at))
		switch {
		case s.Side() == 0 && len(given) < 4:
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
	if !slices.Equal(given, want) {
		t.Errorf("%q, want %q", given, want)
	}
}
