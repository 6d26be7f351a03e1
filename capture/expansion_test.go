package capture_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/capture"
)

const (
	freeExpansion = 256 << 20 // bytes that any compressed data may expand to
	maxExpansion  = 250       // additional allowance, as a multiple of the compressed size
)

// frame makes a zstd frame with a window of 512 KiB: RFC 8878, section 3.1.1. A byte slice becomes a raw block. A
// number becomes a run-length block of that many zeros.
func frame(blocks ...any) []byte {
	b := []byte("\x28\xb5\x2f\xfd\x00\x48")
	for i, block := range blocks {
		var head uint32
		content := []byte{0}
		switch block := block.(type) {
		case []byte:
			head, content = uint32(len(block))<<3, block
		case int:
			head = uint32(block)<<3 | 1<<1
		}
		if i == len(blocks)-1 {
			head |= 1
		}
		b = append(b, byte(head), byte(head>>8), byte(head>>16))
		b = append(b, content...)
	}
	return b
}

// skipped returns the start and the end of a pcapng file that contains a block of the given size, which the reader
// skips. The caller adds the content of the block between them.
func skipped(size uint32) (start, end []byte) {
	o := ng{little}
	block := o.block(4)
	o.PutUint32(block[4:], size)
	return join(o.section(), block[:8]), o.AppendUint32(nil, size)
}

const runLength = 128 << 10 // the largest block of zstd

// repeated returns a reader of n copies of b.
func repeated(b []byte, n int) io.Reader {
	readers := make([]io.Reader, n)
	for i := range readers {
		readers[i] = bytes.NewReader(b)
	}
	return io.MultiReader(readers...)
}

// A small file that expands beyond the limit is read up to the limit and, after UnpackAll, to its end.
func TestExpansionIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("decompresses hundreds of megabytes")
	}
	start, _ := skipped(1<<32 - 4)
	runs := []any{start}
	for range 2_200 { // 288 MB
		runs = append(runs, runLength)
	}
	zeros := gz(make([]byte, 1<<20))
	for name, open := range map[string]func() io.Reader{
		"zstd, one frame": func() io.Reader { return bytes.NewReader(frame(runs...)) },
		"zstd, many frames": func() io.Reader {
			return io.MultiReader(bytes.NewReader(frame(start)), repeated(frame(runLength, runLength), 1_100))
		},
		"gzip, many members": func() io.Reader {
			return io.MultiReader(bytes.NewReader(gz(start)), repeated(zeros, 400))
		},
	} {
		packed := &counted{r: open()}
		f, err := capture.NewReader(packed, "bomb")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var p capture.Packet
		err = f.Next(&p)
		if !errors.Is(err, capture.ErrExpands) || !strings.Contains(err.Error(), "250 times") {
			t.Errorf("%s: %v", name, err)
		}
		if again := f.Next(&p); again != err {
			t.Errorf("%s: then %v", name, again)
		}
		f.Close()
		if packed.n > 600<<10 { // gzip expands at most 1,030 times, so this is more than 256 MiB
			t.Errorf("%s: %d bytes were read before the error", name, packed.n)
		}

		if name != "zstd, many frames" {
			continue
		}
		if f, err = capture.NewReader(open(), "bomb"); err != nil {
			t.Fatal(err)
		}
		f.UnpackAll()
		if err := f.Next(&p); !fault(err).Truncated || errors.Is(err, capture.ErrExpands) {
			t.Errorf("%s, all of it: %v", name, err)
		}
		f.Close()
	}
}

// counted counts the bytes that are read through it.
type counted struct {
	r io.Reader
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// A file that compresses as well as the best captures is read to its end, and so is one that expands to less than
// freeExpansion.
func TestExpansionAllowsCaptures(t *testing.T) {
	if testing.Short() {
		t.Skip("decompresses hundreds of megabytes")
	}
	for name, test := range map[string]struct{ runs, random int }{
		"more than 200 times": {2_100, runLength / 230},
		"any, up to 256 MiB":  {freeExpansion/runLength - 1, 0},
	} {
		size := uint32(test.runs*(runLength+test.random) + 12)
		start, end := skipped(size)
		blocks := []any{start}
		for range test.runs {
			blocks = append(blocks, runLength)
			if test.random > 0 {
				blocks = append(blocks, make([]byte, test.random))
			}
		}
		file := frame(append(blocks, end)...)
		if test.random > 0 && (len(file)*maxExpansion < int(size) || len(file)*200 > int(size) || size < freeExpansion) {
			t.Fatalf("%s: %d bytes become %d, which does not test the limit", name, len(file), size)
		}
		f, err := capture.NewReader(bytes.NewReader(file), "capture")
		if err != nil {
			t.Fatal(err)
		}
		var p capture.Packet
		if err := f.Next(&p); err != io.EOF {
			t.Errorf("%s: %v", name, err)
		}
		f.Close()
	}
}
