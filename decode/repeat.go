package decode

import (
	"hash/maphash"
	"time"
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
	next   uint8                   // where the next datagram goes, modulo recentDatagrams
}

const (
	recentDatagrams = 8

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

func (r *repeats) repeated(f *fingerprint) bool {
	for i, sum := range r.sums {
		if sum == f.sum && f.when-r.times[i] <= f.within && (f.within != maxPathTime || r.frames[i] != f.frame) {
			return true
		}
	}
	return false
}

// remember stores a datagram in place of the oldest.
func (r *repeats) remember(f *fingerprint) {
	i := r.next % recentDatagrams
	r.sums[i], r.times[i], r.frames[i], r.next = f.sum, f.when, f.frame, i+1
}
