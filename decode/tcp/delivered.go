package tcp

import (
	"bytes"
	"encoding/binary"
)

const (
	deliveredSize = 1 << 20 // default size of the ring; a power of two

	// minDelivered is the size of the smallest ring; any record fits.
	minDelivered = 2 * maxRemembered

	// maxRemembered is how many bytes of one delivery are stored: more than a segment of any real network.
	maxRemembered = 64 << 10

	// maxSteps limits the search for retransmitted bytes. An attacker can make it long with segments of one byte.
	maxSteps = 1024
)

// delivered is a ring of delivered bytes with which retransmissions are compared. All streams share it, so idle streams
// cost nothing; retransmissions come soon.
//
// The ring contains records: a header, then the bytes. The place of a record counts from the first byte ever written,
// so it shows whether the record was overwritten.
type delivered struct {
	ring []byte
	most int64 // the maximum size, a power of two; 0: deliveredSize
	gone int64 // records up to this place are overwritten
	end  int64 // the place of the next record
}

// The header of a record: the place of the stream's previous record, the position of the first byte, the number of
// bytes.
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
	if rest := r.size() - r.index(r.end); int64(size) > rest { // records do not wrap
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

// start allocates the ring. Places begin after 0, which means none.
func (r *delivered) start() {
	if r.most == 0 {
		r.most = deliveredSize
	}
	r.ring = make([]byte, min(deliveredSize, r.most))
	r.gone, r.end = r.most-1, r.most
}

// grow doubles the ring. Records keep their indexes, since a ring does not wrap before it has its maximum size.
func (r *delivered) grow() {
	larger := make([]byte, 2*len(r.ring))
	copy(larger, r.ring)
	r.ring = larger
}

// compare compares bytes of a stream with those stored. newest is the place of the stream's last record.
func (r *delivered) compare(newest, at int64, b []byte, d *difference) {
	r.each(newest, at, at+int64(len(b)), func(from int64, first []byte) {
		d.compare(from, b[from-at:][:len(first)], first)
	})
}

// covers returns how many bytes between two positions are stored.
func (r *delivered) covers(newest, at, end int64) (n int) {
	r.each(newest, at, end, func(_ int64, b []byte) { n += len(b) })
	return n
}

// each calls give with the stored bytes of a stream between two positions, the last record first.
func (r *delivered) each(newest, at, end int64, give func(from int64, b []byte)) {
	for steps := 0; newest > r.gone && steps < maxSteps; steps++ {
		record := r.ring[r.index(newest):]
		start := int64(binary.LittleEndian.Uint64(record[8:]))
		size := int64(binary.LittleEndian.Uint32(record[16:]))
		if start+size <= at {
			return
		}
		if from, to := max(at, start), min(end, start+size); from < to {
			give(from, record[recordHead+from-start:recordHead+to-start])
		}
		newest = int64(binary.LittleEndian.Uint64(record))
	}
}

// A difference is where a retransmission differs from the bytes that came first.
type difference struct {
	at    int64 // position of the first byte
	bytes int   // number of bytes that differ
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
