package engine

import (
	"bytes"
	"testing"
)

// moduleOf returns a module with one function.
func moduleOf(instructions ...byte) []byte {
	return moduleWith([]byte{1, 2, 0x7e}, instructions...) // two local variables
}

func moduleWith(locals []byte, instructions ...byte) []byte {
	body := append(bytes.Clone(locals), instructions...)
	module := []byte("\x00asm\x01\x00\x00\x00")
	module = appendPart(append(module, sectionType), []byte{1, 0x60, 1, typeI32, 1, typeI32})
	module = appendPart(append(module, sectionFunction), []byte{1, 0})
	return appendPart(append(module, sectionCode), appendPart([]byte{1}, body))
}

// TestJumps checks that forward jumps become direct, and that nothing else changes.
func TestJumps(t *testing.T) {
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
			[]byte{opLocalGet, 1, opIf, noResult, opI32Const, 2, opLocalSet, 0, opBr, 3, opEnd},
			[]byte{opLocalGet, 1, opBrIf, 1},
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
		if got := improve(in); !bytes.Equal(got, want) {
			t.Errorf("%s: % x, want % x", name, got, want)
		}
	}
	whole := moduleOf(block(append([]byte{opI32Const, 2, opLocalSet, 0, opBr, 2}, end...)...)...)
	for n := range whole {
		if got := improve(whole[:n]); !bytes.Equal(got, whole[:n]) {
			t.Errorf("cut to %d bytes: % x", n, got)
		}
	}
}

// TestCopies checks that copying and clearing small structs become loads and stores that use two more variables.
func TestCopies(t *testing.T) {
	addresses := []byte{opLocalGet, 1, opLocalGet, 2}
	copied := func(size ...byte) []byte {
		return append(append(append(bytes.Clone(addresses), opI32Const), size...), opPrefix, opCopy, 0, 0, opEnd)
	}
	cleared := func(value byte, size ...byte) []byte {
		return append(append([]byte{opLocalGet, 1, opI32Const, value, opI32Const}, size...), opPrefix, opFill, 0, opEnd)
	}
	for name, test := range map[string]struct{ in, want []byte }{
		"copy": {copied(16), []byte{
			opLocalGet, 1, opLocalGet, 2, opLocalSet, 4, opLocalSet, 3,
			opLocalGet, 3, opLocalGet, 4, opI64Load, 0, 0, opLocalGet, 3, opLocalGet, 4, opI64Load, 0, 8,
			opI64Store, 0, 8, opI64Store, 0, 0, opEnd,
		}},
		"clear": {cleared(0, 16), []byte{
			opLocalGet, 1, opLocalSet, 3,
			opLocalGet, 3, opI64Const, 0, opI64Store, 0, 0, opLocalGet, 3, opI64Const, 0, opI64Store, 0, 8, opEnd,
		}},
		"odd size":      {copied(12), nil},
		"large":         {copied(0xc0, 0x01), nil},
		"large, clear":  {cleared(0, 0xc0, 0x01), nil},
		"not with 0":    {cleared(1, 16), nil},
		"variable size": {append(append(addresses, opLocalGet, 2), opPrefix, opCopy, 0, 0, opEnd), nil},
	} {
		want := moduleOf(test.in...)
		if test.want != nil {
			want = moduleWith([]byte{2, 2, 0x7e, 2, typeI32}, test.want...)
		}
		if got := improve(moduleOf(test.in...)); !bytes.Equal(got, want) {
			t.Errorf("%s: % x, want % x", name, got, want)
		}
	}
	other := moduleOf(copied(16)...)
	other[len("\x00asm\x01\x00\x00\x00")+4] = 2 // the type's number of parameters
	if got := improve(other); !bytes.Equal(got, other) {
		t.Errorf("with other parameters: % x, want % x", got, other)
	}
}
