package capture

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// Error describes an error in a file and its location. The packets returned before the error are valid.
type Error struct {
	File      string // as the caller named it; "-" is standard input
	Offset    int64  // start of the faulty record or block, as an offset in the decompressed data
	Packet    int    // number of the last complete packet; 0: none
	Time      int64  // the time of that packet, see Packet.Time
	Truncated bool   // the input ends inside a record, or its compressed data ends early
	Reason    string // what is wrong and, if possible, what to do about it
	Err       error  // the cause, for errors.Is; may be nil

	compressed bool
}

// Error returns one line: file, what is wrong, and where.
func (e *Error) Error() string {
	name := e.File
	if name == "-" {
		name = "standard input"
	}
	if e.Offset == 0 && e.Packet == 0 {
		return name + ": " + e.Reason
	}
	stream, after := "", "before the first packet"
	if e.compressed {
		stream = " of the decompressed data"
	}
	if e.Packet > 0 {
		after = fmt.Sprintf("after packet %d", e.Packet)
	}
	return fmt.Sprintf("%s: %s (at byte %d%s, %s)", name, e.Reason, e.Offset, stream, after)
}

func (e *Error) Unwrap() error { return e.Err }

// badRecord returns the error for a record at an offset. The File adds its name and the packet number.
func badRecord(at int64, format string, args ...any) *Error {
	return &Error{Offset: at, Reason: fmt.Sprintf(format, args...)}
}

// truncatedAt returns the error for an incomplete record: at is its offset, need its size, and have the number of its
// bytes that w has.
func truncatedAt(w *lookahead, at int64, what string, have, need int64) *Error {
	var inner *Error
	switch {
	case errors.As(w.err, &inner): // the decompressor's error
		return &Error{Offset: at, Truncated: inner.Truncated, Reason: inner.Reason, Err: inner.Err}
	case w.err != io.EOF:
		return &Error{Offset: at, Reason: "reading failed: " + cause(w.err), Err: w.err}
	case at == 0: // no complete header: not a capture file
		return badRecord(0, "the file header is not whole: %d of %d bytes are there", have, need)
	}
	e := badRecord(at, "the file ends inside %s: %d of %d bytes are there", what, have, need)
	e.Truncated, e.Err = true, io.ErrUnexpectedEOF
	return e
}

// cause returns the text of err without the operation and the path, since the message already contains them.
func cause(err error) string {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err.Error()
	}
	return err.Error()
}
