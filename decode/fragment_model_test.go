package decode

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

// slowDatagram is a datagram as the rules tell it, byte by byte.
type slowDatagram struct {
	sent, captured [65536]bool
	data           [65536]byte
	total, reach   int
	first, last    int // frames
	repeat         bool
}

// slowDefragmenter is the obvious way to join fragments, without bounds or expiry.
type slowDefragmenter struct {
	waiting map[datagramKey]*slowDatagram
	joined  []datagramKey
}

func newSlowDefragmenter() *slowDefragmenter {
	return &slowDefragmenter{waiting: map[datagramKey]*slowDatagram{}}
}

func (s *slowDefragmenter) add(p *packet, frame int) (payload []byte, missing int, whole bool) {
	size := len(p.payload) + p.missing
	end := p.offset + size
	if size == 0 || end > 65535 || p.more && size%8 != 0 {
		return nil, 0, false
	}
	key := datagramKey{p.id, p.protocol, p.src, p.dst}
	g := s.waiting[key]
	if g == nil {
		lately := s.joined[max(0, len(s.joined)-rememberedDatagrams):]
		g = &slowDatagram{total: -1, first: frame, repeat: slices.Contains(lately, key)}
		s.waiting[key] = g
	}
	switch {
	case p.more && g.total >= 0 && end >= g.total,
		!p.more && end <= g.reach,
		!p.more && g.total >= 0 && end != g.total:
		return nil, 0, false
	case p.more:
		g.reach = max(g.reach, end)
	default:
		g.total = end
	}
	g.last = frame
	for i := range size {
		at := p.offset + i
		if !g.sent[at] && i < len(p.payload) {
			g.captured[at], g.data[at] = true, p.payload[i]
		}
		g.sent[at] = true
	}
	if g.total < 0 || slices.Contains(g.sent[:g.total], false) {
		return nil, 0, false
	}
	delete(s.waiting, key)
	s.joined = append(s.joined, key)
	cut := slices.Index(g.captured[:g.total], false)
	if cut < 0 {
		cut = g.total
	}
	return g.data[:cut], g.total - cut, true
}

// lost lists what flush should report.
func (s *slowDefragmenter) lost() map[datagramKey]lostDatagram {
	all := map[datagramKey]lostDatagram{}
	for key, g := range s.waiting {
		if g.repeat {
			continue
		}
		l := lostDatagram{
			src: key.src, dst: key.dst, protocol: key.protocol, id: key.id,
			firstFrame: g.first, lastFrame: g.last, missing: -1,
		}
		for at, captured := range g.captured {
			if captured {
				l.present++
				if at == len(l.head) && at < 8 {
					l.head = append(l.head, g.data[at])
				}
			}
		}
		if g.total >= 0 {
			l.missing = g.total - l.present
		}
		all[key] = l
	}
	return all
}

// comparison gives the same fragments to both and looks for differences.
type comparison struct {
	t      *testing.T
	quick  *defragmenter
	slow   *slowDefragmenter
	frame  int
	joined int
	lost   map[datagramKey]lostDatagram
}

func newComparison(t *testing.T) *comparison {
	c := &comparison{t: t, slow: newSlowDefragmenter()}
	c.quick = &defragmenter{lost: func(l lostDatagram) {
		key := datagramKey{l.id, l.protocol, l.src, l.dst}
		if _, twice := c.lost[key]; twice {
			t.Errorf("%v lost twice", key)
		}
		l.head, l.time = bytes.Clone(l.head), 0
		c.lost[key] = l
	}}
	return c
}

func (c *comparison) add(p packet) {
	c.t.Helper()
	c.frame++
	payload, missing, whole := c.slow.add(&p, c.frame)
	want := p
	// The fragment is overwritten afterwards, as the buffer of a capture file is.
	p.payload = bytes.Clone(p.payload)
	given := p.payload
	got := c.quick.add(&p, c.frame, 0, &p)
	for i := range given {
		given[i] = 0xdb
	}
	if got != whole {
		c.t.Fatalf("frame %d: joined %t, want %t", c.frame, got, whole)
	}
	if !whole {
		return
	}
	c.joined++
	want = packet{src: want.src, dst: want.dst, protocol: want.protocol, id: want.id, payload: payload, missing: missing}
	if !samePacket(&p, &want) {
		c.t.Fatalf("frame %d: got\n%+v\nwant\n%+v", c.frame, p, want)
	}
}

