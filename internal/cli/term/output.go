package term

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// Output collects text and writes it in large pieces. It cuts lines to the width of a terminal.
type Output struct {
	Buf   []byte
	W     io.Writer
	Width int   // width of a line in columns; 0: lines are not cut
	Eager bool  // flush after every packet
	Err   error // first error of W; nothing is written after it

	cut []byte
}

// FlushAt is how many bytes an Output collects before it writes them.
const FlushAt = 64 << 10

// NewOutput returns an Output that writes to w and cuts lines to width columns. With width 0 it cuts none.
func NewOutput(w io.Writer, width int) *Output {
	return &Output{W: w, Width: width, Buf: make([]byte, 0, 2*FlushAt)}
}

// Packet must be called after the text of each packet was appended to Buf.
func (o *Output) Packet() {
	if len(o.Buf) >= FlushAt || o.Eager && len(o.Buf) > 0 {
		_ = o.Flush() // error kept in Err
	}
}

// Pass takes b, which is Buf with the text that the caller has appended. If b is full, Pass writes it. It returns the
// buffer to append to next. If lines are cut, b must end with a complete line.
func (o *Output) Pass(b []byte) []byte {
	if len(b) < FlushAt {
		return b
	}
	o.Buf = b
	_ = o.Flush() // error kept in Err
	return o.Buf
}

// Flush writes Buf and empties it. It returns Err.
func (o *Output) Flush() error {
	if o.Err == nil && len(o.Buf) > 0 {
		text := o.Buf
		if o.Width > 0 {
			o.cut = cutLines(o.cut[:0], o.Buf, o.Width)
			text = o.cut
		}
		if _, err := o.W.Write(text); err != nil {
			o.Err = fmt.Errorf("standard output: %w", err)
		}
	}
	o.Buf = o.Buf[:0]
	return o.Err
}

// CutMark marks the end of a line that was cut.
const CutMark = "…"

// cutLines appends a text and cuts each line to width columns.
func cutLines(dst, text []byte, width int) []byte {
	for len(text) > 0 {
		line := text
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			line = text[:i+1]
		}
		text = text[len(line):]
		dst = CutLine(dst, line, width)
	}
	return dst
}

// CutLine appends a line, cut to width columns. It keeps colours, and a newline at the end.
func CutLine(dst, line []byte, width int) []byte {
	if len(line) <= width {
		return append(dst, line...)
	}
	columns, fits := 0, -1 // fits is where CutMark goes if the line is too wide
	start, colour := len(dst), false
	for i := 0; i < len(line); {
		if line[i] == '\x1b' {
			end := i + 1 + max(bytes.IndexByte(line[i:], 'm'), 0) // an m ends the sequence
			dst = append(dst, line[i:end]...)
			i, colour = end, true
			continue
		}
		r, n := utf8.DecodeRune(line[i:])
		if r == '\n' {
			return append(dst, '\n')
		}
		columns += runewidth.RuneWidth(r)
		if columns > width-1 && fits < 0 {
			fits = len(dst) - start
		}
		if columns > width {
			dst = append(dst[:start+fits], CutMark...)
			break
		}
		dst = append(dst, line[i:i+n]...)
		i += n
	}
	if colour {
		dst = append(dst, Colours.Reset...)
	}
	if line[len(line)-1] == '\n' {
		dst = append(dst, '\n')
	}
	return dst
}
