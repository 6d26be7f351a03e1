package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

func packGzip(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil }

// The window is that of the zstd program if it is told nothing.
func packZstd(w io.Writer) (io.WriteCloser, error) {
	return zstd.NewWriter(w, zstd.WithWindowSize(2<<20))
}

// packed reports whether a file is compressed, by its name.
func packed(name string) bool {
	return strings.HasSuffix(name, ".gz") || strings.HasSuffix(name, ".zst")
}

// unpack decompresses a file and does nothing with what is in it. It is the yardstick for files that
// are compressed.
func unpack(name string, out io.Writer) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // only read: nothing can be lost
	from := bufio.NewReaderSize(f, 64<<10)
	var data io.Reader
	if strings.HasSuffix(name, ".gz") {
		if data, err = gzip.NewReader(from); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	} else {
		z, err := zstd.NewReader(from, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		defer z.Close()
		data = z
	}
	n, err := io.Copy(io.Discard, data)
	if err != nil {
		return fmt.Errorf("%s: after %d bytes: %w", name, n, err)
	}
	_, err = fmt.Fprintln(out, thousands(n), "bytes")
	return err
}
