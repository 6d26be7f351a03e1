package bpf

import (
	"math/rand/v2"
	"testing"

	"golang.org/x/net/bpf"
)

// virtual returns a machine of golang.org/x/net, which checks that a program obeys the kernel's rules.
func virtual(t testing.TB, code []RawInstruction) *bpf.VM {
	t.Helper()
	instructions, ok := bpf.Disassemble(code)
	if !ok {
		t.Fatalf("cannot disassemble %v", code)
	}
	vm, err := bpf.NewVM(instructions)
	if err != nil {
		t.Fatalf("%v: %v", err, instructions)
	}
	return vm
}

// TestMachine checks that run and the machine of golang.org/x/net return the same results for random programs.
func TestMachine(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	ops := []uint16{classLoad | modeImmediate, classLoad | modeMemory, classLoad | modeLength,
		classLoadX | modeHeader | sizeByte, classStore, classMove | copyAToX, classJump | always}
	for _, size := range []uint16{sizeWord, sizeHalf, sizeByte} {
		ops = append(ops, classLoad|modeAbsolute|size, classLoad|modeIndirect|size)
	}
	for _, from := range []uint16{0, fromX} {
		for _, operation := range []uint16{add, subtract, multiply, divide, or, and, shiftLeft, shiftRight, modulo, xor} {
			ops = append(ops, classArithmetic|operation|from)
		}
		for _, operation := range []uint16{equal, greater, atLeast, bitsSet} {
			ops = append(ops, classJump|operation|from)
		}
	}
	for range 5000 {
		code := []RawInstruction{{Op: classLoadX | modeHeader | sizeByte, K: r.Uint32N(9)}}
		for range 12 {
			code = append(code, RawInstruction{
				Op: pick(r, ops), Jt: uint8(r.IntN(3)), Jf: uint8(r.IntN(3)), K: 1 + r.Uint32N(3),
			})
		}
		code = append(code, RawInstruction{Op: classStore}, RawInstruction{Op: classJump | greater, K: r.Uint32N(30), Jf: 1},
			RawInstruction{Op: classReturn, K: 5}, RawInstruction{Op: classReturn})
		packet := make([]byte, r.IntN(30))
		for i := range packet {
			packet[i] = byte(r.IntN(20))
		}
		want, err := virtual(t, code).Run(packet)
		if err != nil {
			t.Fatal(err)
		}
		if got := run(code, packet, uint32(len(packet))); got != uint32(want) {
			t.Fatalf("%d, want %d, packet %x\n%v", got, want, packet, code)
		}
	}
}

// TestProgramsMatchTheirTrees checks that a program accepts the same packets as its tree, even if the packets are
// truncated.
func TestProgramsMatchTheirTrees(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	compared, accepted := 0, 0
	for round := range 300 {
		link := someLinks[round%len(someLinks)]
		filter := someFilter(r, link, r.IntN(5))
		tokens, err := lex(filter)
		if err != nil {
			t.Fatal(filter, err)
		}
		tree, _, err := parse(filter, tokens, link, false)
		if err != nil {
			continue // impossible, such as PPPoE after MPLS
		}
		code, err := generate(tree, 1000)
		if err != nil {
			t.Fatal(filter, err)
		}
		virtual(t, code)
		for range 20 {
			p := somePacket(r, link)
			for n := range len(p) + 1 {
				holds, ok := tree.evaluate(p[:n], uint32(len(p)))
				want := holds && ok
				if got := run(code, p[:n], uint32(len(p))) != 0; got != want {
					t.Fatalf("%s (%v), packet %x: %v, want %v\n%v", filter, link, p[:n], got, want, code)
				}
				if compared++; want {
					accepted++
				}
			}
		}
	}
	if compared < 50_000 || accepted < compared/10 || accepted > compared*9/10 {
		t.Errorf("%d of %d packets accepted: they do not exercise the filters", accepted, compared)
	}
}

