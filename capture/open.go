package capture

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"sync/atomic"
)

// File reads one capture file. It must be used by one goroutine, except for Offset.
type File struct {
	name, format string
	in           counter
	size         int64
	info         fs.FileInfo // identity of a file that can be opened again; nil for other inputs
	budget       *budget
	share        *share // the open file's share of the budget; nil: closed, opened again by next
	boundless    bool   // see UnpackAll
	records      interface{ next(*Packet) error }
	number       int        // number of the last packet
	time         int64      // time of the last packet
	err          error      // reason why there are no more packets
	unpacked     *unpacking // nil: the file is not compressed
	closer       io.Closer  // nil if the caller owns the input
}

// Open opens a capture file; "-" is standard input. It reads the file's header. All errors are of type [*Error]. It
// closes a regular file after the header, and Next opens it again.
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
	f := &File{name: name, budget: newBudget(1)}
	if err := f.open(); err != nil {
		return nil, err
	}
	f.rewind()
	return f, nil
}

// open opens the file, or opens it again, and reads its header.
func (f *File) open() error {
	file, err := os.Open(f.name)
	if err != nil {
		return &Error{File: f.name, Reason: "cannot be opened: " + cause(err), Err: err}
	}
	f.closer = file
	if err = f.identify(file); err == nil {
		err = f.start(file)
	}
	if err != nil {
		_ = f.release() // harmless: the file was only read
	}
	return err
}

// identify rejects directories, and a file that is not the one opened before.
func (f *File) identify(file *os.File) error {
	info, err := file.Stat()
	switch {
	case err != nil:
		return &Error{File: f.name, Reason: "cannot be opened: " + cause(err), Err: err}
	case info.IsDir():
		return &Error{File: f.name, Reason: "is a directory; name the capture files in it", Err: fs.ErrInvalid}
	case f.info != nil && !os.SameFile(f.info, info):
		return &Error{File: f.name, Reason: "was replaced by another file before its packets were due"}
	case info.Mode().IsRegular():
		f.info, f.size = info, info.Size()
	}
	return nil
}

// rewind closes a file that can be opened again. Next then returns its first packet again.
func (f *File) rewind() bool {
	if f.info == nil || f.err != nil {
		return false
	}
	_ = f.release() // harmless: the file was only read
	f.number, f.time = 0, 0
	f.in.n.Store(0)
	return true
}

// NewReader reads the header of a capture file from r. Packets and errors carry the name; errors are of type [*Error].
// Close does not close r. If the data is compressed, a goroutine reads r until its end or until Close. A call of
// r.Read that is in progress may return after Close.
func NewReader(r io.Reader, name string) (*File, error) {
	f := &File{name: name, budget: newBudget(1)}
	if err := f.start(r); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// start reads the file's header.
func (f *File) start(r io.Reader) error {
	f.in.r = r
	f.in.closed.Store(false)
	f.share = newShare(f.budget)
	w, err := newLookahead(&f.in, f.share)
	if err != nil {
		return f.blame(err)
	}
	inside := ""
	if method := compression(w.peek(sniffed)); method != nil {
		if f.unpacked, err = decompress(w, method, &f.in); err != nil {
			return f.blame(err)
		}
		f.unpacked.boundless.Store(f.boundless)
		if w, err = newLookahead(f.unpacked, f.share); err != nil {
			return f.blame(err)
		}
		inside = " in " + method.name
	}
	format, err := f.recognise(w)
	if err != nil {
		return f.blame(err)
	}
	f.format = format + inside
	return nil
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

// Name returns the name by which the file was opened.
func (f *File) Name() string { return f.name }

// Format returns how packets are stored: "pcap", "pcapng", "pcap in gzip" and so on.
func (f *File) Format() string { return f.format }

// Offset returns how many bytes of the input have been read. It counts compressed bytes.
func (f *File) Offset() int64 { return f.in.n.Load() }

// Size returns the size of the input in bytes, or 0 if unknown. For compressed data it is the compressed size.
func (f *File) Size() int64 { return f.size }

// UnpackAll lifts the limit on compressed data. Without it, reading ends with [ErrExpands] when the data expands to
// more than 250 times its size plus 256 MiB, so a small file cannot keep the program busy for hours. Call UnpackAll
// before Next.
func (f *File) UnpackAll() {
	f.boundless = true
	if f.unpacked != nil {
		f.unpacked.boundless.Store(true)
	}
}

// Next reads the next packet. It returns io.EOF at the end of an intact file, and an [*Error] if the file is truncated
// or invalid. Later calls return the same error.
func (f *File) Next(p *Packet) error {
	if f.err != nil {
		return f.err
	}
	if err := f.next(p); err != nil {
		f.err = err
		_ = f.release() // harmless: the file was only read
		return err
	}
	f.number++
	f.time = p.Time
	p.Number = f.number
	p.File = f.name
	if f.unpacked != nil {
		p.Offset = 0
	}
	return nil
}

func (f *File) next(p *Packet) error {
	if f.share == nil {
		if err := f.open(); err != nil {
			return err
		}
	}
	return f.blame(f.records.next(p))
}

// Close ends reading. The last packet that Next returned stays valid.
func (f *File) Close() error {
	f.err = &Error{File: f.name, Reason: "is closed", Err: fs.ErrClosed}
	return f.release()
}

// enter moves the file's memory to the budget of a merge.
func (f *File) enter(b *budget) error {
	f.budget = b
	if f.share == nil {
		return nil
	}
	return f.blame(f.share.move(b))
}

// release frees everything that reading needs. Before it closes a file, it waits for the decompressor to end. It does
// not wait if the input is a pipe, because a read from it may block.
func (f *File) release() error {
	if f.unpacked != nil {
		f.in.closed.Store(true) // stops a decompressor that reads without producing output
		_ = f.unpacked.Close()  // never fails
		if f.info != nil {
			<-f.unpacked.ended
		}
	}
	if f.share != nil {
		f.share.close()
	}
	f.records, f.unpacked, f.share = nil, nil, nil
	if f.closer == nil {
		return nil
	}
	err := f.closer.Close()
	f.closer = nil
	return err
}

func (f *File) blame(err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		e.File, e.Packet, e.Time, e.compressed = f.name, f.number, f.time, f.unpacked != nil
	}
	return err
}

// counter counts the bytes that pass through it, until it is closed.
type counter struct {
	r      io.Reader
	n      atomic.Int64
	closed atomic.Bool
}

func (c *counter) Read(p []byte) (int, error) {
	if c.closed.Load() {
		return 0, fs.ErrClosed
	}
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}
