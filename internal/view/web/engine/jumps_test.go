package engine

import (
	"bytes"
	"testing"
)

// moduleOf returns a module with one function.
func moduleOf(instructions ...byte) []byte {
	body := append([]byte{1, 2, 0x7e}, instructions...) // two local variables
	code := appendPart([]byte{1}, body)
	return appendPart(append([]byte("\x00asm\x01\x00\x00\x00"), sectionCode), code)
}

// TestStraighten: jumps forward become direct, and only those.
func TestStraighten(t *testing.T) {
	begin := []byte{
		opLoop, noResult, opBlock, noResult, opBlock, noResult, opBlock, noResult, opLocalGet, 0, opBrTable, 2, 0, 1, 2,
		opEnd,
	}
	block := func(more ...byte) []byte { return append(bytes.Clone(begin), more...) }
	end := []byte{opEnd, opEnd, opEnd, opEnd}
	for name, test := range map[string]struct{ in, want []byte }{
		"forward":         {[]byte{opI32Const, 2, opLocalSet, 0, opBr, 2}, []byte{opBr, 1}},
		"to the next one": {[]byte{opI32Const, 1, opLocalSet, 0, opBr, 2}, []byte{opBr, 0}},
		"if": {
			[]byte{opLocalGet, 1, opIf, noResult, opI32Const, 2, opLocalSet, 0, opBr, 3, opEnd}, []byte{opLocalGet, 1, opBrIf, 1},
		},
		"more in the if": {
			[]byte{opIf, noResult, opDrop, opI32Const, 2, opLocalSet, 0, opBr, 3, opEnd},
			[]byte{opIf, noResult, opDrop, opBr, 2, opEnd},
		},
		"back":                {[]byte{opI32Const, 0, opLocalSet, 0, opBr, 2}, nil},
		"another variable":    {[]byte{opI32Const, 2, opLocalSet, 1, opBr, 2}, nil},
		"out of the function": {[]byte{opI32Const, 2, opLocalSet, 0, opBr, 3}, nil},
		"no such block":       {[]byte{opI32Const, 9, opLocalSet, 0, opBr, 2}, nil},
		"negative":            {[]byte{opI64Const, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f}, nil},
		"unknown":             {[]byte{0xfd, 0, opI32Const, 2, opLocalSet, 0, opBr, 2}, nil},
	} {
		in := moduleOf(block(append(test.in, end...)...)...)
		want := in
		if test.want != nil {
			want = moduleOf(block(append(test.want, end...)...)...)
		}
		if got := straighten(in); !bytes.Equal(got, want) {
			t.Errorf("%s: % x, want % x", name, got, want)
		}
	}
	whole := moduleOf(block(append([]byte{opI32Const, 2, opLocalSet, 0, opBr, 2}, end...)...)...)
	for n := range whole {
		if got := straighten(whole[:n]); !bytes.Equal(got, whole[:n]) {
			t.Errorf("cut to %d bytes: % x", n, got)
		}
	}
}