// flush compares what is left at the end.
func (c *comparison) flush() {
	c.t.Helper()
	c.lost = map[datagramKey]lostDatagram{}
	c.quick.flush()
	want := c.slow.lost()
	if len(want) != len(c.lost) {
		c.t.Fatalf("%d lost, want %d", len(c.lost), len(want))
	}
	for key, w := range want {
		g := c.lost[key]
		if !bytes.Equal(g.head, w.head) {
			c.t.Fatalf("lost %v: head %x, want %x", key, g.head, w.head)
		}
		g.head, w.head = nil, nil
		if g.present != w.present || g.missing != w.missing || g.firstFrame != w.firstFrame || g.lastFrame != w.lastFrame {
			c.t.Fatalf("lost: got\n%+v\nwant\n%+v", g, w)
		}
	}
	c.slow.waiting = map[datagramKey]*slowDatagram{}
	checkDefragmenter(c.t, c.quick)
}

// checkDefragmenter checks that the books balance.
func checkDefragmenter(t *testing.T, d *defragmenter) {
	t.Helper()
	bytes, n := 0, 0
	for g := d.oldest; g != nil; g = g.next {
		if d.waiting[g.key] != g || g.next == nil && d.newest != g {
			t.Fatal("the list is broken")
		}
		bytes += cap(g.data)
		n++
	}
	for class, buffers := range d.spare {
		for _, buffer := range buffers {
			if cap(buffer) != smallestBuffer<<class {
				t.Fatalf("a buffer of %d bytes in class %d", cap(buffer), class)
			}
			bytes += cap(buffer)
		}
	}
	if n != len(d.waiting) || n > 1024 || bytes != d.bytes || bytes > maxFragmentBytes {
		t.Fatalf("%d datagrams in the list, %d in the map, %d bytes, %d counted", n, len(d.waiting), bytes, d.bytes)
	}
}

// cutUp makes fragments of a datagram.
func cutUp(r *rand.Rand, whole packet) (fragments []packet) {
	for at := 0; at < len(whole.payload); {
		size := 8 * (1 + r.IntN(200))
		if r.IntN(4) == 0 {
			size = 8 * (1 + r.IntN(3))
		}
		p := whole
		p.fragment, p.offset, p.more = true, at, at+size < len(whole.payload)
		p.payload = whole.payload[at:min(at+size, len(whole.payload))]
		fragments = append(fragments, p)
		at += size
	}
	return fragments
}

// garble makes some fragments worse and adds some that should not be.
func garble(r *rand.Rand, fragments []packet) []packet {
	for range r.IntN(4) {
		p := fragments[r.IntN(len(fragments))]
		switch r.IntN(4) {
		case 0: // a duplicate
		case 1: // the same place, other bytes
			p.payload = randomBytes(r, len(p.payload))
		case 2: // an overlap
			p.offset = max(0, p.offset+8*(r.IntN(11)-5))
			p.payload = randomBytes(r, 8*r.IntN(100))
		case 3: // anything
			p.offset, p.more = 8*r.IntN(8192), r.IntN(2) == 0
			p.payload = randomBytes(r, r.IntN(1500))
		}
		fragments = append(fragments, p)
	}
	if r.IntN(4) == 0 {
		i := r.IntN(len(fragments))
		fragments = slices.Delete(fragments, i, i+1)
	}
	for i := range fragments {
		if p := &fragments[i]; r.IntN(12) == 0 {
			n := r.IntN(len(p.payload) + 1)
			p.payload, p.missing = p.payload[:n], len(p.payload)-n
		}
	}
	return fragments
}

func randomBytes(r *rand.Rand, n int) []byte {
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	return data
}

func TestDefragmenterAgainstModel(t *testing.T) {
	r := rand.New(rand.NewPCG(1998, 12))
	c := newComparison(t)
	rounds := 4000
	if testing.Short() {
		rounds = 400
	}
	for round := range rounds {
		var fragments []packet
		for range 1 + r.IntN(4) {
			size := 1 + r.IntN(4000)
			if r.IntN(20) == 0 {
				size = 1 + r.IntN(65535)
			}
			// Few ids and two protocols: some datagrams of a round share one or the other.
			p := packet{src: testSrc4, dst: testDst4, protocol: 17, id: uint32(4*round + r.IntN(4))}
			if r.IntN(4) == 0 {
				p.src, p.dst = testSrc6, testDst6
			}
			if r.IntN(4) == 0 {
				p.protocol = 6
			}
			p.payload = randomBytes(r, size)
			fragments = append(fragments, cutUp(r, p)...)
		}
		if r.IntN(2) == 0 {
			fragments = garble(r, fragments)
		}
		r.Shuffle(len(fragments), func(i, j int) { fragments[i], fragments[j] = fragments[j], fragments[i] })
		for _, p := range fragments {
			c.add(p)
		}
		c.flush()
	}
	if c.joined < rounds {
		t.Errorf("only %d datagrams joined in %d rounds: the test tests little", c.joined, rounds)
	}
}
