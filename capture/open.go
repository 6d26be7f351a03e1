package capture

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"sync/atomic"
)

// File reads one capture file. It is for one goroutine; only Offset may be
// asked from another.
type File struct {
	name, format string
	in           *counter
	size         int64
	records      interface{ next(*Packet) error }
	number       int        // of the last packet
	time         int64      // of the same
	err          error      // why there are no more
	unpacked     *unpacking // nil: the file is not compressed
	closer       io.Closer  // nil when the input is not ours to close
}

// Open opens a capture file; "-" is standard input. It reads as far as the
// file's header. All errors are of type [*Error].
func Open(name string) (*File, error) {
	if name == "-" {
		f, err := NewReader(os.Stdin, name)
		if err == nil {
			if info, err := os.Stdin.Stat(); err == nil && info.Mode().IsRegular() {
				f.size = info.Size()
			}
		}
		return f, err
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, &Error{File: name, Reason: "cannot be opened: " + cause(err), Err: err}
	}
	f, err := openFile(file, name)
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return f, nil
}

func openFile(file *os.File, name string) (*File, error) {
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, &Error{File: name, Reason: "cannot be opened: " + cause(err), Err: err}
	case info.IsDir():
		return nil, &Error{File: name, Reason: "is a directory; name the capture files in it", Err: fs.ErrInvalid}
	}
	f, err := NewReader(file, name)
	if err != nil {
		return nil, err
	}
	f.closer = file
	if info.Mode().IsRegular() {
		f.size = info.Size()
	}
	return f, nil
}

// NewReader reads a capture file from r as far as its header. The name is for
// packets and errors, which are of type [*Error]. Close leaves r open. Where the
// data are compressed, a goroutine reads r until its end, or until Close; a
// call of r.Read that is under way then still returns to it.
func NewReader(r io.Reader, name string) (*File, error) {
	f := &File{name: name, in: &counter{r: r}}
	w := newLookahead(f.in)
	inside := ""
	if method := compression(w.peek(sniffed)); method != nil {
		f.unpacked = decompress(w, method, f.in)
		w = newLookahead(f.unpacked)
		inside = " in " + method.name
	}
	format, err := f.recognise(w)
	if err != nil {
		err = f.blame(err)
		_ = f.Close()
		return nil, err
	}
	f.format = format + inside
	return f, nil
}

func (f *File) recognise(w *lookahead) (format string, err error) {
	switch start := w.peek(sniffed); {
	case isPcap(start):
		f.records, err = newPcap(w)
		return "pcap", err
	case isPcapng(start):
		f.records, err = newPcapng(w)
		return "pcapng", err
	case len(start) < sniffed && w.err != io.EOF:
		return "", truncatedAt(w, 0, "the file header", int64(len(start)), sniffed)
	default:
		return "", badRecord(0, "%s", describeForeign(start))
	}
}

// Name gives the name the file was opened by.
func (f *File) Name() string { return f.name }

// Format tells how packets are stored: "pcap", "pcapng", "pcap in gzip" and so on.
func (f *File) Format() string { return f.format }

// Offset tells how many bytes of the input have been read, before decompression.
func (f *File) Offset() int64 { return f.in.n.Load() }

// Size gives the bytes of the input, before decompression; 0 when it is not known.
func (f *File) Size() int64 { return f.size }

// UnpackAll has compressed data read to their end, however large they become. Otherwise reading ends with [ErrExpands]
// when they become more than 250 times as large, and 256 MiB larger: so that a small file cannot keep the program busy
// for hours. It is to be called before Next.
func (f *File) UnpackAll() {
	if f.unpacked != nil {
		f.unpacked.boundless.Store(true)
	}
}

// Next reads the next packet. It returns io.EOF where an intact file ends and an
// [*Error] where the file is cut or wrong, and the same again when called again.
func (f *File) Next(p *Packet) error {
	if f.err != nil {
		return f.err
	}
	if err := f.records.next(p); err != nil {
		f.err = f.blame(err)
		return f.err
	}
	f.number++
	f.time = p.Time
	p.Number = f.number
	p.File = f.name
	return nil
}

// Close ends reading. Packets given before stay as they are.
func (f *File) Close() error {
	f.err = &Error{File: f.name, Reason: "is closed", Err: fs.ErrClosed}
	if f.unpacked != nil {
		_ = f.unpacked.Close() // it only lets go of memory
	}
	if f.closer == nil {
		return nil
	}
	err := f.closer.Close()
	f.closer = nil
	return err
}

// blame adds to an error what only the file knows.
func (f *File) blame(err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		e.File, e.Packet, e.Time, e.compressed = f.name, f.number, f.time, f.unpacked != nil
	}
	return err
}

// counter counts the bytes that pass.
type counter struct {
	r io.Reader
	n atomic.Int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}
