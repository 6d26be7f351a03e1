package term

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
) // Output collects text and writes it in large pieces. On a terminal no line is wider than the
// window.
type Output struct {
	Buf   []byte
	W     io.Writer
	Width int  // columns; 0: lines are not cut
	Eager bool // write after every packet
	Err   error

	cut []byte
}

const FlushAt = 64 << 10

func NewOutput(w io.Writer, width int) *Output {
	return &Output{W: w, Width: width, Buf: make([]byte, 0, 2*FlushAt)}
}

// Packet is called when a packet has been dealt with.
func (o *Output) Packet() {
	if len(o.Buf) >= FlushAt || o.Eager && len(o.Buf) > 0 {
		_ = o.Flush() // kept in err
	}
}

// Pass is for those who write much at a time, line by line or where no line is cut: it takes what was appended to the
// buffer so far, writes it if it is much, and gives the buffer to go on with.
func (o *Output) Pass(b []byte) []byte {
	if len(b) < FlushAt {
		return b
	}
	o.Buf = b
	_ = o.Flush() // kept in err
	return o.Buf
}

// Flush writes what is there. The first error stays.
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

// CutMark stands at the end of a line that was cut.
const CutMark = "…"

// cutLines appends the text with each line at most width columns wide. Colours are kept.
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

func CutLine(dst, line []byte, width int) []byte {
	if len(line) <= width {
		return append(dst, line...)
	}
	columns, fits := 0, -1 // fits: where the mark goes if the line turns out too wide
	start, colour := len(dst), false
	for i := 0; i < len(line); {
		if line[i] == '\x1b' {
			end := i + 1 + max(bytes.IndexByte(line[i:], 'm'), 0) // colours have an m
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

// AlignRight moves what begins at start to the right end of a column.
func AlignRight(b []byte, start, width int) []byte {
	n := len(b) - start
	if n < width {
		b = AppendBlanks(b, width-n)
		copy(b[start+width-n:], b[start:start+n])
		for i := range width - n {
			b[start+i] = ' '
		}
	}
	return b
}

func TrimRight(b []byte) []byte {
	for len(b) > 0 && b[len(b)-1] == ' ' {
		b = b[:len(b)-1]
	}
	return b
}
