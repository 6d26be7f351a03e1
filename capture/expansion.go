package capture

import (
	"errors"
	"io"
	"sync/atomic"
)

// Compressed data may expand to maxExpansion times its size plus freeExpansion bytes. Captures usually expand by a
// factor of at most 20, and packets of 1500 zeros by 170. gzip can expand by up to 1,030, and zstd by up to 32,000.
const (
	maxExpansion  = 250
	freeExpansion = 256 << 20
)

// ErrExpands is wrapped by the error for compressed data that expands much more than captures do. See [File.UnpackAll].
var ErrExpands = errors.New("the data expand too much")

// expansion passes decompressed data on until its size exceeds the limit for the compressed data read so far.
type expansion struct {
	to        io.Writer
	packed    *counter // compressed bytes read, including those in the decompressor's buffer
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
