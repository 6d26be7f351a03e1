package bpf

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Parts of an instruction's code, from bpf(4) and linux/filter.h. The code's low three bits are its class.
const (
	classLoad = iota
	classLoadX
	classStore
	classStoreX
	classArithmetic
	classJump
	classReturn
	classMove

	modeImmediate = 0x00
	modeAbsolute  = 0x20
	modeIndirect  = 0x40
	modeMemory    = 0x60
	modeLength    = 0x80
	modeHeader    = 0xa0 // four times the low half of a byte: the length of an IPv4 header

	sizeWord = 0x00
	sizeHalf = 0x08
	sizeByte = 0x10

	fromX = 0x08 // of arithmetic and jumps: the operand is X, no constant
	fromA = 0x10 // of returns: the result is A

	add        = 0x00
	subtract   = 0x10
	multiply   = 0x20
	divide     = 0x30
	or         = 0x40
	and        = 0x50
	shiftLeft  = 0x60
	shiftRight = 0x70
	negate     = 0x80
	modulo     = 0x90
	xor        = 0xa0

	always  = 0x00
	equal   = 0x10
	greater = 0x20
	atLeast = 0x30
	bitsSet = 0x40

	copyAToX = 0x00
	copyXToA = 0x80
)

const (
	memoryWords     = 16
	maxInstructions = 4096 // BPF_MAXINSNS of Linux
)

// errNotRunnable is wrapped by what [validate] finds.
var errNotRunnable = errors.New("the program that the filter becomes does not run in the kernel")

// validate holds a program against what the kernel asks of one and what [run] relies on: known
// instructions, jumps forward and inside, a return at the end.
func validate(code []RawInstruction) error {
	if n := len(code); n == 0 || n > maxInstructions {
		return fmt.Errorf("%w: it has %d instructions, %d are allowed", errNotRunnable, n, maxInstructions)
	}
	for i, in := range code {
		after := uint64(len(code) - i - 1)
		switch {
		case !known(in):
			return fmt.Errorf("%w: instruction %d (%#04x, %#x) is unknown", errNotRunnable, i, in.Op, in.K)
		case in.Op&7 != classJump:
		case in.Op == classJump|always && uint64(in.K) >= after,
			in.Op != classJump|always && uint64(max(in.Jt, in.Jf)) >= after:
			return fmt.Errorf("%w: instruction %d jumps backward or outside", errNotRunnable, i)
		}
	}
	if code[len(code)-1].Op&7 != classReturn {
		return fmt.Errorf("%w: it does not return", errNotRunnable)
	}
	return nil
}

// known says whether an instruction exists, with an operand that it can have.
func known(in RawInstruction) bool {
	operation := in.Op &^ (7 | fromX)
	switch in.Op & 7 {
	case classLoad:
		switch in.Op {
		case modeAbsolute | sizeWord, modeAbsolute | sizeHalf, modeAbsolute | sizeByte,
			modeIndirect | sizeWord, modeIndirect | sizeHalf, modeIndirect | sizeByte,
			modeImmediate, modeLength:
			return true
		}
		return in.Op == modeMemory && in.K < memoryWords
	case classLoadX:
		switch in.Op {
		case classLoadX | modeImmediate, classLoadX | modeLength, classLoadX | modeHeader | sizeByte:
			return true
		}
		return in.Op == classLoadX|modeMemory && in.K < memoryWords
	case classStore, classStoreX:
		return in.Op&^7 == 0 && in.K < memoryWords
	case classArithmetic:
		constant := in.Op&fromX == 0
		switch operation {
		case divide, modulo:
			return !constant || in.K != 0
		case shiftLeft, shiftRight:
			return !constant || in.K < 32
		case negate:
			return constant
		}
		return operation <= xor
	case classJump:
		return operation <= bitsSet && in.Op != classJump|always|fromX
	case classReturn:
		return in.Op == classReturn || in.Op == classReturn|fromA
	}
	return in.Op == classMove|copyAToX || in.Op == classMove|copyXToA
}

