package capture

import (
	"container/heap"
	"errors"
	"io"
)

// Merge returns a source of the packets of several files, ordered by time. Packets of one file keep their order, even
// if their times decrease. If times are equal, the packet of the file named first comes first. Close closes all
// files.
//
// Merge reads the first packet of a regular file, closes the file, and opens it again when that packet is due. If files
// follow each other in time, only a few are open at once. The files share a memory budget. If no memory is left for a
// file, reading that file fails.
//
// If reading one file fails, the others continue. When all are read, Next returns the errors of all files once, joined,
// and after that io.EOF.
func Merge(files ...*File) Source {
	m := &merger{files: files, budget: newBudget(len(files))}
	for i, f := range files {
		m.heads = append(m.heads, &head{file: f, index: i})
	}
	return m
}

// head is a file and its next packet. The packet's data is in the file's buffer.
type head struct {
	packet Packet
	file   *File
	index  int  // the file's index in the arguments
	waits  bool // only packet.Time is set; the file must be read again from its start
}

type merger struct {
	files    []*File
	budget   *budget
	heads    byTime // a heap after begin; its first element is due next or was returned last
	begun    bool
	errs     []error
	reported bool // errs has been returned
}

func (m *merger) Next(p *Packet) error {
	switch {
	case !m.begun:
		m.begin()
	case len(m.heads) == 1: // there is nothing to merge
		if m.read(m.heads[0], p) {
			return nil
		}
		heap.Pop(&m.heads)
	default:
		m.advance()
	}
	for len(m.heads) > 0 && m.heads[0].waits {
		m.heads[0].waits = false
		m.advance()
	}
	if len(m.heads) == 0 {
		return m.end()
	}
	*p = m.heads[0].packet
	return nil
}

// begin reads the first packet of every file. If a file can be opened again, begin keeps only the packet's time.
func (m *merger) begin() {
	m.begun = true
	all := m.heads
	m.heads = nil
	for _, h := range all {
		if err := h.file.enter(m.budget); err != nil {
			m.errs = append(m.errs, err)
			_ = h.file.Close() // harmless: the file was only read
		} else if m.read(h, &h.packet) {
			if len(all) > 1 && h.file.rewind() {
				h.packet, h.waits = Packet{Time: h.packet.Time}, true
			}
			m.heads = append(m.heads, h)
		}
	}
	heap.Init(&m.heads)
}

// advance reads the next packet of the file whose packet was returned last.
func (m *merger) advance() {
	if len(m.heads) == 0 {
		return
	}
	if h := m.heads[0]; m.read(h, &h.packet) {
		heap.Fix(&m.heads, 0)
	} else {
		heap.Pop(&m.heads)
	}
}

func (m *merger) read(h *head, p *Packet) bool {
	err := h.file.Next(p)
	if err != nil && err != io.EOF {
		m.errs = append(m.errs, err)
	}
	return err == nil
}

// end returns the result of Next after the last packet.
func (m *merger) end() error {
	if m.reported || len(m.errs) == 0 {
		return io.EOF
	}
	m.reported = true
	return errors.Join(m.errs...)
}

func (m *merger) Close() error {
	var errs []error
	for _, f := range m.files {
		errs = append(errs, f.Close())
	}
	m.heads, m.reported = nil, true
	return errors.Join(errs...)
}

// byTime is a heap ordered by time, then by index.
type byTime []*head

func (h byTime) Len() int { return len(h) }

func (h byTime) Less(i, j int) bool {
	a, b := h[i], h[j]
	if a.packet.Time != b.packet.Time {
		return a.packet.Time < b.packet.Time
	}
	return a.index < b.index
}

func (h byTime) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *byTime) Push(x any) { *h = append(*h, x.(*head)) }

func (h *byTime) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	(*h)[last] = nil // releases the packet's buffer
	*h = (*h)[:last]
	return x
}
