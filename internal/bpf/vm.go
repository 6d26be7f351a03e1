package bpf

import "encoding/binary"

// Parts of an instruction's code, from bpf(4) and linux/filter.h, as far as [generate] uses them. The low three bits
// are the class.
const (
	classLoad       = 0
	classLoadX      = 1
	classStore      = 2
	classArithmetic = 4
	classJump       = 5
	classReturn     = 6
	classMove       = 7

	modeImmediate = 0x00
	modeAbsolute  = 0x20
	modeIndirect  = 0x40
	modeMemory    = 0x60
	modeLength    = 0x80
	modeHeader    = 0xa0 // four times the low half of a byte: the length of an IPv4 header

	sizeWord = 0x00
	sizeHalf = 0x08
	sizeByte = 0x10

	fromX = 0x08 // in arithmetic and jumps: the operand is register X, not a constant

	add        = 0x00
	subtract   = 0x10
	multiply   = 0x20
	divide     = 0x30
	or         = 0x40
	and        = 0x50
	shiftLeft  = 0x60
	shiftRight = 0x70
	modulo     = 0x90
	xor        = 0xa0

	always  = 0x00
	equal   = 0x10
	greater = 0x20
	atLeast = 0x30
	bitsSet = 0x40

	copyAToX = 0x00
)

const (
	memoryWords     = 16
	maxInstructions = 4096 // BPF_MAXINSNS in Linux
)

// run returns the result of a program for a packet. 0 means that the packet is rejected. As in the kernel, a load
// beyond the packet's end and a division by zero also reject the packet.
func run(code []RawInstruction, packet []byte, length uint32) uint32 {
	var a, x uint32
	var memory [memoryWords]uint32
	for pc := 0; pc < len(code); pc++ {
		in := &code[pc]
		k := in.K
		ok := true
		switch in.Op & 7 {
		case classLoad:
			switch in.Op & 0xe0 {
			case modeImmediate:
				a = k
			case modeMemory:
				a = memory[k%memoryWords]
			case modeLength:
				a = length
			case modeAbsolute:
				a, ok = read(packet, uint64(k), in.Op)
			case modeIndirect:
				a, ok = read(packet, uint64(k)+uint64(x), in.Op)
			}
		case classLoadX:
			x, ok = read(packet, uint64(k), sizeByte)
			x = x & 15 * 4
		case classStore:
			memory[k%memoryWords] = a
		case classArithmetic:
			if in.Op&fromX != 0 {
				k = x
			}
			a, ok = calculate(in.Op&0xf0, a, k)
		case classJump:
			pc += jump(in, a, x)
		case classReturn:
			return k
		case classMove:
			x = a
		}
		if !ok {
			return 0
		}
	}
	return 0
}

// read returns a number in network byte order.
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

// calculate returns the result of an operation. ok is false for a division by zero.
func calculate(operation uint16, a, k uint32) (uint32, bool) {
	switch operation {
	case add:
		return a + k, true
	case subtract:
		return a - k, true
	case multiply:
		return a * k, true
	case divide, modulo:
		if k == 0 {
			return 0, false
		}
		if operation == modulo {
			return a % k, true
		}
		return a / k, true
	case or:
		return a | k, true
	case and:
		return a & k, true
	case xor:
		return a ^ k, true
	case shiftLeft:
		return a << k, true
	}
	return a >> k, true
}

// jump returns the number of instructions that a jump skips.
func jump(in *RawInstruction, a, x uint32) int {
	k := in.K
	if in.Op&fromX != 0 {
		k = x
	}
	var holds bool
	switch in.Op & 0xf0 {
	case always:
		return int(in.K)
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
