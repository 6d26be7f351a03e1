package wire_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

func TestTextLEBLengths(t *testing.T) {
	long := strings.Repeat("x", 20000)
	for _, c := range []struct {
		name, data string
		size       int // size of the text, or -1 for an error
		exact      bool
		text       string // expected text of the error
	}{
		{"two bytes for none", "\x80\x00", 0, false, ""},
		{"five bytes for three", "\x83\x80\x80\x80\x00abc", 3, false, ""},
		{"three bytes needed", "\xa0\x9c\x01" + long, 20000, true, ""},
		{"nothing", "", -1, false, "f at offset 0 needs 1 byte, 0 left"},
		{"unfinished", "\x80", -1, false, "f at offset 0 needs 2 bytes, 1 left"},
		{"unfinished after four", "\xff\xff\xff\xff", -1, false, "f at offset 0 needs 5 bytes, 4 left"},
		{"six bytes", "\x83\x80\x80\x80\x80\x00abc", -1, false, "f at offset 0 needs 10 bytes, 9 left"},
		{"too long for the message", "\x04abc", -1, false, "f at offset 0 needs 5 bytes, 4 left"},
		{"2 GiB", "\xff\xff\xff\xff\x07abc", -1, false, "f at offset 0 needs 2147483647 bytes, 8 left"},
		{"32 GiB", "\xff\xff\xff\xff\x7fabc", -1, false, "f at offset 0 needs 2147483647 bytes, 8 left"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var v []byte
			l, err := read(t, []byte(c.data), func(c *wire.Cursor) { wire.TextLEB(c, "f", &v) })
			l.annotate(t)
			if l.Exact() != c.exact {
				t.Errorf("exact: %t", l.Exact())
			}
			if c.size < 0 {
				checkError(t, err, "f", c.text)
				if v != nil {
					t.Errorf("value %q", v)
				}
				return
			}
			if err != nil || string(v) != c.data[len(c.data)-c.size:] {
				t.Fatalf("%d bytes, %v", len(v), err)
			}
			out, err := l.write(t, false)
			if err != nil || bytes.Equal(out, []byte(c.data)) != c.exact {
				t.Errorf("written as % x, %v", out, err)
			}
		})
	}
}

// If a text's size exceeds the message, FieldError.Text is true. If the message ends before the end of the size itself,
// Text is false.
func TestTextErrors(t *testing.T) {
	var v []byte
	fields := map[string]func(*wire.Cursor){
		"Text":    func(c *wire.Cursor) { wire.Text(c, "f", &v, 4) },
		"Text8":   func(c *wire.Cursor) { wire.Text8(c, "f", &v) },
		"TextLEB": func(c *wire.Cursor) { wire.TextLEB(c, "f", &v) },
		"TextZ":   func(c *wire.Cursor) { wire.TextZ(c, "f", &v) },
	}
	for _, c := range []struct {
		field, data string
		need        int
		text        bool
	}{
		{"Text", "", 4, false},
		{"Text", "abc", 4, false},
		{"Text8", "", 1, false},
		{"Text8", "\x04abc", 5, true},
		{"Text8", "\xff", 256, true},
		{"TextLEB", "", 1, false},
		{"TextLEB", "\xff\xff", 3, false},
		{"TextLEB", "\x04abc", 5, true},
		{"TextLEB", "\xff\xff\xff\xff\xff", 6, true},
		{"TextZ", "", 1, true},
		{"TextZ", "abc", 4, true},
	} {
		_, err := read(t, []byte(c.data), fields[c.field])
		if err == nil || err.Need != c.need || err.Have != len(c.data) || err.Text != c.text {
			t.Errorf("%s of %q: %+v", c.field, c.data, err)
		}
	}
}

func TestTextIsPaddedWhenWritten(t *testing.T) {
	short := []byte("ab")
	out, err := write(t, false, func(c *wire.Cursor) { wire.Text(c, "f", &short, 5) })
	if err != nil || string(out) != "ab\x00\x00\x00" {
		t.Errorf("%q, %v", out, err)
	}
}

// A size that a protocol computes from message bytes may be negative.
func TestNegativeSize(t *testing.T) {
	var v []byte
	_, err := read(t, []byte("abc"), func(c *wire.Cursor) { wire.Text(c, "f", &v, -1) })
	checkError(t, err, "f", "f at offset 0 needs -1 bytes, 3 left")
	l := readWhole(t, []byte("abc"), func(c *wire.Cursor) { wire.TextUpTo(c, "f", &v, -1) })
	checkNames(t, l.annotate(t), "undecoded")
}

