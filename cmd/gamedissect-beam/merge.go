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

// maxOpen bounds the files that are open at a time.
const maxOpen = 128

// A merger returns the packets of several files in time order, as capture.Merge does. It opens a file when the file's
// first packet is due.
type merger struct {
	queue queue
	open  int
}

// head is a stream with its current packet.
type head struct {
	packet capture.Packet
	from   stream
	index  int
	opened bool
	given  bool
}

// newMerger makes a merger of streams and the times of their first packets. At equal times the earlier stream in the
// list goes first.
func newMerger(from []stream, first []int64) *merger {
	m := new(merger)
	for i, s := range from {
		m.queue = append(m.queue, &head{from: s, index: i, packet: capture.Packet{Time: first[i]}})
	}
	heap.Init(&m.queue)
	return m
}

// next returns the next packet with its stream, valid until the next call; nil at the end.
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
		_ = h.from.Close() // it was only read
	}
}

// queue orders by time, then by index. It implements heap.Interface.
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
	in   *input // nil: it is not open
	read int64  // packets
}

func (r *rereading) next(p *capture.Packet) (err error) {
	if r.in == nil {
		if r.in, err = openCapture(r.ctx, r.file.Path); err != nil {
			return err
		}
	}
	if r.read == r.file.Packets {
		return io.EOF // scanFn has reported any error after this point
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

// repeats finds packets that several files have because their rotation overlapped: same time, to the nanosecond, and
// same bytes. Equal packets within one file are packets of their own.
type repeats struct {
	time  int64
	seed  maphash.Seed
	given map[uint64]int // of this time, by content
	had   map[sighting]int
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

// is reports whether another file had the packet.
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