// run gives what a valid program returns for a packet: 0 rejects it. A load beyond the packet's end
// and a division by zero reject as well, as in libpcap's bpf_filter.
func run(code []RawInstruction, packet []byte, length uint32) uint32 {
	var a, x uint32
	var memory [memoryWords]uint32
	for pc := 0; pc < len(code); pc++ {
		in := &code[pc]
		k := in.K
		switch in.Op & 7 {
		case classLoad:
			var ok bool
			switch in.Op & 0xe0 {
			case modeImmediate:
				a, ok = k, true
			case modeMemory:
				a, ok = memory[k%memoryWords], true
			case modeLength:
				a, ok = length, true
			case modeAbsolute:
				a, ok = read(packet, uint64(k), in.Op)
			case modeIndirect:
				a, ok = read(packet, uint64(k)+uint64(x), in.Op)
			}
			if !ok {
				return 0
			}
		case classLoadX:
			var ok bool
			if x, ok = loadX(in, packet, &memory, length); !ok {
				return 0
			}
		case classStore:
			memory[k%memoryWords] = a
		case classStoreX:
			memory[k%memoryWords] = x
		case classArithmetic:
			if in.Op&fromX != 0 {
				k = x
			}
			var ok bool
			if a, ok = calculate(in.Op&0xf0, a, k); !ok {
				return 0
			}
		case classJump:
			pc += jump(in, a, x)
		case classReturn:
			if in.Op&fromA != 0 {
				return a
			}
			return k
		case classMove:
			if in.Op&copyXToA != 0 {
				a = x
			} else {
				x = a
			}
		}
	}
	return 0
}

func loadX(in *RawInstruction, packet []byte, memory *[memoryWords]uint32, length uint32) (uint32, bool) {
	switch in.Op & 0xe0 {
	case modeImmediate:
		return in.K, true
	case modeMemory:
		return memory[in.K%memoryWords], true
	case modeLength:
		return length, true
	}
	if uint64(in.K) >= uint64(len(packet)) {
		return 0, false
	}
	return uint32(packet[in.K]&15) * 4, true
}

// read gives a number in network order.
func read(packet []byte, off uint64, op uint16) (uint32, bool) {
	if off >= uint64(len(packet)) {
		return 0, false
	}
	b := packet[off:]
	switch op & 0x18 {
	case sizeByte:
		return uint32(b[0]), true
	case sizeHalf:
		if len(b) >= 2 {
			return uint32(binary.BigEndian.Uint16(b)), true
		}
	case sizeWord:
		if len(b) >= 4 {
			return binary.BigEndian.Uint32(b), true
		}
	}
	return 0, false
}

// calculate is false for a division by zero. A shift by more bits than there are gives 0.
func calculate(operation uint16, a, k uint32) (uint32, bool) {
	switch operation {
	case add:
		return a + k, true
	case subtract:
		return a - k, true
	case multiply:
		return a * k, true
	case divide:
		if k == 0 {
			return 0, false
		}
		return a / k, true
	case modulo:
		if k == 0 {
			return 0, false
		}
		return a % k, true
	case or:
		return a | k, true
	case and:
		return a & k, true
	case xor:
		return a ^ k, true
	case shiftLeft:
		return a << k, true
	case shiftRight:
		return a >> k, true
	case negate:
		return -a, true
	}
	return 0, false
}

// jump gives how many instructions are skipped.
func jump(in *RawInstruction, a, x uint32) int {
	if in.Op == classJump|always {
		return int(in.K)
	}
	k := in.K
	if in.Op&fromX != 0 {
		k = x
	}
	var holds bool
	switch in.Op & 0xf0 {
	case equal:
		holds = a == k
	case greater:
		holds = a > k
	case atLeast:
		holds = a >= k
	case bitsSet:
		holds = a&k != 0
	}
	if holds {
		return int(in.Jt)
	}
	return int(in.Jf)
}
