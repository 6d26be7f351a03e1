package engine

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// The Go compiler translates each jump to a new iteration of a loop around the whole function. A br_table at the
// beginning of the loop finds the next basic block:
//
//	loop block ... block local.get 0 br_table 0 1 ... end BLOCK0 end BLOCK1 ... end
//	i32.const BLOCK local.set 0 br LOOP
//
// Processors predict that branch badly, and browsers optimise little across it. Since a jump forward is inside the wasm
// block that ends where its target begins, one br can replace the three instructions. This reduces the time to read a
// capture by a third, and the size of the engine by a twentieth.

// The opcodes that matter, and the limits of ranges of opcodes with the same operands.
const (
	opNop        = 0x01
	opBlock      = 0x02
	opLoop       = 0x03
	opIf         = 0x04
	opElse       = 0x05
	opEnd        = 0x0b
	opBr         = 0x0c
	opBrIf       = 0x0d
	opBrTable    = 0x0e
	opReturn     = 0x0f
	opCall       = 0x10
	opCallTable  = 0x11
	opDrop       = 0x1a
	opSelect     = 0x1b
	opLocalGet   = 0x20
	opLocalSet   = 0x21
	opGlobalSet  = 0x24
	opLoad       = 0x28
	opStore32    = 0x3e
	opMemorySize = 0x3f
	opI32Const   = 0x41
	opI64Const   = 0x42
	opF32Const   = 0x43
	opF64Const   = 0x44
	opExtend32   = 0xc4
	opPrefix     = 0xfc
	opCopy       = 10 // after opPrefix
	opFill       = 11

	noResult        = 0x40 // the type of a block that has no result
	sectionType     = 1
	sectionFunction = 3
	sectionCode     = 10
)

// improve returns a module of the Go compiler with direct forward jumps, and with loads and stores instead of the
// instructions that copy and clear memory. If the module has instructions that improve does not support, it is returned
// unchanged.
func improve(module []byte) []byte {
	in := input{rest: module}
	out := slices.Clone(in.take(8)) // magic and version
	var types input                 // for each function, the index of its type
	isUsual := false
	for len(in.rest) > 0 {
		id, content := in.byte(), in.part()
		switch {
		case id == sectionType && usual(content):
			isUsual = true
		case id == sectionFunction && isUsual:
			types.rest = content
			types.number()
		case id == sectionCode:
			functions := input{rest: content}
			content = functions.improve(&types)
			in.bad = in.bad || functions.bad
		}
		out = appendPart(append(out, id), content)
	}
	if in.bad {
		return module
	}
	return out
}

// improve returns the code section.
func (i *input) improve(types *input) []byte {
	count := i.number()
	out := binary.AppendUvarint(nil, count)
	for ; count > 0 && !i.bad; count-- {
		f := function{input: input{rest: i.part()}, isUsual: len(types.rest) > 0 && types.number() == 0}
		f.improve()
		out = appendPart(out, f.out)
		i.bad = i.bad || f.bad
	}
	return out
}

func appendPart(out, part []byte) []byte {
	return append(binary.AppendUvarint(out, uint64(len(part))), part...)
}

// A function is the body of a function in a module. It is read from rest and written to out.
type function struct {
	input
	out     []byte
	opened  int    // number of block, loop and if instructions so far
	open    []int  // numbers of the instructions that have not yet ended, outermost first
	latest  int    // number of the latest loop
	loop    int    // number of the loop around the br_table, or 0
	targets []int  // for each basic block, the number of the wasm block that ends before it
	starts  [2]int // positions in out of the two latest instructions, the latest first
	isIf    bool   // the latest instruction was an if
	isGet   bool   // the latest instruction was local.get 0

	isUsual  bool   // the function has the usual type
	locals   uint64 // number of local variables
	hasMoved bool   // the function needs two more variables, see inline
}

func (f *function) improve() {
	groups, begin := f.number(), f.rest
	for n := groups; n > 0 && !f.bad; n-- {
		f.locals += f.number()
		f.take(1)
	}
	locals := begin[:len(begin)-len(f.rest)]
	for len(f.rest) > 0 && !f.bad {
		if f.jump() || f.inline() {
			f.starts, f.isIf, f.isGet = [2]int{len(f.out), len(f.out)}, false, false
			continue
		}
		begin := f.rest
		f.instruction()
		f.starts = [2]int{len(f.out), f.starts[0]}
		f.out = append(f.out, begin[:len(begin)-len(f.rest)]...)
	}
	if f.hasMoved {
		groups, locals = groups+1, append(slices.Clip(locals), 2, typeI32)
	}
	f.out = slices.Concat(binary.AppendUvarint(nil, groups), locals, f.out)
}