// evaluate returns the result of a node for a packet. If ok is false, the filter rejects the packet.
func (n *node) evaluate(packet []byte, length uint32) (holds, ok bool) {
	switch n.kind {
	case yesNode, noNode:
		return n.kind == yesNode, true
	case notNode:
		holds, ok = n.a.evaluate(packet, length)
		return !holds, ok
	case andNode, orNode:
		holds, ok = n.a.evaluate(packet, length)
		if !ok || holds == (n.kind == orNode) {
			return holds, ok
		}
		return n.b.evaluate(packet, length)
	}
	var a uint64
	b := uint64(n.test.k)
	if n.test.kind == noLoad {
		if a, ok = n.test.a.evaluate(packet, length); ok {
			b, ok = n.test.b.evaluate(packet, length)
		}
	} else if a, ok = n.test.evaluate(0, packet, length); ok {
		a &= uint64(n.test.mask)
	}
	return map[uint16]bool{equal: a == b, greater: a > b, atLeast: a >= b, bitsSet: a&b != 0}[n.test.operation], ok
}

func (l load) evaluate(index uint64, packet []byte, length uint32) (n uint64, ok bool) {
	at := uint64(l.header)
	switch {
	case l.varied && len(packet) == 0:
		return 0, false
	case l.varied:
		size := (uint64(packet[0]) + 3) / 4 * 4
		at, index = at+size, index+size
	}
	switch {
	case l.kind == wireLength:
		return uint64(length), true
	case l.kind == afterHeader && at >= uint64(len(packet)):
		return 0, false
	case l.kind == afterHeader:
		index += 4 * uint64(packet[at]%16)
	}
	index %= 1 << 32
	size := map[uint16]uint64{sizeByte: 1, sizeHalf: 2, sizeWord: 4}[l.size]
	for i := range size {
		at := uint64(l.off) + index + i
		if at >= uint64(len(packet)) {
			return 0, false
		}
		n = n<<8 + uint64(packet[at])
	}
	return n, true
}

func (v *value) evaluate(packet []byte, length uint32) (n uint64, ok bool) {
	switch {
	case v.kind == constant:
		return uint64(v.k), true
	case v.kind == loaded && v.index == nil:
		return v.load.evaluate(0, packet, length)
	case v.kind == loaded:
		if n, ok = v.index.evaluate(packet, length); !ok {
			return 0, false
		}
		return v.load.evaluate(n, packet, length)
	}
	a, okA := v.a.evaluate(packet, length)
	b, okB := v.b.evaluate(packet, length)
	if !okA || !okB || b == 0 && (v.operation == divide || v.operation == modulo) {
		return 0, false
	}
	results := map[uint16]uint64{add: a + b, subtract: a - b, multiply: a * b, or: a | b, and: a & b, xor: a ^ b,
		shiftLeft: a << b, shiftRight: a >> b, divide: a / max(b, 1), modulo: a % max(b, 1)}
	return results[v.operation] % (1 << 32), true
}

func TestMatchDoesNotAllocate(t *testing.T) {
	p, err := Compile("udp port 53 or tcp[13] & 2 != 0 or udp[4:2] - 8 > udp[8]", linkEthernet, 0)
	if err != nil {
		t.Fatal(err)
	}
	packet := make([]byte, 60)
	if n := testing.AllocsPerRun(100, func() { p.Match(packet, 60) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkMatch(b *testing.B) {
	r := rand.New(rand.NewPCG(11, 12))
	var packets [][]byte
	for range 1000 {
		packets = append(packets, somePacket(r, linkEthernet))
	}
	for name, filter := range map[string]string{
		"port":  "udp port 6969",
		"ports": PortsFilter([]uint16{6969, 27500, 28000, 5154}, []uint16{5154, 5155}, linkEthernet),
	} {
		p, err := Compile(filter, linkEthernet, 0)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				q := packets[i%len(packets)]
				p.Match(q, len(q))
			}
		})
	}
}
