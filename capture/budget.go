package capture

import (
	"fmt"
	"io/fs"
	"sync"
)

// maxMemory limits the total memory for buffers and decompression windows of all files that a merge reads. It is enough
// for six files of the most expensive kind.
const maxMemory = 56 << 20

// budget is the memory that the files of a merge share. A file that is read by itself has its own budget.
type budget struct {
	buffer int // initial size of each buffer
	mu     sync.Mutex
	taken  int // bytes in use
}

// newBudget makes a budget for the given number of files. If there are many files, their buffers are smaller, because
// all files may be read at once.
func newBudget(files int) *budget {
	return &budget{buffer: min(max(maxMemory/4/max(files, 1), 8<<10), lookaheadSize)}
}

func (b *budget) take(n int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.taken+n > maxMemory {
		return false
	}
	b.taken += n
	return true
}

func (b *budget) release(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.taken -= n
}

// share is the part of a budget that one open file uses. The reader and the decompressor's goroutine may use it at the
// same time.
type share struct {
	buffer int // see budget
	mu     sync.Mutex
	of     *budget
	taken  int // bytes in use
	closed bool
}

func newShare(b *budget) *share { return &share{of: b, buffer: b.buffer} }

func (s *share) take(n int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return fs.ErrClosed
	case !s.of.take(n):
		return &Error{Reason: fmt.Sprintf("there is not enough memory for it: the files that overlap in time need "+
			"more than %d MiB together; decompress them, or join some with mergecap, first", maxMemory>>20)}
	}
	s.taken += n
	return nil
}

// move returns the memory to its budget and takes the same amount from budget b.
func (s *share) move(b *budget) error {
	s.mu.Lock()
	n := s.taken
	s.of.release(n)
	s.of, s.taken = b, 0
	s.mu.Unlock()
	return s.take(n)
}

func (s *share) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.of.release(s.taken)
	s.taken, s.closed = 0, true
}