// jump replaces a forward jump if that is what comes next.
func (f *function) jump() bool {
	in := f.input
	if f.loop == 0 || !in.is(opI32Const) {
		return false
	}
	block := in.number()
	if !in.is(opLocalSet, 0, opBr) || f.label(in.number()) != f.loop || in.bad || block >= uint64(len(f.targets)) {
		return false
	}
	at := slices.Index(f.open, f.targets[block])
	if at < 0 {
		return false // a backward jump
	}
	depth := len(f.open) - 1 - at
	if f.isIf && in.is(opEnd) {
		f.open = f.open[:len(f.open)-1]
		f.out = binary.AppendUvarint(append(f.out[:len(f.out)-2], opBrIf), uint64(depth-1))
	} else {
		f.out = binary.AppendUvarint(append(f.out, opBr), uint64(depth))
	}
	f.input = in
	return true
}

// label returns the number of the open instruction that a label refers to, or 0 for the function itself.
func (f *function) label(n uint64) int {
	if n >= uint64(len(f.open)) {
		return 0
	}
	return f.open[len(f.open)-1-int(n)]
}

// instruction reads one instruction.
func (f *function) instruction() {
	isGet := f.isGet
	f.isIf, f.isGet = bytes.HasPrefix(f.rest, []byte{opIf, noResult}), bytes.HasPrefix(f.rest, []byte{opLocalGet, 0})
	switch op := f.byte(); op {
	case opBlock, opLoop, opIf:
		f.number() // the block's type
		f.opened++
		f.open = append(f.open, f.opened)
		if op == opLoop {
			f.latest = f.opened
		}
	case opEnd:
		f.open = f.open[:max(len(f.open)-1, 0)]
	case opBrTable:
		f.branches(isGet && f.loop == 0)
	default:
		f.operands(op)
	}
}

// branches reads the labels of a br_table. toBlocks says that the labels refer to the basic blocks.
func (f *function) branches(toBlocks bool) {
	for n := f.number() + 1; n > 0 && !f.bad; n-- {
		if label := f.label(f.number()); toBlocks {
			f.targets = append(f.targets, label)
		}
	}
	if toBlocks {
		f.loop = f.latest
	}
}

// operands skips the operands of an instruction.
func (f *function) operands(op byte) {
	switch {
	case op <= opNop || op == opElse || op == opReturn || op == opDrop || op == opSelect ||
		op > opF64Const && op <= opExtend32:
	case op == opBr || op == opBrIf || op == opCall || op >= opLocalGet && op <= opGlobalSet ||
		op >= opMemorySize && op <= opI64Const:
		f.number()
	case op == opCallTable || op >= opLoad && op <= opStore32:
		f.number()
		f.number()
	case op == opF32Const:
		f.take(4)
	case op == opF64Const:
		f.take(8)
	case op == opPrefix:
		f.prefixed(f.number())
	default:
		f.bad = true
	}
}

// prefixed skips the operands of an instruction after opPrefix. Instructions 0 to 7 convert numbers.
func (f *function) prefixed(op uint64) {
	switch {
	case op == opCopy:
		f.take(2)
	case op == opFill:
		f.take(1)
	case op > 7:
		f.bad = true
	}
}

// An input contains the unread rest of a module. After an error, it is empty.
type input struct {
	rest []byte
	bad  bool
}

func (i *input) take(n uint64) (b []byte) {
	if i.bad = i.bad || n > uint64(len(i.rest)); i.bad {
		i.rest = nil
		return nil
	}
	b, i.rest = i.rest[:n], i.rest[n:]
	return b
}

func (i *input) byte() byte {
	if b := i.take(1); len(b) > 0 {
		return b[0]
	}
	return 0
}

// part reads a byte count, and takes that many bytes.
func (i *input) part() []byte { return i.take(i.number()) }

// number reads a number in LEB128. For a negative number, the result is wrong, but the right number of bytes is read.
func (i *input) number() (n uint64) {
	for shift := 0; shift < 70; shift += 7 {
		b := i.byte()
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
	}
	i.bad = true
	return 0
}

// is takes the given bytes if they come next, and reports whether they did.
func (i *input) is(b ...byte) bool {
	ok := !i.bad && bytes.HasPrefix(i.rest, b)
	if ok {
		i.rest = i.rest[len(b):]
	}
	return ok
}
