package decode

import (
	"bytes"
	"math"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"time"
)

// piece is a fragment of a datagram whose byte at each offset is its id.
func piece(id uint32, offset, size int, more bool) *packet {
	return &packet{
		src: testSrc4, dst: testDst4, protocol: 17, id: id, fragment: true,
		offset: offset, more: more, payload: bytes.Repeat([]byte{byte(id)}, size),
	}
}

func TestDefragmenterTakesNoNonsense(t *testing.T) {
	var lost []lostDatagram
	d := &defragmenter{lost: func(l lostDatagram) { lost = append(lost, l) }}
	var whole packet
	nonsense := func(name string, p *packet) {
		t.Helper()
		before := d.refused
		if d.add(p, 1, 0, &whole) || d.refused != before+1 {
			t.Errorf("%s: joined or not refused", name)
		}
	}
	nonsense("empty", piece(1, 8, 0, true))
	nonsense("empty and last", piece(1, 8, 0, false))
	nonsense("not a multiple of 8", piece(1, 0, 12, true))
	nonsense("beyond 65535", piece(1, 65528, 8, false))
	cutOff := piece(1, 65528, 1, false)
	cutOff.missing = 7
	nonsense("beyond 65535 on the wire", cutOff)
	if len(d.waiting) != 0 {
		t.Error("nonsense started a datagram")
	}
	d.add(piece(2, 16, 8, false), 1, 0, &whole)
	nonsense("a second end", piece(2, 24, 8, false))
	nonsense("an end before the end", piece(2, 8, 8, false))
	nonsense("more after the end", piece(2, 16, 8, true))
	d.add(piece(3, 16, 8, true), 1, 0, &whole)
	nonsense("an end before what is there", piece(3, 8, 8, false))
	nonsense("an end where more was to follow", piece(3, 16, 8, false))
	if !d.add(piece(2, 0, 16, true), 1, 0, &whole) || len(whole.payload) != 24 {
		t.Error("the datagram is not whole")
	}
	d.flush()
	if len(lost) != 1 || lost[0].id != 3 || lost[0].missing != -1 || lost[0].present != 8 || lost[0].head != nil {
		t.Errorf("lost %+v", lost)
	}
}

func TestDefragmenterKeepsIDsApart(t *testing.T) {
	d := &defragmenter{}
	a, b := piece(9, 0, 8, true), piece(9, 8, 8, false)
	others := []func(p *packet){
		func(p *packet) { p.protocol = 6 },
		func(p *packet) { p.src = testDst4 },
		func(p *packet) { p.dst = testSrc4 },
		func(p *packet) { p.id = 10 },
		func(p *packet) { p.src = netip.AddrFrom16(p.src.As16()) },
	}
	var whole packet
	d.add(a, 1, 0, &whole)
	for i, change := range others {
		p := *b
		change(&p)
		if d.add(&p, 2, 0, &whole) {
			t.Errorf("change %d did not matter", i)
		}
	}
	if !d.add(b, 3, 0, &whole) {
		t.Error("not joined")
	}
}

func TestDefragmenterReadsOnInIPv6(t *testing.T) {
	option := []byte{17, 0, 1, 4, 0, 0, 0, 0}
	join := func(protocol uint8, content []byte) (whole packet, joined bool) {
		d := &defragmenter{}
		p := packet{src: testSrc6, dst: testDst6, protocol: protocol, fragment: true, more: true, payload: content[:8]}
		d.add(&p, 1, 0, &whole)
		p.more, p.offset, p.payload = false, 8, content[8:]
		joined = d.add(&p, 2, 0, &whole)
		return whole, joined
	}
	content := slices.Concat(option, testDatagram)
	if p, joined := join(destinationOptions, content); !joined || p.protocol != 17 || !bytes.Equal(p.payload, testDatagram) {
		t.Errorf("joined %t: %+v", joined, p)
	}
	if p, joined := join(destinationOptions, content[:9]); !joined || len(p.payload) != 1 {
		t.Errorf("joined %t: %+v", joined, p)
	}
	if _, joined := join(destinationOptions, patch(content, 1, 9)); joined {
		t.Error("joined though the options are longer than the datagram")
	}
	if _, joined := join(fragmentHeader, patch(content, 2, 0, 8)); joined {
		t.Error("joined a fragment inside a fragment")
	}
}

func TestDefragmenterExpires(t *testing.T) {
	var lost []uint32
	d := &defragmenter{lost: func(l lostDatagram) { lost = append(lost, l.id) }}
	var whole packet
	second := int64(time.Second)
	steps := []struct {
		name string
		now  int64
		id   uint32 // of a first fragment, 0: only expire
		lost []uint32
	}{
		{"first", 100 * second, 1, nil},
		{"second", 110 * second, 2, nil},
		{"a little out of order", 90 * second, 3, nil},
		{"in time", 130 * second, 0, nil},
		{"first too old", 130*second + 1, 0, []uint32{1}},
		{"a fragment of it does not wait longer", 139 * second, 2, nil},
		{"second and third", 141 * second, 0, []uint32{2, 3}},
		{"none left", 0, 0, nil},
		{"set back", 5 * second, 4, nil},
		{"slightly back", -20 * second, 5, nil},
		{"far back", -26 * second, 6, []uint32{4, 5}},
		{"far ahead", math.MaxInt64, 7, []uint32{6}},
		{"the other end of time", math.MinInt64, 8, []uint32{7}},
		{"and again", math.MaxInt64, 0, []uint32{8}},
	}
	for _, s := range steps {
		lost = nil
		if s.id == 0 {
			d.expire(s.now)
		} else {
			d.add(piece(s.id, 0, 8, true), 1, s.now, &whole)
		}
		if !slices.Equal(lost, s.lost) {
			t.Errorf("%s: lost %v, want %v", s.name, lost, s.lost)
		}
		checkDefragmenter(t, d)
	}
}

