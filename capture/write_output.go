package capture

import (
	"io"
	"os"
)

// flushSize is how many bytes are buffered before they are written. The last record may exceed it.
const flushSize = 64 << 10

// output buffers the records of a file in any format, and writes only whole records.
type output struct {
	w       io.Writer // nil: no output open
	buf     []byte    // complete records and the one being appended
	marks   []mark    // ends of the records in buf
	size    int64     // bytes written, without buf
	written int       // packets written, without buf
	packets int       // packets written or in buf
}

// mark is the end of a record in the buffer.
type mark struct {
	end     int // offset in the buffer
	packets int // number of packets in the file up to this mark
}

// begin switches to another output.
func (o *output) begin(w io.Writer) {
	*o = output{w: w, buf: o.buf[:0], marks: o.marks[:0]}
}

func (o *output) endRecord(packets int) {
	o.packets += packets
	o.marks = append(o.marks, mark{len(o.buf), o.packets})
}

// flush writes the buffer. After an error, nothing more may be written.
func (o *output) flush() *Error {
	if len(o.buf) == 0 {
		return nil
	}
	n, err := o.w.Write(o.buf)
	if err == nil && n < len(o.buf) {
		err = io.ErrShortWrite
	}
	if err != nil {
		return o.failed(n, err)
	}
	o.size += int64(n)
	o.written = o.packets
	o.buf, o.marks = o.buf[:0], o.marks[:0]
	return nil
}

// failed returns the error of a write that stored only n bytes. If the last record among them is incomplete, failed
// removes it from the file.
func (o *output) failed(n int, err error) *Error {
	whole := mark{0, o.written}
	for _, m := range o.marks {
		if m.end <= n {
			whole = m
		}
	}
	e := &Error{Offset: o.size + int64(whole.end), Packet: whole.packets, Reason: "writing failed: " + cause(err),
		Err: err}
	if n > whole.end && !o.takeBack(int64(n-whole.end)) {
		e.Reason += "; the file ends with an incomplete record"
	}
	o.size, o.packets = e.Offset, e.Packet
	o.buf, o.marks = o.buf[:0], o.marks[:0]
	return e
}

// takeBack removes the last n bytes of a regular file and reports whether it could. It checks the file's position
// first, since other programs may append to the file.
func (o *output) takeBack(n int64) bool {
	f, ok := o.w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	at, err := f.Seek(0, io.SeekCurrent)
	if err != nil || at != info.Size() || at < n {
		return false
	}
	if f.Truncate(at-n) != nil {
		return false
	}
	_, err = f.Seek(at-n, io.SeekStart)
	return err == nil
}
