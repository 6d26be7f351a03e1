package capture

import (
	"errors"
	"io"
	"sync/atomic"
)

// Compressed data may expand to maxExpansion times their size plus freeExpansion bytes. Captures expand up to 20 times
// and packets of 1500 zeros 170 times; gzip reaches 1,030 times, zstd 32,000.
const (
	maxExpansion  = 250
	freeExpansion = 256 << 20
)

// ErrExpands is wrapped by the error of compressed data that expand more than captures do. See [File.UnpackAll].
var ErrExpands = errors.New("the data expand beyond measure")

// expansion passes unpacked data on until they exceed the limit for the packed data read so far.
type expansion struct {
	to        io.Writer
	packed    *counter // bytes read; may be ahead by a decompressor's buffer
	unpacked  int64
	boundless atomic.Bool
}

func (e *expansion) Write(b []byte) (int, error) {
	e.unpacked += int64(len(b))
	if e.unpacked > freeExpansion+maxExpansion*e.packed.n.Load() && !e.boundless.Load() {
		return 0, ErrExpands
	}
	return e.to.Write(b)
}
