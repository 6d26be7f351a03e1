package main

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// output collects text and writes it in large pieces. On a terminal no line is wider than the
// window.
type output struct {
	buf   []byte
	w     io.Writer
	width int  // columns; 0: lines are not cut
	eager bool // write after every packet
	err   error

	cut []byte
}

const flushAt = 64 << 10

func newOutput(w io.Writer, width int) *output {
	return &output{w: w, width: width, buf: make([]byte, 0, 2*flushAt)}
}

// packet is called when a packet has been dealt with.
func (o *output) packet() {
	if len(o.buf) >= flushAt || o.eager && len(o.buf) > 0 {
		_ = o.flush() // kept in err
	}
}

// pass is for those who write much at a time, line by line or where no line is cut: it takes what was appended to the
// buffer so far, writes it if it is much, and gives the buffer to go on with.
func (o *output) pass(b []byte) []byte {
	if len(b) < flushAt {
		return b
	}
	o.buf = b
	_ = o.flush() // kept in err
	return o.buf
}

// flush writes what is there. The first error stays.
func (o *output) flush() error {
	if o.err == nil && len(o.buf) > 0 {
		text := o.buf
		if o.width > 0 {
			o.cut = cutLines(o.cut[:0], o.buf, o.width)
			text = o.cut
		}
		if _, err := o.w.Write(text); err != nil {
			o.err = fmt.Errorf("standard output: %w", err)
		}
	}
	o.buf = o.buf[:0]
	return o.err
}

// cutMark stands at the end of a line that was cut.
const cutMark = "…"

// cutLines appends the text with each line at most width columns wide. Colours are kept.
func cutLines(dst, text []byte, width int) []byte {
	for len(text) > 0 {
		line := text
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			line = text[:i+1]
		}
		text = text[len(line):]
		dst = cutLine(dst, line, width)
	}
	return dst
}

func cutLine(dst, line []byte, width int) []byte {
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
			dst = append(dst[:start+fits], cutMark...)
			break
		}
		dst = append(dst, line[i:i+n]...)
		i += n
	}
	if colour {
		dst = append(dst, colours.Reset...)
	}
	if line[len(line)-1] == '\n' {
		dst = append(dst, '\n')
	}
	return dst
}
