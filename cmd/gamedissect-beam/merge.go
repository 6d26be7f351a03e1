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

// A stream gives the packets of a file in their order, until io.EOF.
type stream interface {
	next(p *capture.Packet) error
	Close() error
}

// mostOpen is how many files are read at a time.
const mostOpen = 128

// A merger gives the packets of several files by time, as capture.Merge does. A file is opened when its first packet is
// due.
type merger struct {
	heads heads
	open  int
}

// head is a stream and the packet that it gives next, or gave last.
type head struct {
	packet capture.Packet
	from   stream
	index  int
	opened bool
	given  bool
}

// newMerger takes streams, and when the first packet of each was seen. At equal times the one that is named first goes
// first.
func newMerger(from []stream, first []int64) *merger {
	m := new(merger)
	for i, s := range from {
		m.heads = append(m.heads, &head{from: s, index: i, packet: capture.Packet{Time: first[i]}})
	}
	heap.Init(&m.heads)
	return m
}

// next gives a stream with its packet, which is valid until the next call, and nil at the end.
func (m *merger) next() (*head, error) {
	for len(m.heads) > 0 {
		h := m.heads[0]
		if h.opened && !h.given {
			h.given = true
			return h, nil
		}
		if !h.opened {
			if m.open++; m.open > mostOpen {
				return nil, fmt.Errorf("more than %d files of a sensor have packets of the same time; join some with "+
					"mergecap", mostOpen)
			}
		}
		h.opened, h.given = true, false
		err := h.from.next(&h.packet)
		if err == nil {
			heap.Fix(&m.heads, 0)
			continue
		}
		heap.Pop(&m.heads)
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

// Close ends the streams that did not end.
func (m *merger) Close() {
	for _, h := range m.heads {
		_ = h.from.Close() // it was only read
	}
}

// heads orders by time, then by place: heap.Interface.
type heads []*head

func (h heads) Len() int { return len(h) }

func (h heads) Less(i, j int) bool {
	if h[i].packet.Time != h[j].packet.Time {
		return h[i].packet.Time < h[j].packet.Time
	}
	return h[i].index < h[j].index
}

func (h heads) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *heads) Push(x any) { *h = append(*h, x.(*head)) }

func (h *heads) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
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
		return io.EOF // what is wrong behind it is known
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

// repeats finds packets that several files hold, since rotation overlapped: they have the same time, to the nanosecond,
// and the same bytes. Within one file the same packet may have come twice.
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
