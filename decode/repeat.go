package decode

import (
	"hash/maphash"
	"time"
	"unsafe"
)

// repeats remembers the last datagrams in one direction of a conversation, to recognise packets that were captured
// twice. This happens if packets are captured before and after a router, at a mirror port, or on both interfaces of a
// bridge, or if a link sends a frame again. repeats is small and contains no pointers, see conversation.
//
// dedup.Events is not suitable here. It treats equal bytes from one source as two events, because a player may do the
// same thing again. repeats treats equal bytes as one packet if the IP identification and the time allow it. The
// messages of a repeated packet are copies, see Deduplicator.
type repeats struct {
	sums   [recentDatagrams]uint32 // hashes of payload and IP identification
	times  [recentDatagrams]uint32 // in units of repeatUnit, wrapping around
	frames [recentDatagrams]uint8  // hashes of the complete frames
	next   uint8                   // index for the next datagram
}

// fewRepeats is a smaller version of repeats, for a direction with few datagrams within maxRepeatTime. It suffices for
// most directions.
type fewRepeats struct {
	sums   [fewDatagrams]uint32
	times  [fewDatagrams]uint32
	frames [fewDatagrams]uint8
	next   uint8
}

const (
	recentDatagrams = 8
	fewDatagrams    = 2

	repeatUnit    = int64(100 * time.Microsecond)
	maxRepeatTime = uint32(int64(2*time.Second) / repeatUnit)

	// maxPathTime is the maximum time between two copies if there is no IP identification that could distinguish copies
	// from two equal packets.
	maxPathTime = uint32(int64(3*time.Millisecond) / repeatUnit)
)

// frameSeed makes the hashes unpredictable for senders.
var frameSeed = maphash.MakeSeed()

// A fingerprint identifies a datagram among the datagrams in the same direction.
type fingerprint struct {
	sum    uint32 // hash of payload and IP identification
	when   uint32 // in units of repeatUnit
	frame  uint8  // hash of the complete frame if there is no IP identification
	within uint32 // maximum time after the first copy
}

// fingerprintOf makes the fingerprint of a datagram in a frame. Two datagrams with the same bytes and the same IP
// identification within two seconds are one packet. Many systems set the identification to 0. In that case, two
// datagrams are one packet if they came within 3 ms and in different frames, as copies from two links do.
func fingerprintOf(payload []byte, id uint32, now int64, frame []byte) fingerprint {
	f := fingerprint{when: uint32(now / repeatUnit), within: maxRepeatTime}
	if id == 0 {
		f.frame, f.within = uint8(maphash.Bytes(frameSeed, frame)), maxPathTime
	}
	f.sum = max(uint32(maphash.Bytes(frameSeed, payload))^id*0x9e3779b1, 1)
	return f
}

// A recentRing refers to the arrays of a repeats or a fewRepeats.
type recentRing struct {
	sums, times []uint32
	frames      []uint8
	next        *uint8
}

func (r *repeats) ring() recentRing { return recentRing{r.sums[:], r.times[:], r.frames[:], &r.next} }

func (r *fewRepeats) ring() recentRing {
	return recentRing{r.sums[:], r.times[:], r.frames[:], &r.next}
}

func (r recentRing) repeated(f *fingerprint) bool {
	for i, sum := range r.sums {
		if sum == f.sum && f.when-r.times[i] <= f.within && (f.within != maxPathTime || r.frames[i] != f.frame) {
			return true
		}
	}
	return false
}

// full reports whether the oldest datagram must stay, because a copy of it may still come.
func (r recentRing) full(f *fingerprint) bool {
	return r.sums[*r.next] != 0 && f.when-r.times[*r.next]+maxRepeatTime <= 2*maxRepeatTime // time may go back
}

// remember replaces the oldest datagram with a new one.
func (r recentRing) remember(f *fingerprint) {
	i := *r.next
	r.sums[i], r.times[i], r.frames[i], *r.next = f.sum, f.when, f.frame, (i+1)%uint8(len(r.sums))
}

// add adds the datagrams of another ring.
func (r recentRing) add(o recentRing) {
	for i := range o.sums {
		at := (int(*o.next) + i) % len(o.sums)
		r.remember(&fingerprint{sum: o.sums[at], when: o.times[at], frame: o.frames[at]})
	}
}

// slots stores values at places, which are numbered from 1. It allocates memory for many values at once. The values
// should contain no pointers, so that the garbage collector does not scan them.
type slots[T any] struct {
	slabs []*[slotSlab]T
	used  uint32 // number of places so far
	free  []uint32
}

const slotSlab = 64

// cost returns the size in bytes of a value.
func (s *slots[T]) cost() int { return int(unsafe.Sizeof(*new(T))) }

func (s *slots[T]) at(place uint32) *T { return &s.slabs[(place-1)/slotSlab][(place-1)%slotSlab] }

// take returns a place with a zero value.
func (s *slots[T]) take() (place uint32) {
	if last := len(s.free) - 1; last >= 0 {
		place, s.free = s.free[last], s.free[:last]
		return place
	}
	if s.used++; int(s.used-1)/slotSlab >= len(s.slabs) {
		s.slabs = append(s.slabs, new([slotSlab]T))
	}
	return s.used
}

func (s *slots[T]) release(place uint32) {
	*s.at(place) = *new(T)
	s.free = append(s.free, place)
}
