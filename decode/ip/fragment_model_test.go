package ip

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// slowDatagram stores a datagram byte by byte.
type slowDatagram struct {
	sent, captured [65536]bool
	data           [65536]byte
	total, reach   int
	first, last    int // numbers of frames
	repeat         bool
}

// slowDefragmenter joins fragments in the simplest way, without bounds or expiry.
type slowDefragmenter struct {
	waiting map[datagramKey]*slowDatagram
	joined  []datagramKey
}

func newSlowDefragmenter() *slowDefragmenter {
	return &slowDefragmenter{waiting: map[datagramKey]*slowDatagram{}}
}

func (s *slowDefragmenter) add(p *Packet, frame int) (payload []byte, missing int, whole bool) {
	size := len(p.Payload) + p.Missing
	end := p.Offset + size
	if size == 0 || end > 65535 || p.More && size%8 != 0 {
		return nil, 0, false
	}
	key := datagramKey{p.ID, p.Protocol, p.Src, p.Dst}
	g := s.waiting[key]
	if g == nil {
		g = &slowDatagram{total: -1, first: frame, repeat: slices.Contains(s.joined, key)}
		s.waiting[key] = g
	}
	switch {
	case p.More && g.total >= 0 && end >= g.total,
		!p.More && end <= g.reach,
		!p.More && g.total >= 0 && end != g.total:
		return nil, 0, false
	case p.More:
		g.reach = max(g.reach, end)
	default:
		g.total = end
	}
	g.last = frame
	for i := range size {
		at := p.Offset + i
		if !g.sent[at] && i < len(p.Payload) {
			g.captured[at], g.data[at] = true, p.Payload[i]
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

// lost returns the datagrams that Flush should report.
func (s *slowDefragmenter) lost() map[datagramKey]LostDatagram {
	all := map[datagramKey]LostDatagram{}
	for key, g := range s.waiting {
		if g.repeat {
			continue
		}
		l := LostDatagram{
			Src: key.src, Dst: key.dst, Protocol: key.protocol, ID: key.id,
			FirstFrame: g.first, LastFrame: g.last, Missing: -1,
		}
		for at, captured := range g.captured {
			if captured {
				l.Present++
				if at == len(l.Head) && at < 8 {
					l.Head = append(l.Head, g.data[at])
				}
			}
		}
		if g.total >= 0 {
			l.Missing = g.total - l.Present
		}
		all[key] = l
	}
	return all
}

// comparison passes the same fragments to the Defragmenter and the model, and compares the results.
type comparison struct {
	t      *testing.T
	quick  *Defragmenter
	slow   *slowDefragmenter
	frame  int
	joined int
	lost   map[datagramKey]LostDatagram
}

func newComparison(t *testing.T) *comparison {
	c := &comparison{t: t, slow: newSlowDefragmenter()}
	c.quick = &Defragmenter{Lost: func(l LostDatagram) {
		key := datagramKey{l.ID, l.Protocol, l.Src, l.Dst}
		if _, twice := c.lost[key]; twice {
			t.Errorf("%v lost twice", key)
		}
		l.Head, l.Time = bytes.Clone(l.Head), 0
		c.lost[key] = l
	}}
	return c
}

func (c *comparison) add(p Packet) {
	c.t.Helper()
	c.frame++
	payload, missing, whole := c.slow.add(&p, c.frame)
	want := p
	// The fragment's memory is overwritten afterwards, as if a reader reused its buffer.
	p.Payload = bytes.Clone(p.Payload)
	given := p.Payload
	_, got := c.quick.Add(&p, c.frame, 0, &p)
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
	want = Packet{Src: want.Src, Dst: want.Dst, Protocol: want.Protocol, ID: want.ID, Payload: payload, Missing: missing}
	if !samePacket(&p, &want) {
		c.t.Fatalf("frame %d: got\n%+v\nwant\n%+v", c.frame, p, want)
	}
}

// flush flushes both and compares the datagrams given up.
func (c *comparison) flush() {
	c.t.Helper()
	c.lost = map[datagramKey]LostDatagram{}
	c.quick.Flush()
	want := c.slow.lost()
	if len(want) != len(c.lost) {
		c.t.Fatalf("%d lost, want %d", len(c.lost), len(want))
	}
	for key, w := range want {
		g := c.lost[key]
		if !bytes.Equal(g.Head, w.Head) {
			c.t.Fatalf("lost %v: head %x, want %x", key, g.Head, w.Head)
		}
		g.Head, w.Head = nil, nil
		if g.Present != w.Present || g.Missing != w.Missing || g.FirstFrame != w.FirstFrame || g.LastFrame != w.LastFrame {
			c.t.Fatalf("lost: got\n%+v\nwant\n%+v", g, w)
		}
	}
	c.slow.waiting = map[datagramKey]*slowDatagram{}
	checkDefragmenter(c.t, c.quick)
}

// checkDefragmenter checks that the counts are consistent with the data.
func checkDefragmenter(t *testing.T, d *Defragmenter) {
	t.Helper()
	bytes, n := 0, 0
	for g := d.oldest; g != nil; g = g.next {
		if d.waiting[g.key] != g || g.next == nil && d.newest != g {
			t.Fatal("the list is broken")
		}
		bytes += cap(g.data)
		n++
	}
	bytes += d.buffers.Spare()
	if n != len(d.waiting) || bytes != d.buffers.Bytes() || d.Bytes() > d.most()+1<<10 {
		t.Fatalf("%d datagrams in the list, %d in the map, %d bytes, %d counted", n, len(d.waiting), bytes, d.buffers.Bytes())
	}
}

// cutUp splits a datagram into fragments.
func cutUp(r *rand.Rand, whole Packet) (fragments []Packet) {
	for at := 0; at < len(whole.Payload); {
		size := 8 * (1 + r.IntN(200))
		if r.IntN(4) == 0 {
			size = 8 * (1 + r.IntN(3))
		}
		p := whole
		p.Fragment, p.Offset, p.More = true, at, at+size < len(whole.Payload)
		p.Payload = whole.Payload[at:min(at+size, len(whole.Payload))]
		fragments = append(fragments, p)
		at += size
	}
	return fragments
}

// garble damages some fragments and adds invalid ones.
func garble(r *rand.Rand, fragments []Packet) []Packet {
	for range r.IntN(4) {
		p := fragments[r.IntN(len(fragments))]
		switch r.IntN(4) {
		case 0: // a duplicate
		case 1: // the same offset with other bytes
			p.Payload = randomBytes(r, len(p.Payload))
		case 2: // an overlap
			p.Offset = max(0, p.Offset+8*(r.IntN(11)-5))
			p.Payload = randomBytes(r, 8*r.IntN(100))
		case 3: // random
			p.Offset, p.More = 8*r.IntN(8192), r.IntN(2) == 0
			p.Payload = randomBytes(r, r.IntN(1500))
		}
		fragments = append(fragments, p)
	}
	if r.IntN(4) == 0 {
		i := r.IntN(len(fragments))
		fragments = slices.Delete(fragments, i, i+1)
	}
	for i := range fragments {
		if p := &fragments[i]; r.IntN(12) == 0 {
			n := r.IntN(len(p.Payload) + 1)
			p.Payload, p.Missing = p.Payload[:n], len(p.Payload)-n
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
	rounds := 600
	if wiretest.Full() {
		rounds = 4000
	}
	for round := range rounds {
		var fragments []Packet
		for range 1 + r.IntN(4) {
			size := 1 + r.IntN(4000)
			if r.IntN(20) == 0 {
				size = 1 + r.IntN(65535)
			}
			// There are few ids and two protocols, so some datagrams of a round have the same id or the same protocol.
			p := Packet{Src: testSrc4, Dst: testDst4, Protocol: 17, ID: uint32(4*round + r.IntN(4))}
			if r.IntN(4) == 0 {
				p.Src, p.Dst = testSrc6, testDst6
			}
			if r.IntN(4) == 0 {
				p.Protocol = 6
			}
			p.Payload = randomBytes(r, size)
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
		t.Errorf("only %d datagrams were joined in %d rounds", c.joined, rounds)
	}
}
