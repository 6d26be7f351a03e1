package view

import (
	"fmt"
	"io"
)

// window shows the bytes of a file, a piece at a time.
type window struct {
	r    io.ReaderAt
	size int64
	buf  []byte
	base int64
}

// windowSize is how much is read at once: what is looked at usually stands close together.
const windowSize = 64 << 10

// get gives the bytes at an offset; they are valid until the next call.
func (w *window) get(at int64, size int) ([]byte, error) {
	if at < 0 || int64(size) > w.size-at {
		return nil, io.ErrUnexpectedEOF
	}
	if at < w.base || at+int64(size) > w.base+int64(len(w.buf)) {
		n := int(min(max(windowSize, int64(size)), w.size-at))
		if cap(w.buf) < n {
			w.buf = make([]byte, max(n, windowSize))
		}
		got, err := w.r.ReadAt(w.buf[:n], at)
		w.base, w.buf = at, w.buf[:got]
		if got < size {
			return nil, fmt.Errorf("the file cannot be read any more: %w", err)
		}
	}
	from := int(at - w.base)
	return w.buf[from : from+size : from+size], nil
}
