package capture

import "io"

// lookaheadSize is the initial size of a buffer. A buffer of this size holds many records and fits the processor's
// cache. A larger record makes the buffer grow, to at most twice the largest block. If many files are read at once,
// their buffers are smaller at first.
const lookaheadSize = 128 << 10

// lookahead reads an input piece by piece. Its slices point into one buffer, so a packet costs no allocation.
type lookahead struct {
	r          io.Reader
	buf        []byte
	start, end int   // bounds in buf of the bytes not yet consumed
	base       int64 // offset of buf[0] in the input
	err        error // why r returns no more bytes; io.EOF at the end
	share      *share
}

// newLookahead returns a lookahead whose buffer counts against s.
func newLookahead(r io.Reader, s *share) (*lookahead, error) {
	if err := s.take(s.buffer); err != nil {
		return nil, err
	}
	return &lookahead{r: r, buf: make([]byte, s.buffer), share: s}, nil
}

// offset returns the offset in the input of the next byte that peek returns.
func (w *lookahead) offset() int64 { return w.base + int64(w.start) }

// peek returns the next n bytes without consuming them. If the input ends, it returns fewer, and w.err has the reason.
// The slice is valid until the next call of peek, skip or Read.
func (w *lookahead) peek(n int) []byte {
	if w.end-w.start < n {
		w.fill(n)
	}
	end := min(w.start+n, w.end)
	return w.buf[w.start:end:end]
}

// advance consumes n bytes that peek has returned. Slices stay valid.
func (w *lookahead) advance(n int) { w.start += n }

// skip consumes n bytes without returning them. It returns how many it skipped.
func (w *lookahead) skip(n int64) int64 {
	left := n
	for left > 0 {
		if w.start == w.end && !w.fill(1) {
			break
		}
		k := min(left, int64(w.end-w.start))
		w.start += int(k)
		left -= k
	}
	return n - left
}

// fill reads until n bytes are buffered or the input ends. It reports whether any bytes are buffered. If more bytes are
// available, it may buffer them too, but it waits only for n. The buffer grows only when it is full, so a large claimed
// length costs no memory by itself.
func (w *lookahead) fill(n int) bool {
	copy(w.buf, w.buf[w.start:w.end])
	w.base += int64(w.start)
	w.start, w.end = 0, w.end-w.start
	for idle := 0; w.end < n && w.err == nil; {
		if w.end == len(w.buf) {
			if w.err = w.share.take(len(w.buf)); w.err != nil {
				break
			}
			w.buf = append(w.buf, make([]byte, len(w.buf))...)
		}
		k, err := w.r.Read(w.buf[w.end:])
		w.end, w.err = w.end+k, err
		if k > 0 {
			idle = 0
		} else if idle++; idle == 100 && err == nil {
			w.err = io.ErrNoProgress
		}
	}
	return w.end > 0
}

// Read implements io.Reader for a decompressor.
func (w *lookahead) Read(p []byte) (int, error) {
	if w.start == w.end && !w.fill(1) {
		return 0, w.err
	}
	n := copy(p, w.buf[w.start:w.end])
	w.start += n
	return n, nil
}
