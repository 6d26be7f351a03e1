package main

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"

	"github.com/gamedissect/gamedissect/capture"
)

// A stream returns the packets of a file in order, until io.EOF.
type stream interface {
	next(p *capture.Packet) error
	Close() error
}

// maxOpen limits the files that are open at the same time.
const maxOpen = 128

// A merger returns the packets of several files in time order, as capture.Merge does. It opens a file only when the
// file's first packet is due.
type merger struct {
	queue queue
	open  int
}

// head is a stream and its current packet.
type head struct {
	packet capture.Packet
	from   stream
	index  int
	opened bool // packet was read
	given  bool // packet was returned
}

// newMerger makes a merger of streams, given the times of their first packets. If times are equal, the stream that is
// earlier in the list comes first.
func newMerger(from []stream, first []int64) *merger {
	m := new(merger)
	for i, s := range from {
		m.queue = append(m.queue, &head{from: s, index: i, packet: capture.Packet{Time: first[i]}})
	}
	heap.Init(&m.queue)
	return m
}

// next returns the stream of the next packet, with the packet. The result is valid until the next call. At the end,
// next returns nil.
func (m *merger) next() (*head, error) {
	for len(m.queue) > 0 {
		h := m.queue[0]
		if h.opened && !h.given {
			h.given = true
			return h, nil
		}
		if !h.opened {
			if m.open++; m.open > maxOpen {
				return nil, fmt.Errorf("more than %d files of a sensor have packets of the same time; join some with "+
					"mergecap", maxOpen)
			}
		}
		h.opened, h.given = true, false
		err := h.from.next(&h.packet)
		if err == nil {
			heap.Fix(&m.queue, 0)
			continue
		}
		heap.Pop(&m.queue)
		m.open--
		if err = errors.Join(ended(err), h.from.Close()); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

func ended(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// Close closes the streams that have not ended.
func (m *merger) Close() {
	for _, h := range m.queue {
		_ = h.from.Close() // harmless: the file was only read
	}
}

// queue implements heap.Interface, ordered by time, then by index.
type queue []*head

func (q queue) Len() int { return len(q) }

func (q queue) Less(i, j int) bool {
	if q[i].packet.Time != q[j].packet.Time {
		return q[i].packet.Time < q[j].packet.Time
	}
	return q[i].index < q[j].index
}

func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

func (q *queue) Push(x any) { *q = append(*q, x.(*head)) }

func (q *queue) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	*q = (*q)[:last]
	return x
}

// rereading is the stream of a file that is read again.
type rereading struct {
	ctx  context.Context
	file *File
	in   *input // nil: not open
	read int64  // number of packets
}

func (r *rereading) next(p *capture.Packet) (err error) {
	if r.in == nil {
		if r.in, err = openCapture(r.ctx, r.file.Path); err != nil {
			return err
		}
	}
	if r.read == r.file.Packets {
		return io.EOF // already reported by scanFn
	}
	if err := r.in.Next(p); err != nil {
		return fmt.Errorf("%s had %d packets, and now has %d: %w", r.file.Path, r.file.Packets, r.read, err)
	}
	r.read++
	return nil
}

// Close ends reading.
func (r *rereading) Close() error {
	if r.in == nil {
		return nil
	}
	err := r.in.Close()
	r.in = nil
	return err
}

// repeats finds packets that several files have because of overlapping rotation. Such packets have the same bytes and
// the same time in nanoseconds. Equal packets in one file are different packets.
type repeats struct {
	time  int64
	seed  maphash.Seed
	given map[uint64]int   // packets already returned at this time, by content
	had   map[sighting]int // number of equal packets of each file at this time
	count int64
}

// sighting is a packet in a file.
type sighting struct {
	content uint64
	file    int
}

func newRepeats() *repeats {
	return &repeats{seed: maphash.MakeSeed(), given: make(map[uint64]int), had: make(map[sighting]int)}
}

// This method reports whether another file had the packet already.
func (r *repeats) is(h *head) bool {
	if r.time != h.packet.Time {
		r.time = h.packet.Time
		clear(r.given)
		clear(r.had)
	}
	content := maphash.Bytes(r.seed, h.packet.Data)
	at := sighting{content, h.index}
	if r.had[at]++; r.had[at] <= r.given[content] {
		r.count++
		return true
	}
	r.given[content]++
	return false
}
