package tcp

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// script returns packets of both sides, of all kinds and in any order.
func script(r *rand.Rand) []step {
	sides := [2][]step{someSteps(r, 0), someSteps(r, 1)}
	var steps []step
	for len(sides[0])+len(sides[1]) > 0 {
		side := r.IntN(2)
		if len(sides[side]) == 0 {
			side = 1 - side
		}
		n := min(1+r.IntN(8), len(sides[side]))
		steps = append(steps, sides[side][:n]...)
		sides[side] = sides[side][n:]
	}
	// A side acknowledges about as many bytes as the other side's packets so far contain, or slightly more.
	var sent [2]int
	for i := range steps {
		p := &steps[i]
		sent[p.side] = max(sent[p.side], p.at+len(p.payload)+p.missing)
		if other := sent[1-p.side]; other > 0 && r.IntN(3) == 0 {
			p.acks, p.ack = true, max(slowMargin, other+r.IntN(200)-150)
		}
		p.milliseconds = r.IntN(20) - 2
		if r.IntN(100) == 0 {
			p.milliseconds = []int{900, 3000, 9000, 11000, -9000, -15000}[r.IntN(6)]
		}
	}
	if r.IntN(3) > 0 { // the capture contains the handshake
		opening := []step{{side: 0, at: slowMargin, syn: true}, {side: 1, at: slowMargin, syn: true}}
		steps = slices.Concat(opening, steps)
	}
	if r.IntN(8) == 0 {
		p := step{side: r.IntN(2), at: slowMargin + r.IntN(4000), rst: true}
		steps = slices.Insert(steps, r.IntN(len(steps)+1), p)
	}
	return steps
}

// someSteps cuts a stream into segments. It repeats, reorders, drops and truncates some of them.
func someSteps(r *rand.Rand, side int) (own []step) {
	size := 1 + r.IntN(3000)
	data := randomBytes(r, size)
	longest := 8 << r.IntN(8)
	piece := func(from int) step {
		n := min(1+r.IntN(longest), size-from)
		return step{side: side, at: slowMargin + from, payload: data[from : from+n]}
	}
	for at := 0; at < size; {
		p := piece(at)
		own = append(own, p)
		at += len(p.payload)
	}
	if r.IntN(2) == 0 {
		own = append(own, step{side: side, at: slowMargin + size, fin: true})
	}
	for range r.IntN(2) * r.IntN(1+len(own)/2) {
		p := piece(r.IntN(size))
		if r.IntN(3) == 0 {
			p.payload = bytes.Clone(p.payload)
			p.payload[r.IntN(len(p.payload))] ^= 1
		}
		own = slices.Insert(own, r.IntN(len(own)+1), p)
	}
	for range r.IntN(2) * r.IntN(10) {
		for i := range len(own) - 1 {
			if r.IntN(4) == 0 {
				own[i], own[i+1] = own[i+1], own[i]
			}
		}
	}
	lost, cut := r.IntN(2)*r.IntN(20), r.IntN(2)*r.IntN(20)
	own = slices.DeleteFunc(own, func(step) bool { return r.IntN(100) < lost })
	for i := range own {
		if p := &own[i]; r.IntN(100) < cut {
			n := r.IntN(len(p.payload) + 1)
			p.missing = len(p.payload) - n
			p.payload = p.payload[:n]
		}
	}
	return own
}

func TestStreamAgainstModel(t *testing.T) {
	r := rand.New(rand.NewPCG(1998, 4))
	rounds := 500
	if wiretest.Full() {
		rounds = 2500
	}
	counts := map[string]int{}
	for round := range rounds {
		// In most rounds, the sequence numbers wrap around within the stream.
		numbers := [2]uint32{uint32(-r.IntN(4000)), r.Uint32()}
		d := newDuel(t, appetite(r), numbers)
		for _, p := range script(r) {
			d.step(p)
		}
		d.finish()
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
		for _, j := range d.journals {
			for _, e := range j {
				counts[e.kind]++
			}
		}
	}
	for _, kind := range []string{"data", "gap", "end", "conflict", "mid"} {
		if counts[kind] < rounds/4 {
			t.Errorf("only %d events %q in %d rounds, so the test covers too little", counts[kind], kind, rounds)
		}
	}
}

// appetite returns a function for recorder.use.
func appetite(r *rand.Rand) func(b []byte) int {
	switch r.IntN(4) {
	case 0:
		return nil
	case 1: // messages of a fixed length
		n := 1 + r.IntN(700)
		return func(b []byte) int { return len(b) / n * n }
	case 2:
		return func([]byte) int { return 0 }
	}
	return func(b []byte) int { return r.IntN(len(b)+3) - 1 }
}

// FuzzStream makes packets from the input and compares a Connection with the model. Each packet takes 6 bytes: its
// kind, the offset, the size, the number of bytes cut off, the acknowledgement and the time.
func FuzzStream(f *testing.F) {
	const second, syn, fin, rst, acks, late, hungry = 1, 2, 4, 8, 16, 32, 64
	f.Add(uint32(0xfffffff0), []byte{syn, 0, 0, 0, 0, 0, 0, 20, 10, 0, 0, 0, 0, 10, 10, 0, 0, 0, fin, 30, 0, 0, 0, 0})
	f.Add(uint32(7), []byte{0, 20, 10, 0, 0, 0, hungry, 10, 10, 0, 0, 0, 0, 15, 20, 5, 0, 0, rst, 40, 0, 0, 0, 0})
	f.Add(uint32(7), []byte{second, 20, 9, 0, 0, 0, second, 50, 9, 0, 0, 0, acks, 0, 0, 0, 60, 0, acks | late, 0, 0, 0, 60, 9})
	f.Add(uint32(0), []byte{0, 20, 10, 5, 0, 0, 0, 40, 10, 5, 0, 0, fin, 30, 3, 3, 0, 0, late, 60, 1, 0, 0, 120})
	f.Fuzz(func(t *testing.T, number uint32, input []byte) {
		if len(input) > 6*300 {
			return // long inputs find no more errors than short ones
		}
		use := 1
		d := newDuel(t, func(b []byte) int { return len(b) / use * use }, [2]uint32{number, ^number})
		for i := 0; len(input) >= 6; i, input = i+1, input[6:] {
			p := step{side: int(input[0] & second), at: slowMargin + 2*int(input[1]), missing: int(input[3]), ack: slowMargin + 3*int(input[4])}
			p.payload = bytes.Repeat([]byte{byte(i + 1)}, int(input[2]))
			p.fin, p.rst, p.acks = input[0]&fin != 0, input[0]&rst != 0, input[0]&acks != 0
			p.milliseconds = int(input[5])
			if input[0]&late != 0 {
				p.milliseconds = 100 * (int(input[5]) - 100)
			}
			if input[0]&hungry != 0 {
				use = 1 + 7*int(input[5])
			}
			if input[0]&syn != 0 && i < 2 && !d.connection.streams[p.side].begun && !d.connection.streams[1-p.side].mid {
				p.syn, p.acks = true, false
			}
			d.step(p)
		}
		d.finish()
	})
}
