package bpf

import (
	"fmt"
	"slices"
)

// A block is a test with a successor for each outcome. A successor is the index of another block, or accepted, or
// rejected.
type block struct {
	test
	yes, no   int
	reached   bool
	facts     []fact // outcomes of earlier tests that are the same on every path to the block
	registers registers
}

const (
	accepted = -1
	rejected = -2
)

// maxBlocks limits the time for leaving out unnecessary tests. It may exceed maxInstructions, because fewer tests
// remain.
const maxBlocks = 2 * maxInstructions

// A fact is the outcome of an earlier test.
type fact struct {
	test
	holds bool
}

type registers struct {
	a, x           test // the load and its mask; x has only the base of the load's offset
	aKnown, xKnown bool
}

type generator struct {
	blocks []block          // in reverse order of evaluation
	code   []RawInstruction // in reverse order until complete
	starts []int            // for each block: number of instructions from its start to the end of the program
}

// generate returns a program that accepts the same packets as the tree, and keeps snap bytes of each packet.
func generate(tree *node, snap uint32) ([]RawInstruction, error) {
	var g generator
	entry := g.lower(tree, accepted, rejected)
	if len(g.blocks) > maxBlocks {
		return nil, fmt.Errorf("the filter compiles to %d tests, at most %d are allowed", len(g.blocks), maxBlocks)
	}
	g.threadJumps(entry)
	g.assemble(entry, snap)
	if len(g.code) > maxInstructions {
		return nil, fmt.Errorf("the filter compiles to %d instructions, at most %d are allowed", len(g.code), maxInstructions)
	}
	return g.code, nil
}

// lower converts a tree to blocks, last block first. It returns the block to start with. If there is no block, it
// returns accepted or rejected. It stops early if there are too many blocks.
func (g *generator) lower(n *node, yes, no int) int {
	if len(g.blocks) > maxBlocks {
		return no
	}
	switch n.kind {
	case andNode:
		return g.lower(n.a, g.lower(n.b, yes, no), no)
	case orNode:
		return g.lower(n.a, yes, g.lower(n.b, yes, no))
	case notNode:
		return g.lower(n.a, no, yes)
	case yesNode:
		return yes
	case noNode:
		return no
	}
	g.blocks = append(g.blocks, block{test: n.test, yes: yes, no: no})
	return len(g.blocks) - 1
}

// threadJumps makes jumps skip tests with a known outcome. Skipped tests read only bytes that were read before, so the
// verdict on truncated packets stays the same.
func (g *generator) threadJumps(entry int) {
	if entry < 0 {
		return
	}
	g.blocks[entry].reached = true
	for i := entry; i >= 0; i-- {
		b := &g.blocks[i]
		if !b.reached {
			continue
		}
		b.yes = g.follow(b, b.yes, true)
		b.no = g.follow(b, b.no, false)
	}
}

// follow returns the first block after an outcome of b whose own outcome is not yet known. It records the known facts
// in that block.
func (g *generator) follow(b *block, to int, holds bool) int {
	facts := b.facts
	if b.isStructural() {
		facts = append(slices.Clip(facts), fact{b.test, holds})
	}
	for to >= 0 {
		outcome, known := decided(g.blocks[to].test, facts)
		if !known {
			break
		}
		if outcome {
			to = g.blocks[to].yes
		} else {
			to = g.blocks[to].no
		}
	}
	if to < 0 {
		return to
	}
	target, left := &g.blocks[to], b.registersAfter()
	if !target.reached {
		target.reached, target.facts, target.registers = true, facts, left
		return to
	}
	target.facts = slices.DeleteFunc(slices.Clone(target.facts), func(f fact) bool { return !slices.Contains(facts, f) })
	r := &target.registers
	r.aKnown = r.aKnown && left.aKnown && r.a == left.a
	r.xKnown = r.xKnown && left.xKnown && r.x == left.x
	return to
}

// isStructural reports whether a test is about a packet's structure, such as its protocol. Filters repeat such tests,
// and there are only a few different ones. In contrast, a filter may test thousands of ports and addresses.
func (t test) isStructural() bool {
	return t.kind == fixedOffset && (t.size != sizeWord || t.off == 0) && (t.operation == equal || t.operation == bitsSet)
}

