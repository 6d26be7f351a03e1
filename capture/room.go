package capture

import (
	"fmt"
	"io/fs"
	"sync"
)

// mostHeld bounds the memory of all files that a merge reads at once: buffers and windows of decompressors. It has
// room for six files of the hungriest kind.
const mostHeld = 56 << 20

// room is the memory that the files of a merge share. A file that is read alone has one for itself.
type room struct {
	buffer int // bytes of each buffer, to begin with
	mu     sync.Mutex
	taken  int // bytes
}

// newRoom makes buffers smaller where there are more files: all might be read at once.
func newRoom(files int) *room {
	return &room{buffer: min(max(mostHeld/4/max(files, 1), 8<<10), lookaheadSize)}
}

// take reports whether there is room for n more bytes.
func (r *room) take(n int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.taken+n > mostHeld {
		return false
	}
	r.taken += n
	return true
}

func (r *room) give(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.taken -= n
}

// share is what one file takes of a room, from when it is opened until it is closed. The goroutine of its decompressor
// takes as well.
type share struct {
	buffer int // see room
	mu     sync.Mutex
	of     *room
	taken  int  // bytes
	left   bool // nothing is taken any more
}

func newShare(r *room) *share { return &share{of: r, buffer: r.buffer} }

// take is an error where so many more bytes find no room.
func (s *share) take(n int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.left:
		return fs.ErrClosed
	case !s.of.take(n):
		return &Error{Reason: fmt.Sprintf("there is no room for it: the files whose packets are of the same time need "+
			"more than %d MiB of memory together; decompress them, or join some with mergecap, first", mostHeld>>20)}
	}
	s.taken += n
	return nil
}

// move takes the same of another room.
func (s *share) move(r *room) error {
	s.mu.Lock()
	n := s.taken
	s.of.give(n)
	s.of, s.taken = r, 0
	s.mu.Unlock()
	return s.take(n)
}

// leave gives back what was taken.
func (s *share) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.of.give(s.taken)
	s.taken, s.left = 0, true
}