func TestDefragmenterForgivesDuplicates(t *testing.T) {
	d := &defragmenter{lost: func(l lostDatagram) { t.Errorf("lost %+v", l) }}
	var whole packet
	for id := range uint32(100) {
		for _, p := range []*packet{piece(id, 0, 16, true), piece(id, 16, 5, false)} {
			for range 3 { // a capture on a bridge and both its ports
				d.add(p, 1, 0, &whole)
			}
		}
	}
	d.flush()
}

func TestDefragmenterIsBounded(t *testing.T) {
	const n = 100_000 // twenty times what fits
	for _, c := range []struct {
		name  string
		piece func(r *rand.Rand, i int) *packet
	}{
		{"small", func(_ *rand.Rand, i int) *packet { return piece(uint32(i), 8, 8, true) }},
		{"far", func(_ *rand.Rand, i int) *packet { return piece(uint32(i), 65520, 8, true) }},
		{"mixed", func(r *rand.Rand, i int) *packet { return piece(uint32(i), 8+8*r.IntN(8180), 8, r.IntN(2) == 0) }},
		{"growing", func(_ *rand.Rand, i int) *packet { return piece(uint32(i/8), (i%8+1)*8000, 8, true) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			lost, next := 0, uint32(0)
			d := &defragmenter{lost: func(l lostDatagram) {
				if l.id != next {
					t.Fatalf("lost %d before %d", l.id, next)
				}
				lost++
				next++
			}}
			r := rand.New(rand.NewPCG(1, 2))
			var whole packet
			before, last := heap(), uint32(0)
			for i := range n {
				p := c.piece(r, i)
				last = p.id
				d.add(p, i, int64(i), &whole)
				if i%10_000 == 0 {
					checkDefragmenter(t, d)
				}
			}
			if grown := heap() - before; grown > 8<<20 {
				t.Errorf("the heap grew by %d bytes", grown)
			}
			runtime.KeepAlive(d)
			d.flush()
			if lost != int(last)+1 {
				t.Errorf("%d lost, want %d", lost, last+1)
			}
			checkDefragmenter(t, d)
		})
	}
}

// The oldest datagram makes room for others, but not for itself.
func TestDefragmenterKeepsTheOneThatGrows(t *testing.T) {
	lost := 0
	d := &defragmenter{lost: func(l lostDatagram) {
		if l.id == 0 {
			t.Error("lost the one that grows")
		}
		lost++
	}}
	var whole packet
	for id := range uint32(1024) {
		d.add(piece(id, 0, 8, true), 1, 0, &whole)
	}
	if lost != 0 {
		t.Errorf("%d of 1024 lost", lost)
	}
	if last := piece(0, 8, 30_000, false); !d.add(last, 2, 0, &whole) || len(whole.payload) != 30_008 {
		t.Error("not joined")
	}
	if lost != 8 { // buffers of 4 KiB for one of 32 KiB
		t.Errorf("%d lost", lost)
	}
	checkDefragmenter(t, d)
}

func TestDefragmenterTellsOfLosses(t *testing.T) {
	var got lostDatagram
	d := &defragmenter{lost: func(l lostDatagram) {
		got = l
		got.head = bytes.Clone(l.head)
	}}
	var whole packet
	first := piece(7, 0, 16, true)
	first.payload, first.missing = []byte{0x6d, 0x60, 0x99}, 13
	d.add(first, 11, 1000, &whole)
	d.add(piece(7, 24, 9, false), 12, 3000, &whole)
	d.add(first, 13, 2000, &whole)
	d.flush()
	want := lostDatagram{
		number: 1, src: testSrc4, dst: testDst4, protocol: 17, id: 7, head: []byte{0x6d, 0x60, 0x99},
		firstFrame: 11, lastFrame: 13, time: 2000, present: 12, missing: 21,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
}

// heap is the number of bytes reachable.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestDefragmenterDoesNotAllocate(t *testing.T) {
	d := &defragmenter{}
	first := piece(0, 0, 1480, true)
	last, large := piece(0, 1480, 700, false), piece(0, 1480, 60_000, false)
	var whole packet
	id := uint32(0)
	pairs := func() {
		for _, second := range []*packet{last, large} {
			id++
			first.id, second.id = id, id
			if d.add(first, 1, 0, &whole) || !d.add(second, 2, 0, &whole) {
				t.Fatal("not joined")
			}
		}
	}
	pairs()
	if n := testing.AllocsPerRun(1000, pairs); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkDefragmenter(b *testing.B) {
	d := &defragmenter{}
	first, last := piece(0, 0, 1480, true), piece(0, 1480, 700, false)
	var whole packet
	for b.Loop() {
		first.id++
		last.id++
		d.add(first, 1, 0, &whole)
		d.add(last, 2, 0, &whole)
	}
}
