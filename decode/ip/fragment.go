package ip

import (
	"net/netip"
	"time"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

const (
	// maxDatagram is the maximum size of a datagram's payload. Both versions of IP have 16-bit length fields.
	maxDatagram = 65535

	// fragmentBlock is the unit of fragment offsets in bytes.
	fragmentBlock = 8

	// maxFragmentBytes is the default memory limit. leastFragmentBytes is the smallest limit; the largest datagram fits
	// within it. A buffer of smallestBuffer bytes has room for the two or three fragments of a game's datagram.
	maxFragmentBytes   = 5 << 20
	leastFragmentBytes = 256 << 10
	smallestBuffer     = 4 << 10

	// fragmentTimeout is how long a datagram waits for its fragments after the first one arrives. Linux uses the same
	// time for IPv4. IPv6 allows 60 s, but a game's fragments arrive within milliseconds, and a longer wait makes it
	// more likely that the sender reuses the id.
	fragmentTimeout = int64(30 * time.Second)
)

// A Defragmenter joins fragments into datagrams. Its memory is bounded: if it needs more, it drops the datagrams that
// have waited longest. The zero value is ready for use.
type Defragmenter struct {
	File string // name of the file that contains the next frames, for LostDatagram

	// If not nil, Lost is called for every datagram that is given up. It must not call the Defragmenter.
	Lost func(LostDatagram)

	// If not nil, Dropped is called with the number of each datagram that is given up, before Lost. Unlike Lost, it is
	// also called for a datagram whose fragments only repeat those of a joined datagram.
	Dropped func(number int64)

	// Memory is the limit in bytes, at least 256 kB; 0 means 5 MB.
	Memory int

	waiting        map[datagramKey]*datagram
	oldest, newest *datagram // the datagrams of waiting, in order of arrival
	now            int64     // latest packet time; see Expire

	unused  *datagram // the first of the spare datagrams, which are linked by next
	buffers bounded.Buffers
	nodes   int // memory of all datagrams, used or spare, without their data, in bytes
	joined  joined

	begun int64 // number of datagrams so far
}

// datagramKey identifies the datagram of a fragment. The addresses imply the version of IP.
type datagramKey struct {
	id       uint32
	protocol uint8
	src, dst netip.Addr
}

// A datagram waits for fragments.
type datagram struct {
	key        datagramKey
	number     int64 // number among all datagrams that came in fragments, from 1
	prev, next *datagram
	since      int64 // when the datagram's timeout began
	repeat     bool  // a datagram with this key was joined recently

	data    []byte
	seen    []uint64 // one bit for each block that was sent
	blocks  int      // number of bits set in seen
	present int      // number of captured bytes
	cut     int      // offset of the first byte that was sent but not captured
	total   int      // size of the datagram, -1 before the last fragment
	reach   int      // the largest end of a fragment, except the last fragment

	firstFrame, lastFrame int    // in order of arrival
	file                  string // the file of lastFrame
	lastTime              int64  // packet time of lastFrame
	carriers              int    // number of frames that contained fragments, including duplicates
}

// A LostDatagram is a datagram that was given up because at least one of its fragments is missing.
type LostDatagram struct {
	Number   int64 // as returned by Defragmenter.Add
	Src, Dst netip.Addr
	Protocol uint8
	ID       uint32
	Head     []byte // up to 8 bytes from the start of the payload, if captured; valid during the call

	FirstFrame, LastFrame int    // in order of arrival
	File                  string // the file of LastFrame
	Time                  int64  // packet time of LastFrame, in nanoseconds
	Present               int    // captured bytes of the payload
	Missing               int    // missing bytes of the payload, or -1 if its size is unknown
	Crowded               bool   // given up for lack of memory; missing fragments may have come later
}

// Bytes returns the memory in use, in bytes.
func (d *Defragmenter) Bytes() int { return d.buffers.Bytes() + d.nodes + d.joined.bytes() }

// most returns the memory limit in bytes.
func (d *Defragmenter) most() int {
	if d.Memory == 0 {
		return maxFragmentBytes
	}
	return max(d.Memory, leastFragmentBytes)
}

// Add adds a copy of a fragment from the frame with this number and time. If the fragment completes a datagram, Add
// sets whole and returns true. whole may be p. The payload of whole is valid until the next call of Add. number is the
// datagram's number among all that come in fragments, from 1, or 0 for an invalid fragment.
//
// If fragments overlap, the bytes of the fragment that arrived first are used. If the snap length cut bytes off, the
// payload of the datagram ends before the first missing byte, and Missing counts the rest.
func (d *Defragmenter) Add(p *Packet, frame int, now int64, whole *Packet) (number int64, joined bool) {
	d.Expire(now)
	end := p.Offset + len(p.Payload) + p.Missing
	if end == p.Offset || end > maxDatagram || p.More && end%fragmentBlock != 0 {
		return 0, false
	}
	g := d.find(p, frame)
	if !g.accepts(p.More, end) {
		return 0, false
	}
	g.lastFrame, g.file, g.lastTime = frame, d.File, now
	g.carriers += p.Carriers
	d.grow(g, end)
	g.insert(p, end)
	if g.total < 0 || g.blocks*fragmentBlock < g.total {
		return g.number, false
	}
	d.remove(g)
	if joined = d.join(g, whole); !joined {
		d.dropped(g)
	}
	return g.number, joined
}

func (d *Defragmenter) dropped(g *datagram) {
	if d.Dropped != nil {
		d.Dropped(g.number)
	}
}

func (d *Defragmenter) join(g *datagram, whole *Packet) bool {
	d.joined.add(&g.key, d.now, d.most()/8/joinedCost)
	*whole = Packet{Src: g.key.src, Dst: g.key.dst, Protocol: g.key.protocol, ID: g.key.id, Carriers: g.carriers}
	whole.setPayload(g.data[:min(g.cut, g.total)], g.total)
	if g.key.src.Is4() {
		return whole.skipAuthentication() == Found
	}
	return whole.skipExtensions() == Found && !whole.Fragment
}

// Expire drops datagrams that have waited too long at time now. Call it for every packet; a call checks only the
// oldest datagram.
//
// Packets can be slightly out of order, so an older packet does not set the clock back. If now is older by more than
// the timeout, the clock was set back or another file began. Expire then drops all waiting datagrams.
func (d *Defragmenter) Expire(now int64) {
	if clock.Elapsed(now, d.now) > fragmentTimeout {
		d.Flush()
		d.now = now
	}
	d.now = max(d.now, now) // even if nothing waits, so d.now does not depend on the fragments
	for d.oldest != nil && clock.Elapsed(d.oldest.since, d.now) > fragmentTimeout {
		d.giveUp(d.oldest, false)
	}
}

// Flush gives up all waiting datagrams.
func (d *Defragmenter) Flush() {
	for d.oldest != nil {
		d.giveUp(d.oldest, false)
	}
}

func (d *Defragmenter) giveUp(g *datagram, crowded bool) {
	d.remove(g)
	d.dropped(g)
	if d.Lost == nil || g.repeat {
		return // the datagram was already joined and delivered
	}
	l := LostDatagram{
		Number: g.number, Src: g.key.src, Dst: g.key.dst, Protocol: g.key.protocol, ID: g.key.id,
		FirstFrame: g.firstFrame, LastFrame: g.lastFrame, File: g.file, Time: g.lastTime,
		Present: g.present, Missing: -1, Crowded: crowded,
	}
	if g.seen[0]&1 != 0 {
		l.Head = g.data[:min(fragmentBlock, len(g.data), g.cut)]
	}
	if g.total >= 0 {
		l.Missing = g.total - g.present
	}
	d.Lost(l)
}

func (d *Defragmenter) find(p *Packet, frame int) *datagram {
	key := datagramKey{id: p.ID, protocol: p.Protocol, src: p.Src, dst: p.Dst}
	if g := d.waiting[key]; g != nil {
		return g
	}
	g := d.unused
	if g == nil {
		g = new(datagram)
		d.nodes += datagramCost
	} else {
		d.unused = g.next
	}
	d.begun++
	*g = datagram{
		key: key, number: d.begun, since: d.now, repeat: d.joined.has(&key, d.now),
		prev: d.newest, seen: g.seen[:0], cut: maxDatagram, total: -1, firstFrame: frame,
	}
	if d.newest == nil {
		d.oldest = g
	} else {
		d.newest.next = g
	}
	d.newest = g
	if d.waiting == nil {
		d.waiting = make(map[datagramKey]*datagram)
	}
	d.waiting[key] = g
	return g
}

// remove removes a waiting datagram. Its data stay valid until the next call of Add.
func (d *Defragmenter) remove(g *datagram) {
	delete(d.waiting, g.key)
	if g.prev == nil {
		d.oldest = g.next
	} else {
		g.prev.next = g.next
	}
	if g.next == nil {
		d.newest = g.prev
	} else {
		g.next.prev = g.prev
	}
	g.prev, g.next, d.unused = nil, d.unused, g
	d.buffers.Put(g.data)
}

// accepts reports whether a fragment is consistent with the known size of the datagram. Only the last fragment may end
// at the end of the datagram.
func (g *datagram) accepts(more bool, end int) bool {
	if more {
		return g.total < 0 || end < g.total
	}
	return end > g.reach && (g.total < 0 || end == g.total)
}

// insert copies the blocks of a fragment that no earlier fragment contained. Every fragment begins at a block boundary,
// and every fragment but the last also ends at one, so blocks are always complete.
func (g *datagram) insert(p *Packet, end int) {
	if p.More {
		g.reach = max(g.reach, end)
	} else {
		g.total = end
	}
	rest := p.Payload
	for at := p.Offset; at < end; at += fragmentBlock {
		block := rest[:min(fragmentBlock, len(rest))]
		rest = rest[len(block):]

		i := at / fragmentBlock
		word, bit := &g.seen[i/64], uint64(1)<<(i%64)
		if *word&bit != 0 {
			continue
		}
		*word |= bit
		g.blocks++
		g.present += copy(g.data[at:], block)
		if at+len(block) < min(at+fragmentBlock, end) {
			g.cut = min(g.cut, at+len(block))
		}
	}
}

// grow extends the data of a datagram to at least size bytes.
func (d *Defragmenter) grow(g *datagram, size int) {
	if size <= len(g.data) {
		return
	}
	if size > cap(g.data) {
		larger := d.buffer(g, size)
		copy(larger[:len(g.data)], g.data)
		d.buffers.Put(g.data)
		g.data = larger
	}
	g.data = g.data[:size]
	before := cap(g.seen)
	for blocks := (size + fragmentBlock - 1) / fragmentBlock; len(g.seen)*64 < blocks; {
		g.seen = append(g.seen, 0)
	}
	d.nodes += (cap(g.seen) - before) * 8
}

// datagramCost is the memory of a datagram in bytes, with its map entry but without its data.
const datagramCost = int(unsafe.Sizeof(datagram{})) + 2*int(unsafe.Sizeof(datagramKey{}))

// buffer returns a buffer for g. To make room, it drops spare buffers first, and then gives up the datagrams that have
// waited longest.
func (d *Defragmenter) buffer(g *datagram, size int) []byte {
	size = max(size, smallestBuffer)
	for {
		cost := d.buffers.Cost(size)
		if d.Bytes()+cost <= d.most() {
			return d.buffers.Get(size)
		}
		if d.buffers.Drop() || d.dropSpare() {
			continue
		}
		victim := d.oldest
		if victim == g {
			victim = g.next
		}
		d.giveUp(victim, true)
	}
}

// dropSpare frees a spare datagram. It reports whether there was one.
func (d *Defragmenter) dropSpare() bool {
	g := d.unused
	if g == nil {
		return false
	}
	d.unused = g.next
	d.nodes -= datagramCost + cap(g.seen)*8
	return true
}