func TestTextUpTo(t *testing.T) {
	for _, c := range []struct {
		data, text, rest string
		nodes            []string
	}{
		{"", "", "", []string{}},
		{"a", "a", "", []string{"f"}},
		{"ab\x00c", "ab\x00c", "", []string{"f"}},
		{"abcdef", "abcd", "ef", []string{"f", "trailing"}},
	} {
		var v, rest []byte
		l := readWhole(t, []byte(c.data), func(c *wire.Cursor) {
			wire.TextUpTo(c, "f", &v, 4)
			wire.Trailing(c, &rest)
		})
		if string(v) != c.text || string(rest) != c.rest || (v == nil) != (c.text == "") || (rest == nil) != (c.rest == "") {
			t.Errorf("%q: %q and %q", c.data, v, rest)
		}
		checkNames(t, l.annotate(t), c.nodes...)
		if out, err := l.write(t, false); err != nil || string(out) != c.data {
			t.Errorf("%q: written as %q, %v", c.data, out, err)
		}
	}
}

// Rest is a field even if it is empty, for both nil and empty messages. An empty Trailing is not a field.
func TestRestAndTrailing(t *testing.T) {
	for _, data := range [][]byte{nil, {}, []byte("ab")} {
		var rest, trailing []byte
		l := readWhole(t, data, func(c *wire.Cursor) {
			wire.Rest(c, "f", &rest)
			wire.Trailing(c, &trailing)
		})
		if !bytes.Equal(rest, data) || rest == nil || trailing != nil {
			t.Errorf("%q: %q and %q", data, rest, trailing)
		}
		checkNames(t, l.annotate(t), "f")
	}
	var before uint16
	rest := []byte("stale")
	walk := func(c *wire.Cursor) {
		wire.U16(c, "before", &before)
		wire.Rest(c, "rest", &rest)
		wire.Trailing(c, &rest)
	}
	l, err := read(t, []byte{1}, walk)
	checkError(t, err, "before", "before at offset 0 needs 2 bytes, 1 left")
	checkNames(t, l.annotate(t), "undecoded")
	if string(rest) != "stale" {
		t.Errorf("rest %q after the error", rest)
	}
	fields := describe(walk)
	if len(fields) != 3 || fields[1].Name != "rest" || fields[1].Kind != wire.Bytes || fields[2].Name != "trailing" {
		t.Errorf("fields %+v", fields)
	}
}

func TestTrimAndPadded(t *testing.T) {
	for _, c := range []struct {
		data, text string
		padded     bool
	}{
		{"", "", true},
		{"abc", "abc", true},
		{"abc\x00", "abc", true},
		{"abc\x00\x00", "abc", true},
		{"\x00\x00", "", true},
		{"abc\x00x", "abc", false},
		{"\x00x\x00", "", false},
	} {
		if got := wire.Trim([]byte(c.data)); string(got) != c.text || wire.Padded([]byte(c.data)) != c.padded {
			t.Errorf("%q: text %q, padded %t", c.data, got, wire.Padded([]byte(c.data)))
		}
	}
}

// Texts are slices of the message. Appending to a text does not overwrite the bytes after it.
func TestTextsAliasTheMessage(t *testing.T) {
	data := []byte("\x02abcd")
	var v []byte
	readWhole(t, data, func(c *wire.Cursor) { wire.Text8(c, "f", &v) })
	if &v[0] != &data[1] || cap(v) != 2 {
		t.Errorf("%q with room for %d", v, cap(v))
	}
}

func TestCountsAreFixed(t *testing.T) {
	var n8 uint8
	var n16 uint16
	counts := func(have int) func(*wire.Cursor) {
		return func(c *wire.Cursor) {
			wire.Count8(c, "n8", &n8, min(have, 255))
			wire.Count16(c, "n16", &n16, have)
		}
	}
	n8, n16 = 9, 9
	out, err := write(t, false, counts(300))
	if err != nil || !bytes.Equal(out, []byte{9, 0, 9}) {
		t.Errorf("as they are: % x, %v", out, err)
	}
	out, err = write(t, true, counts(300))
	if err != nil || !bytes.Equal(out, []byte{255, 1, 44}) || n16 != 300 {
		t.Errorf("fixed: % x, %v", out, err)
	}
	if out, err = write(t, true, counts(math.MaxUint16)); err != nil || !bytes.Equal(out, []byte{255, 255, 255}) {
		t.Errorf("the largest: % x, %v", out, err)
	}
	n16 = 300
	_, err = write(t, true, counts(math.MaxUint16+1))
	checkError(t, err, "n16", "n16: 65536 is too large; at most 65535 fit")
	_, err = write(t, true, func(c *wire.Cursor) { wire.Count8(c, "n8", &n8, 256) })
	checkError(t, err, "n8", "n8: 256 is too large; at most 255 fit")
	if n8 != 255 || n16 != 300 {
		t.Errorf("counts %d and %d after the errors", n8, n16)
	}
}
