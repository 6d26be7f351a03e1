package capture

import (
	"errors"
	"io"
	"sync/atomic"
)

// Compressed data may become so many times as large, and so many bytes larger besides. Captures become up to 20 times
// as large, and nothing but zeros in packets of 1500 bytes 170 times; gzip reaches 1,030 times, and zstd 32,000.
const (
	mostExpansion = 250
	freeExpansion = 256 << 20
)

// ErrExpands is wrapped by the error of compressed data that become larger than captures do. See [File.UnpackAll].
var ErrExpands = errors.New("the data expand beyond measure")

// expansion passes on what is unpacked, for as long as it is in proportion to what was read for it.
type expansion struct {
	to        io.Writer
	packed    *counter // may be ahead by what a decompressor reads at a time
	unpacked  int64
	boundless atomic.Bool
}

// Write implements io.Writer.
func (e *expansion) Write(b []byte) (int, error) {
	e.unpacked += int64(len(b))
	if e.unpacked > freeExpansion+mostExpansion*e.packed.n.Load() && !e.boundless.Load() {
		return 0, ErrExpands
	}
	return e.to.Write(b)
}
