package bpf

import (
	"fmt"
	"strings"
)

// String is the program as tcpdump -d shows it, one instruction a line.
func (p *Program) String() string {
	var b strings.Builder
	for i, in := range p.code {
		b.WriteString(disassemble(in, i))
		b.WriteByte('\n')
	}
	return b.String()
}

var (
	loadNames       = map[uint16]string{sizeWord: "ld", sizeHalf: "ldh", sizeByte: "ldb"}
	arithmeticNames = map[uint16]string{
		add: "add", subtract: "sub", multiply: "mul", divide: "div", or: "or", and: "and",
		shiftLeft: "lsh", shiftRight: "rsh", negate: "neg", modulo: "mod", xor: "xor",
	}
	jumpNames = map[uint16]string{always: "ja", equal: "jeq", greater: "jgt", atLeast: "jge", bitsSet: "jset"}
)

func disassemble(in RawInstruction, at int) string {
	name, operand := mnemonic(in, at)
	if in.Op&7 == classJump && in.Op != classJump|always {
		return fmt.Sprintf("(%03d) %-8s %-16s jt %d\tjf %d", at, name, operand, at+1+int(in.Jt), at+1+int(in.Jf))
	}
	return fmt.Sprintf("(%03d) %-8s %s", at, name, operand)
}

func mnemonic(in RawInstruction, at int) (name, operand string) {
	switch in.Op & 7 {
	case classLoad:
		return loadNames[in.Op&0x18], operandOf(in)
	case classLoadX:
		if in.Op&0xe0 == modeHeader {
			return "ldxb", operandOf(in)
		}
		return "ldx", operandOf(in)
	case classStore:
		return "st", fmt.Sprintf("M[%d]", in.K)
	case classStoreX:
		return "stx", fmt.Sprintf("M[%d]", in.K)
	case classArithmetic:
		name = arithmeticNames[in.Op&0xf0]
		switch {
		case name == "neg":
			return name, ""
		case in.Op&fromX != 0:
			return name, "x"
		case name == "and" || name == "or" || name == "xor":
			return name, fmt.Sprintf("#%#x", in.K)
		}
		return name, fmt.Sprintf("#%d", in.K)
	case classJump:
		name = jumpNames[in.Op&0xf0]
		switch {
		case name == "ja":
			return name, fmt.Sprint(at + 1 + int(in.K))
		case in.Op&fromX != 0:
			return name, "x"
		}
		return name, fmt.Sprintf("#0x%x", in.K)
	case classReturn:
		if in.Op&fromA != 0 {
			return "ret", ""
		}
		return "ret", fmt.Sprintf("#%d", in.K)
	}
	if in.Op&copyXToA != 0 {
		return "txa", ""
	}
	return "tax", ""
}

// operandOf is where a load reads from.
func operandOf(in RawInstruction) string {
	switch in.Op & 0xe0 {
	case modeAbsolute:
		return fmt.Sprintf("[%d]", in.K)
	case modeIndirect:
		return fmt.Sprintf("[x + %d]", in.K)
	case modeMemory:
		return fmt.Sprintf("M[%d]", in.K)
	case modeLength:
		return "#pktlen"
	case modeHeader:
		return fmt.Sprintf("4*([%d]&0xf)", in.K)
	}
	return fmt.Sprintf("#0x%x", in.K)
}
