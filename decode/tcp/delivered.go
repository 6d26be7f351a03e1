package tcp

import (
	"bytes"
	"encoding/binary"
)

const (
	deliveredSize = 1 << 20 // default size of the ring; a power of two

	// minDelivered is the size of the smallest ring. It has room for any record.
	minDelivered = 2 * maxRemembered

	// maxRemembered is the maximum number of bytes stored per delivery. Segments of real networks are smaller.
	maxRemembered = 64 << 10

	// maxSteps limits the search for retransmitted bytes. Without this limit, one-byte segments from an attacker could
	// make the search very long.
	maxSteps = 1024
)

// delivered is a ring of delivered bytes with which retransmissions are compared. All streams share it, so idle streams
// use no memory. The ring need not be large, because retransmissions follow soon.
//
// The ring contains records. A record is a header followed by bytes. The place of a record is its offset from the first
// byte ever written, so the place shows whether the record was overwritten.
type delivered struct {
	ring []byte
	most int64 // the maximum size, a power of two; 0: deliveredSize
	gone int64 // records up to this place are overwritten
	end  int64 // the place of the next record
}

// The header of a record contains the place of the stream's previous record, the position of the first byte, and the
// number of bytes.
const recordHead = 8 + 8 + 4

// add stores bytes of a stream and returns the place of their record. previous is the place of the stream's previous
// record, or 0 if there is none.
func (r *delivered) add(previous, at int64, b []byte) int64 {
	if r.ring == nil {
		r.start()
	}
	extra := max(0, len(b)-maxRemembered)
	at, b = at+int64(extra), b[extra:]
	size := recordHead + len(b)
	if r.end-r.gone+int64(size) > r.size() && r.size() < r.most {
		r.grow()
	}
	if rest := r.size() - r.index(r.end); int64(size) > rest { // records do not wrap around
		r.end += rest
	}
	record := r.ring[r.index(r.end):][:size]
	binary.LittleEndian.PutUint64(record, uint64(previous))
	binary.LittleEndian.PutUint64(record[8:], uint64(at))
	binary.LittleEndian.PutUint32(record[16:], uint32(len(b)))
	copy(record[recordHead:], b)
	place := r.end
	r.end += int64(size)
	r.gone = max(r.gone, r.end-r.size())
	return place
}

func (r *delivered) size() int64 { return int64(len(r.ring)) }

// index returns the index of a place in the ring.
func (r *delivered) index(place int64) int64 { return place & (r.size() - 1) }

// start allocates the ring. Places begin after 0, because 0 means that there is no record.
func (r *delivered) start() {
	if r.most == 0 {
		r.most = deliveredSize
	}
	r.ring = make([]byte, min(deliveredSize, r.most))
	r.gone, r.end = r.most-1, r.most
}

// grow doubles the ring. Records keep their indexes, because a ring does not wrap around before it has its maximum
// size.
func (r *delivered) grow() {
	larger := make([]byte, 2*len(r.ring))
	copy(larger, r.ring)
	r.ring = larger
}

// compare compares bytes of a stream with the stored bytes, and adds the differences to d. newest is the place of the
// stream's last record.
func (r *delivered) compare(newest, at int64, b []byte, d *difference) {
	r.each(newest, at, at+int64(len(b)), func(from int64, first []byte) {
		d.compare(from, b[from-at:][:len(first)], first)
	})
}

// covers returns the number of stored bytes between two positions.
func (r *delivered) covers(newest, at, end int64) (n int) {
	r.each(newest, at, end, func(_ int64, b []byte) { n += len(b) })
	return n
}

// each calls visit with the stored bytes of a stream between two positions, beginning with the last record.
func (r *delivered) each(newest, at, end int64, visit func(from int64, b []byte)) {
	for steps := 0; newest > r.gone && steps < maxSteps; steps++ {
		record := r.ring[r.index(newest):]
		start := int64(binary.LittleEndian.Uint64(record[8:]))
		size := int64(binary.LittleEndian.Uint32(record[16:]))
		if start+size <= at {
			return
		}
		if from, to := max(at, start), min(end, start+size); from < to {
			visit(from, record[recordHead+from-start:recordHead+to-start])
		}
		newest = int64(binary.LittleEndian.Uint64(record))
	}
}

// A difference describes how a retransmission differs from the bytes that arrived first.
type difference struct {
	at    int64 // position of the first byte that differs
	bytes int   // number of bytes that differ
}

// compare compares the bytes b at a position with the bytes that arrived first, and adds the differences to d.
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
