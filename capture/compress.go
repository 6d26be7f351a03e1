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

// zstdWindow is the most memory that a zstd stream may ask for. RFC 8878,
// section 3.1.1.1.2, wants every decoder to support as much.
const zstdWindow = 8 << 20

const gzipMagic = "\x1f\x8b"

// method is a way to compress a file.
type method struct {
	name   string
	unpack func(io.Writer, *bufio.Reader) error
}

// compression tells how a file that starts so is compressed; nil: it is not.
func compression(start []byte) *method {
	switch s := string(start); {
	case strings.HasPrefix(s, gzipMagic):
		return &method{"gzip", gunzip}
	case strings.HasPrefix(s, "\x28\xb5\x2f\xfd"),
		len(s) >= 4 && s[0]&0xf0 == 0x50 && s[1:4] == "\x2a\x4d\x18": // a skippable frame, as pzstd puts first
		return &method{"zstd", unzstd}
	}
	return nil
}

// unpacking gives what compressed data become. Its expansion bounds how much that is.
type unpacking struct {
	*io.PipeReader
	*expansion
}

// decompress unpacks in a goroutine of its own, ahead of the reader by one
// chunk of the decompressor. It ends with the data or when the reader is closed.
// What w shows was counted by packed.
func decompress(w *lookahead, m *method, packed *counter) *unpacking {
	reader, writer := io.Pipe()
	e := &expansion{to: writer, packed: packed}
	go func() {
		err := m.unpack(e, bufio.NewReaderSize(w, 64<<10))
		writer.CloseWithError(m.explain(err, w))
	}()
	return &unpacking{reader, e}
}

// explain turns the error of a decompressor into one for people. The File adds the place.
func (m *method) explain(err error, w *lookahead) error {
	switch {
	case err == nil:
		return nil
	case w.err != nil && w.err != io.EOF:
		return w.err // reading failed; what the decompressor made of it does not matter
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &Error{Truncated: true, Reason: "the " + m.name + " data end early; the file is cut", Err: err}
	case errors.Is(err, ErrExpands):
		return &Error{Reason: fmt.Sprintf("the %s data become more than %d times as large, and %d MiB larger; the rest "+
			"is not read", m.name, mostExpansion, freeExpansion>>20), Err: err}
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

// gunzip unpacks all members of a gzip file, RFC 1952. Going from one to the
// next by hand tells a cut member from bytes that are none.
func gunzip(to io.Writer, from *bufio.Reader) error {
	var z gzip.Reader
	for {
		if err := z.Reset(from); err == io.EOF { // in the header
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

// unzstd unpacks all frames of a zstd file, RFC 8878.
func unzstd(to io.Writer, from *bufio.Reader) error {
	z, err := zstd.NewReader(from,
		zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(zstdWindow))
	if err != nil {
		return err
	}
	defer z.Close()
	_, err = io.Copy(to, z)
	return err
}
