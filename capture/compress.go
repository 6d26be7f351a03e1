package capture

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

const gzipMagic = "\x1f\x8b"

// method is a compression method.
type method struct {
	name   string
	unpack func(io.Writer, *bufio.Reader, *share) error
	memory int // approximate memory that the decompressor needs at first, in bytes
}

// compression returns the compression method that a file's first bytes indicate, or nil if the file is not compressed.
func compression(start []byte) *method {
	switch s := string(start); {
	case strings.HasPrefix(s, gzipMagic):
		return &method{"gzip", gunzip, 48 << 10}
	case strings.HasPrefix(s, "\x28\xb5\x2f\xfd"),
		len(s) >= 4 && s[0]&0xf0 == 0x50 && s[1:4] == "\x2a\x4d\x18": // a skippable frame; pzstd writes one first
		return &method{"zstd", unzstd, 512 << 10}
	}
	return nil
}

// unpacking reads decompressed data. expansion limits the size of the data.
type unpacking struct {
	*io.PipeReader
	*expansion
	ended chan struct{} // closed when the decompressor ends
}

// decompress starts a goroutine that decompresses the data from w, one chunk ahead of the reader. The goroutine ends at
// the end of the data or when the reader is closed. packed counts the bytes that w reads, and w.share limits the
// memory.
func decompress(w *lookahead, m *method, packed *counter) (*unpacking, error) {
	size := w.share.buffer / 2
	if err := w.share.take(size + m.memory); err != nil {
		return nil, err
	}
	reader, writer := io.Pipe()
	e := &expansion{to: writer, packed: packed}
	u := &unpacking{reader, e, make(chan struct{})}
	go func() {
		defer close(u.ended)
		err := m.unpack(e, bufio.NewReaderSize(w, size), w.share)
		writer.CloseWithError(m.explain(err, w))
	}()
	return u, nil
}

// explain turns a decompressor's error into an [*Error]. The File adds its name and the offset.
func (m *method) explain(err error, w *lookahead) error {
	own, isOwn := errors.AsType[*Error](err)
	switch {
	case err == nil:
		return nil
	case isOwn:
		return own // the budget has no memory left
	case w.err != nil && w.err != io.EOF:
		return w.err // a read error, which caused the decompressor's error
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &Error{Truncated: true, Reason: "the " + m.name + " data end early; the file is cut", Err: err}
	case errors.Is(err, ErrExpands):
		return &Error{Reason: fmt.Sprintf("the %s data decompress to more than %d times the compressed size plus %d MiB; "+
			"the rest is not read", m.name, maxExpansion, freeExpansion>>20), Err: err}
	case errors.Is(err, errTrailing), errors.Is(err, zstd.ErrMagicMismatch):
		return &Error{Reason: "the " + m.name + " data are followed by something else; all packets before it were read",
			Err: err}
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		return &Error{Reason: "the zstd data need more than 8 MiB of memory; decompress the file first with zstd -d " +
			"--long=31", Err: err}
	default:
		return &Error{Reason: "the " + m.name + " data are damaged (" + err.Error() + ")", Err: err}
	}
}

var errTrailing = errors.New("trailing garbage")

// gunzip unpacks all members of a gzip file, RFC 1952. It reads each member separately, to distinguish a truncated
// member from trailing bytes that are not gzip.
func gunzip(to io.Writer, from *bufio.Reader, _ *share) error {
	var z gzip.Reader
	for {
		if err := z.Reset(from); err == io.EOF { // end of input inside the header
			return io.ErrUnexpectedEOF
		} else if err != nil {
			return err
		}
		z.Multistream(false)
		if _, err := io.Copy(to, &z); err != nil {
			return err
		}
		next, err := from.Peek(len(gzipMagic))
		switch {
		case len(next) == 0 && err == io.EOF:
			return nil
		case !bytes.HasPrefix([]byte(gzipMagic), next):
			return errTrailing
		}
	}
}
