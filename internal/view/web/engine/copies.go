package engine

import (
	"bytes"
	"encoding/binary"
)

// To copy and clear structs, the Go compiler uses the instructions for memory of any size, which browsers implement as
// function calls. Loads and stores are up to nine times faster. They reduce the time to read a capture by a tenth.

const (
	maxCopy  = 96  // bytes of the largest struct copied by loads and stores
	maxClear = 128 // bytes of the largest struct cleared by stores

	opI64Load  = 0x29
	opI64Store = 0x37
	typeI32    = 0x7f
)

// inline replaces the next instruction if that instruction copies or clears memory of a constant size that is a
// multiple of 8.
func (f *function) inline() bool {
	in := f.input
	size, ok := f.constant(0)
	if !f.isUsual || !ok || size == 0 || size%8 != 0 || !in.is(opPrefix) {
		return false
	}
	value, isConstant := f.constant(1)
	switch {
	case size <= maxCopy && in.is(opCopy, 0, 0):
		f.out = f.out[:f.starts[0]]
		f.copy(size)
	case size <= maxClear && in.is(opFill, 0) && isConstant && value == 0:
		f.out = f.out[:f.starts[1]]
		f.clear(size)
	default:
		return false
	}
	f.input, f.hasMoved = in, true
	return true
}

// constant returns the value of the nth latest instruction, if that instruction is an i32.const. The latest instruction
// has n = 0.
func (f *function) constant(n int) (value uint64, ok bool) {
	end := len(f.out)
	if n > 0 {
		end = f.starts[n-1]
	}
	if end <= f.starts[n] {
		return 0, false
	}
	in := input{rest: f.out[f.starts[n]:end]}
	ok = in.is(opI32Const)
	return in.number(), ok && len(in.rest) == 0
}

// copy writes code that copies from the address on top of the stack to the address below it. The code loads all words
// before it stores the first one, because the areas may overlap.
func (f *function) copy(size uint64) {
	from, to := f.local(1), f.local(0)
	f.write(opLocalSet, from)
	f.write(opLocalSet, to)
	for at := uint64(0); at < size; at += 8 {
		f.write(opLocalGet, to)
		f.write(opLocalGet, from)
		f.write(opI64Load, 0, at)
	}
	for at := size; at > 0; at -= 8 {
		f.write(opI64Store, 0, at-8)
	}
}

// clear writes code that writes zeros to the address on the stack.
func (f *function) clear(size uint64) {
	to := f.local(0)
	f.write(opLocalSet, to)
	for at := uint64(0); at < size; at += 8 {
		f.write(opLocalGet, to)
		f.write(opI64Const, 0)
		f.write(opI64Store, 0, at)
	}
}

func (f *function) write(op byte, operands ...uint64) {
	f.out = append(f.out, op)
	for _, n := range operands {
		f.out = binary.AppendUvarint(f.out, n)
	}
}

// local returns the index of one of the two variables that inline adds.
func (f *function) local(n uint64) uint64 { return 1 + f.locals + n }

// usual reports whether the first type of a module is the type that most Go functions have: one i32 parameter and one
// i32 result.
func usual(types []byte) bool {
	in := input{rest: types}
	in.number()
	return bytes.HasPrefix(in.rest, []byte{0x60, 1, typeI32, 1, typeI32})
}
