package tcp

import (
	"bytes"
	"encoding/binary"
)

const (
	deliveredSize = 1 << 20 // a power of two

	// maxRemembered is how much of one delivery is remembered: a segment of any honest network.
	maxRemembered = 64 << 10

	// maxSteps bounds the search for what a retransmission repeats. A hostile sender can make
	// it long with segments of one byte.
	maxSteps = 1024
)

// delivered remembers what was delivered of all streams together, the oldest bytes being
// overwritten first. A retransmission is compared with it. It is one ring for all, since
// retransmissions come soon after: idle streams cost nothing that way.
//
// The ring holds records: a head, then the bytes. A place in it is counted from the first byte
// ever written, so that it also reports whether its record was overwritten.
type delivered struct {
	ring []byte
	end  int64 // the place of the next record
}

// The head of a record: the place of the stream's record before, the position of the first
// byte in the stream, the number of bytes.
const recordHead = 8 + 8 + 4

// add remembers bytes of a stream and returns the place of their record. previous is that of
// the stream's record before, 0 if there is none.
func (r *delivered) add(previous, at int64, b []byte) int64 {
	if r.ring == nil {
		r.ring = make([]byte, deliveredSize)
		r.end = deliveredSize // so that 0 is the place of no record
	}
	extra := max(0, len(b)-maxRemembered)
	at, b = at+int64(extra), b[extra:]
	size := recordHead + len(b)
	start := int(r.end & (deliveredSize - 1))
	if start+size > deliveredSize { // records do not wrap
		r.end += int64(deliveredSize - start)
		start = 0
	}
	record := r.ring[start : start+size]
	binary.LittleEndian.PutUint64(record, uint64(previous))
	binary.LittleEndian.PutUint64(record[8:], uint64(at))
	binary.LittleEndian.PutUint32(record[16:], uint32(len(b)))
	copy(record[recordHead:], b)
	place := r.end
	r.end += int64(size)
	return place
}

// compare looks for differences between bytes of a stream and what is remembered of it. newest
// is the place of the stream's last record. The records of a stream lie in its order.
func (r *delivered) compare(newest, at int64, b []byte, d *difference) {
	for steps := 0; newest > r.end-deliveredSize && newest > 0 && steps < maxSteps; steps++ {
		record := r.ring[newest&(deliveredSize-1):]
		start := int64(binary.LittleEndian.Uint64(record[8:]))
		size := int64(binary.LittleEndian.Uint32(record[16:]))
		if start+size <= at {
			return
		}
		from, to := max(at, start), min(at+int64(len(b)), start+size)
		if from < to {
			d.compare(from, b[from-at:to-at], record[recordHead+from-start:])
		}
		newest = int64(binary.LittleEndian.Uint64(record))
	}
}

// A difference is between a retransmission and what came before.
type difference struct {
	at    int64 // position of the first byte
	bytes int   // that differ
}

// compare compares the bytes b at a position with those that came first.
func (d *difference) compare(at int64, b, first []byte) {
	first = first[:len(b)]
	if bytes.Equal(b, first) {
		return
	}
	for i := range b {
		if b[i] == first[i] {
			continue
		}
		if p := at + int64(i); d.bytes == 0 || p < d.at {
			d.at = p
		}
		d.bytes++
	}
}