// decided returns the outcome of a test if the facts determine it.
func decided(t test, facts []fact) (outcome, known bool) {
	for _, f := range facts {
		if f.test == t {
			return f.holds, true
		}
		other := f.test
		other.k = t.k
		if f.holds && t.operation == equal && other == t {
			return false, true // a fact says that the load equals another constant
		}
	}
	return false, false
}

// loads returns the part of a block's test that determines register A.
func (b *block) loads() test { return test{load: b.load, mask: b.mask} }

func (b *block) registersAfter() registers {
	r := b.registers
	if b.kind == noLoad {
		return registers{}
	}
	r.a, r.aKnown = b.loads(), true
	if b.kind == afterHeader || b.varied {
		r.x, r.xKnown = b.from(), true
	}
	return r
}

// from returns the base of a load's offset.
func (l load) from() test {
	return test{load: load{kind: l.kind, header: l.header, varied: l.varied}}
}

// assemble writes the program from its end, so that the distances of jumps are known.
func (g *generator) assemble(entry int, snap uint32) {
	g.starts = make([]int, len(g.blocks))
	g.code = append(g.code, RawInstruction{Op: classReturn})
	if entry != rejected {
		g.code = append(g.code, RawInstruction{Op: classReturn, K: snap})
	}
	if entry < 0 {
		g.code = g.code[len(g.code)-1:]
		return
	}
	for i := range g.blocks {
		if g.blocks[i].reached {
			g.write(&g.blocks[i])
			g.starts[i] = len(g.code)
		}
	}
	slices.Reverse(g.code)
}

func (g *generator) write(b *block) {
	const farthest = 255
	yes, no := g.distance(b.yes), g.distance(b.no)
	if len(g.code)+1-yes > farthest { // a detour for no would add one instruction
		yes = g.detour(yes)
	}
	if len(g.code)-no > farthest {
		no = g.detour(no)
	}
	jump := RawInstruction{
		Op: classJump | b.operation, K: b.k, Jt: uint8(len(g.code) - yes), Jf: uint8(len(g.code) - no),
	}
	if b.kind == noLoad {
		g.computed(b, jump)
		return
	}
	g.code = append(g.code, jump)
	if b.registers.aKnown && b.registers.a == b.loads() {
		return
	}
	if b.mask != allBits {
		g.code = append(g.code, RawInstruction{Op: classArithmetic | and, K: b.mask})
	}
	xKnown := b.registers.xKnown && b.registers.x == b.from()
	switch {
	case b.varied:
		g.code = append(g.code, RawInstruction{Op: classLoad | modeIndirect | b.size, K: b.off})
		if !xKnown {
			base := b.base(nil)
			slices.Reverse(base)
			g.code = append(g.code, base...)
		}
	case b.kind == wireLength:
		g.code = append(g.code, RawInstruction{Op: classLoad | modeLength})
	case b.kind == fixedOffset:
		g.code = append(g.code, RawInstruction{Op: classLoad | modeAbsolute | b.size, K: b.off})
	case b.kind == afterHeader:
		g.code = append(g.code, RawInstruction{Op: classLoad | modeIndirect | b.size, K: b.off})
		if !xKnown {
			g.code = append(g.code, RawInstruction{Op: classLoadX | modeHeader | sizeByte, K: b.header})
		}
	}
}

func (g *generator) computed(b *block, jump RawInstruction) {
	var code []RawInstruction
	if b.b.kind == constant {
		jump.K = b.b.k
		code = b.a.code(nil, 0)
	} else {
		jump.Op |= fromX
		code = pair(nil, b.a, b.b, 0)
	}
	slices.Reverse(code)
	g.code = append(append(g.code, jump), code...)
}

// distance returns the number of instructions from a block, or from a return instruction, to the end of the program.
func (g *generator) distance(to int) int {
	switch to {
	case accepted:
		return 2
	case rejected:
		return 1
	}
	return g.starts[to]
}

// detour prepends an unconditional jump, which may have any distance.
func (g *generator) detour(to int) int {
	g.code = append(g.code, RawInstruction{Op: classJump | always, K: uint32(len(g.code) - to)})
	return len(g.code)
}
