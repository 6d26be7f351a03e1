package ip

import (
	"bytes"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// piece returns a fragment of a datagram. All bytes of the datagram are equal to its id.
func piece(id uint32, offset, size int, more bool) *Packet {
	return &Packet{
		Src: testSrc4, Dst: testDst4, Protocol: 17, ID: id, Fragment: true,
		Offset: offset, More: more, Payload: bytes.Repeat([]byte{byte(id)}, size),
	}
}

func TestDefragmenterRefuses(t *testing.T) {
	var lost []LostDatagram
	d := &Defragmenter{Lost: func(l LostDatagram) { lost = append(lost, l) }}
	var whole Packet
	refuse := func(name string, p *Packet) {
		t.Helper()
		if number, joined := d.Add(p, 1, 0, &whole); joined || number != 0 {
			t.Errorf("%s: joined or not refused", name)
		}
	}
	refuse("empty", piece(1, 8, 0, true))
	refuse("empty and last", piece(1, 8, 0, false))
	refuse("not a multiple of 8", piece(1, 0, 12, true))
	refuse("beyond 65535", piece(1, 65528, 8, false))
	cutOff := piece(1, 65528, 1, false)
	cutOff.Missing = 7
	refuse("beyond 65535 on the wire", cutOff)
	if len(d.waiting) != 0 {
		t.Error("a refused fragment began a datagram")
	}
	d.Add(piece(2, 16, 8, false), 1, 0, &whole)
	refuse("a second end", piece(2, 24, 8, false))
	refuse("an end before the known end", piece(2, 8, 8, false))
	refuse("more after the end", piece(2, 16, 8, true))
	d.Add(piece(3, 16, 8, true), 1, 0, &whole)
	refuse("an end before another fragment", piece(3, 8, 8, false))
	refuse("an end where more fragments must follow", piece(3, 16, 8, false))
	if _, joined := d.Add(piece(2, 0, 16, true), 1, 0, &whole); !joined || len(whole.Payload) != 24 {
		t.Error("the datagram is not whole")
	}
	d.Flush()
	if len(lost) != 1 || lost[0].ID != 3 || lost[0].Missing != -1 || lost[0].Present != 8 || lost[0].Head != nil {
		t.Errorf("lost %+v", lost)
	}
}

func TestDefragmenterSkipsExtensions(t *testing.T) {
	option := []byte{17, 0, 1, 4, 0, 0, 0, 0}
	join := func(protocol uint8, content []byte) (whole Packet, joined bool) {
		d := &Defragmenter{}
		p := Packet{Src: testSrc6, Dst: testDst6, Protocol: protocol, Fragment: true, More: true, Payload: content[:8]}
		d.Add(&p, 1, 0, &whole)
		p.More, p.Offset, p.Payload = false, 8, content[8:]
		_, joined = d.Add(&p, 2, 0, &whole)
		return whole, joined
	}
	content := slices.Concat(option, testDatagram)
	if p, joined := join(destinationOptions, content); !joined || p.Protocol != 17 || !bytes.Equal(p.Payload, testDatagram) {
		t.Errorf("joined %t: %+v", joined, p)
	}
	if p, joined := join(destinationOptions, content[:9]); !joined || len(p.Payload) != 1 {
		t.Errorf("joined %t: %+v", joined, p)
	}
	if _, joined := join(destinationOptions, patch(content, 1, 9)); joined {
		t.Error("joined, although the options are longer than the datagram")
	}
	if _, joined := join(fragmentHeader, patch(content, 2, 0, 8)); joined {
		t.Error("joined a fragment inside a fragment")
	}
}

func TestDefragmenterExpires(t *testing.T) {
	var lost []uint32
	d := &Defragmenter{Lost: func(l LostDatagram) { lost = append(lost, l.ID) }}
	var whole Packet
	second := int64(time.Second)
	steps := []struct {
		name string
		now  int64
		id   uint32 // id of a first fragment; 0: call only Expire
		lost []uint32
	}{
		{"first", 100 * second, 1, nil},
		{"second", 110 * second, 2, nil},
		{"a little out of order", 90 * second, 3, nil},
		{"in time", 130 * second, 0, nil},
		{"first too old", 130*second + 1, 0, []uint32{1}},
		{"a later fragment does not extend the wait", 139 * second, 2, nil},
		{"second and third", 141 * second, 0, []uint32{2, 3}},
		{"none left", 0, 0, nil},
		{"set back", 5 * second, 4, nil},
		{"slightly back", -20 * second, 5, nil},
		{"back by the timeout", -25 * second, 0, nil},
		{"far back", -26 * second, 6, []uint32{4, 5}},
		{"far ahead", math.MaxInt64, 7, []uint32{6}},
		{"the earliest time", math.MinInt64, 8, []uint32{7}},
		{"far ahead again", math.MaxInt64, 0, []uint32{8}},
	}
	for _, s := range steps {
		lost = nil
		if s.id == 0 {
			d.Expire(s.now)
		} else {
			d.Add(piece(s.id, 0, 8, true), 1, s.now, &whole)
		}
		if !slices.Equal(lost, s.lost) {
			t.Errorf("%s: lost %v, want %v", s.name, lost, s.lost)
		}
		checkDefragmenter(t, d)
	}
}

func TestDefragmenterIsBounded(t *testing.T) {
	n := 20_000 // several times as many as fit into memory
	if wiretest.Full() {
		n = 100_000
	}
	for _, c := range []struct {
		name  string
		piece func(r *rand.Rand, i int) *Packet
	}{
		{"small", func(_ *rand.Rand, i int) *Packet { return piece(uint32(i), 8, 8, true) }},
		{"far", func(_ *rand.Rand, i int) *Packet { return piece(uint32(i), 65520, 8, true) }},
		{"mixed", func(r *rand.Rand, i int) *Packet { return piece(uint32(i), 8+8*r.IntN(8180), 8, r.IntN(2) == 0) }},
		{"growing", func(_ *rand.Rand, i int) *Packet { return piece(uint32(i/8), (i%8+1)*8000, 8, true) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			lost, next := 0, uint32(0)
			d := &Defragmenter{Lost: func(l LostDatagram) {
				if l.ID != next {
					t.Fatalf("datagram %d is lost before %d", l.ID, next)
				}
				lost++
				next++
			}}
			r := rand.New(rand.NewPCG(1, 2))
			var whole Packet
			before, last := wiretest.Heap(), uint32(0)
			for i := range n {
				p := c.piece(r, i)
				last = p.ID
				d.Add(p, i, int64(i), &whole)
				if i%10_000 == 0 {
					checkDefragmenter(t, d)
				}
			}
			if grown := wiretest.Heap() - before; grown > 8<<20 {
				t.Errorf("the heap grew by %d bytes", grown)
			}
			runtime.KeepAlive(d)
			d.Flush()
			if lost != int(last)+1 {
				t.Errorf("%d lost, want %d", lost, last+1)
			}
			checkDefragmenter(t, d)
		})
	}
}

// The oldest datagram is given up to make room for other datagrams, but never to make room for itself.
func TestDefragmenterKeepsGrowingDatagram(t *testing.T) {
	lost := 0
	d := &Defragmenter{Lost: func(l LostDatagram) {
		if l.ID == 0 {
			t.Error("the growing datagram is lost")
		}
		lost++
	}}
	var whole Packet
	for id := range uint32(1024) {
		d.Add(piece(id, 0, 8, true), 1, 0, &whole)
	}
	if lost != 0 {
		t.Errorf("%d of 1024 datagrams are lost", lost)
	}
	d.Memory = d.Bytes()
	if _, joined := d.Add(piece(0, 8, 30_000, false), 2, 0, &whole); !joined || len(whole.Payload) != 30_008 {
		t.Error("not joined")
	}
	if lost != 8 { // eight buffers of 4 KiB make room for one of 32 KiB
		t.Errorf("%d lost", lost)
	}
	checkDefragmenter(t, d)
}

func TestDefragmenterDoesNotAllocate(t *testing.T) {
	d := &Defragmenter{}
	first := piece(0, 0, 1480, true)
	last, large := piece(0, 1480, 700, false), piece(0, 1480, 60_000, false)
	var whole Packet
	id := uint32(0)
	pairs := func() {
		for _, second := range []*Packet{last, large} {
			id++
			first.ID, second.ID = id, id
			_, early := d.Add(first, 1, 0, &whole)
			if _, joined := d.Add(second, 2, 0, &whole); early || !joined {
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
	d := &Defragmenter{}
	first, last := piece(0, 0, 1480, true), piece(0, 1480, 700, false)
	var whole Packet
	for b.Loop() {
		first.ID++
		last.ID++
		d.Add(first, 1, 0, &whole)
		d.Add(last, 2, 0, &whole)
	}
}
