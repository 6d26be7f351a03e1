package capture

import (
	"bufio"
	"io"
	"math"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// zstdWindow is the largest accepted window of a zstd stream. RFC 8878, section 3.1.1.1.2, recommends that every
// decoder support this size.
const zstdWindow = 8 << 20

// idleZstd keeps decoders for later files, since allocating a window takes time.
var idleZstd = sync.Pool{New: func() any {
	z, err := zstd.NewReader(nil,
		zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(zstdWindow))
	if err != nil {
		panic(err) // the options are constant
	}
	return z
}}

// unzstd unpacks all frames of a zstd file, RFC 8878.
func unzstd(to io.Writer, from *bufio.Reader, s *share) error {
	z := idleZstd.Get().(*zstd.Decoder)
	defer func() {
		_ = z.Reset(nil) // releases the reference to the file
		idleZstd.Put(z)
	}()
	if err := z.Reset(&zstdFrames{from: from, share: s}); err != nil {
		return err
	}
	_, err := io.Copy(to, z)
	return err
}

// zstdFrames passes zstd data to the decoder. It reserves memory for the window of each frame before the decoder reads
// the frame. If it finds invalid data, it passes the rest unchecked, and the decoder reports what is wrong.
type zstdFrames struct {
	from     *bufio.Reader
	share    *share
	left     int64 // bytes before the next header of a frame or block
	inside   bool  // inside a frame: another block follows
	checksum bool  // a checksum follows the last block
	window   int   // bytes reserved for the largest window so far
}

func (f *zstdFrames) Read(p []byte) (int, error) {
	for f.left == 0 {
		next := f.frame
		if f.inside {
			next = f.block
		}
		if err := next(); err != nil {
			return 0, err
		}
	}
	n, err := f.from.Read(p[:min(int64(len(p)), f.left)])
	f.left -= int64(n)
	return n, err
}

// frame reads the header of a frame.
func (f *zstdFrames) frame() error {
	start, _ := f.from.Peek(zstd.HeaderMaxSize) // error ignored: the last frame may be shorter
	var h zstd.Header
	if known := h.Decode(start) == nil; !known {
		f.left = math.MaxInt64
		return nil
	}
	f.left = int64(h.HeaderSize) + int64(h.SkippableSize)
	f.inside, f.checksum = !h.Skippable, h.HasCheckSum
	if h.SingleSegment {
		h.WindowSize = h.FrameContentSize
	}
	if h.WindowSize > zstdWindow { // too large; the decoder rejects it
		return nil
	}
	more := int(h.WindowSize) - f.window
	if more <= 0 {
		return nil
	}
	f.window += more
	return f.share.take(more)
}

// block reads the header of a block: RFC 8878, section 3.1.1.2.
func (f *zstdFrames) block() error {
	const header, checksum = 3, 4
	const repeated, reserved = 1, 3 // block types
	b, _ := f.from.Peek(header)
	if len(b) < header || b[0]>>1&3 == reserved {
		f.left = math.MaxInt64
		return nil
	}
	size := int64(b[0])>>3 | int64(b[1])<<5 | int64(b[2])<<13
	if b[0]>>1&3 == repeated {
		size = 1
	}
	f.left = header + size
	if last := b[0]&1 == 1; last {
		f.inside = false
		if f.checksum {
			f.left += checksum
		}
	}
	return nil
}
