package decode

import (
	"hash/maphash"
	"time"
	"unsafe"
)

// repeats remembers the last datagrams of one direction of a conversation, to recognise a packet that was captured
// twice: before and after a router, at a mirror port, on both interfaces of a bridge, or because a link sent the frame
// again. It is small and has no pointers, see conversation.
//
// It cannot be a dedup.Events. There, equal bytes from one source are two events, because a player may do the same
// again. Here they are one packet, of whatever protocol, if the IP identification and the time allow it. The messages
// of a repeated packet are copies, see Deduplicator.
type repeats struct {
	sums   [recentDatagrams]uint32 // of payload and IP identification
	times  [recentDatagrams]uint32 // in units of repeatUnit, wrapping around
	frames [recentDatagrams]uint8  // sums of the whole frames
	next   uint8                   // where the next datagram goes
}

// fewRepeats is repeats for a direction that had no more datagrams in maxRepeatTime, as most have.
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

	// maxPathTime bounds the time between two copies if no IP identification distinguishes them from two equal packets.
	maxPathTime = uint32(int64(3*time.Millisecond) / repeatUnit)
)

// frameSeed makes the sums unpredictable for senders.
var frameSeed = maphash.MakeSeed()

// A fingerprint identifies a datagram among those of its direction.
type fingerprint struct {
	sum    uint32 // of payload and IP identification
	when   uint32 // in units of repeatUnit
	frame  uint8  // sum of the whole frame if there is no identification
	within uint32 // how long after the first copy it may come
}

// fingerprintOf makes the fingerprint of a datagram in a frame. Two datagrams with the same bytes and the same IP
// identification within two seconds are one packet. Many systems leave the identification 0; then they are one packet
// if they came within 3 ms in frames that differ, as copies on two links do.
func fingerprintOf(payload []byte, id uint32, now int64, frame []byte) fingerprint {
	f := fingerprint{when: uint32(now / repeatUnit), within: maxRepeatTime}
	if id == 0 {
		f.frame, f.within = uint8(maphash.Bytes(frameSeed, frame)), maxPathTime
	}
	f.sum = max(uint32(maphash.Bytes(frameSeed, payload))^id*0x9e3779b1, 1)
	return f
}

// recentRing is the content of repeats or fewRepeats.
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

// full reports whether a copy of the oldest datagram may still come.
func (r recentRing) full(f *fingerprint) bool {
	return r.sums[*r.next] != 0 && f.when-r.times[*r.next]+maxRepeatTime <= 2*maxRepeatTime // time may go back
}

// remember stores a datagram in place of the oldest.
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

// slots keeps values without pointers by place, from 1. Those of many places are allocated together.
type slots[T any] struct {
	slabs []*[slotSlab]T
	used  uint32 // places so far
	free  []uint32
}

const slotSlab = 64

// cost returns the size in bytes of a value.
func (s *slots[T]) cost() int { return int(unsafe.Sizeof(*new(T))) }

func (s *slots[T]) at(place uint32) *T { return &s.slabs[(place-1)/slotSlab][(place-1)%slotSlab] }

// take returns the place of a zero value.
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
