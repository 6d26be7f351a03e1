package bpf

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/net/bpf"
)

// The machine does what that of golang.org/x/net does, with random programs.
func TestMachine(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var ops []uint16
	for op := range uint16(256) {
		if known(RawInstruction{Op: op, K: 1}) && op != classLoadX|modeLength && op&7 != classReturn {
			ops = append(ops, op)
		}
	}
	tried := 0
	for range 20000 {
		code := []RawInstruction{{Op: classLoadX | modeImmediate, K: r.Uint32N(9)}}
		for range 12 {
			code = append(code, RawInstruction{Op: pick(r, ops), Jt: uint8(r.IntN(3)), Jf: uint8(r.IntN(3)), K: r.Uint32N(14)})
		}
		code = append(code, RawInstruction{Op: classReturn | fromA}, RawInstruction{Op: classReturn, K: 5}, RawInstruction{Op: classReturn})
		if validate(code) != nil {
			continue
		}
		instructions, ok := bpf.Disassemble(code)
		if !ok {
			t.Fatalf("not understood: %v", &Program{code: code})
		}
		theirs, err := bpf.NewVM(instructions)
		if err != nil {
			continue
		}
		packet := make([]byte, r.IntN(30))
		for i := range packet {
			packet[i] = byte(r.IntN(20))
		}
		want, err := theirs.Run(packet)
		if err != nil {
			continue
		}
		tried++
		if got := run(code, packet, uint32(len(packet))); got != uint32(want) {
			t.Fatalf("%d, want %d, packet %x\n%v", got, want, packet, &Program{code: code})
		}
	}
	if tried < 2000 {
		t.Errorf("%d programs", tried)
	}
}

func TestValidate(t *testing.T) {
	end := RawInstruction{Op: classReturn}
	for name, code := range map[string][]RawInstruction{
		"nothing":        nil,
		"no return":      {{Op: classLoad | modeLength}},
		"too long":       make([]RawInstruction, maxInstructions+1),
		"backward":       {{Op: classJump | always, K: 0xffffffff}, end},
		"outside":        {{Op: classJump | equal, Jt: 1}, end},
		"division by 0":  {{Op: classArithmetic | divide}, end},
		"far shift":      {{Op: classArithmetic | shiftLeft, K: 32}, end},
		"no such memory": {{Op: classStore, K: 16}, end},
		"unknown":        {{Op: 0xffff}, end},
	} {
		if err := validate(code); !errors.Is(err, errNotRunnable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := validate([]RawInstruction{end}); err != nil {
		t.Error(err)
	}
}

func TestMatchDoesNotAllocate(t *testing.T) {
	p, err := Compile("udp port 53 or tcp[13] & 2 != 0", linkEthernet, 0)
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
		tokens, err := lex(filter)
		if err != nil {
			b.Fatal(err)
		}
		own, err := compileOwn(filter, tokens, linkEthernet, defaultSnap)
		if err != nil {
			b.Fatal(err)
		}
		p, err := Compile(filter, linkEthernet, 0)
		if err != nil {
			b.Fatal(err)
		}
		instructions, _ := bpf.Disassemble(own)
		vm, err := bpf.NewVM(instructions)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name+"/"+strings.Fields(compiler())[0], func(b *testing.B) { each(b, packets, func(q []byte) { p.Match(q, len(q)) }) })
		b.Run(name+"/own", func(b *testing.B) { each(b, packets, func(q []byte) { run(own, q, uint32(len(q))) }) })
		b.Run(name+"/xnet", func(b *testing.B) { each(b, packets, func(q []byte) { _, _ = vm.Run(q) }) })
	}
}

func each(b *testing.B, packets [][]byte, match func([]byte)) {
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		match(packets[i%len(packets)])
		i++
	}
}
