package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"

	"github.com/gamedissect/gamedissect/capture"
)

// A herd is captures from which mutants are bred: captures that nobody wrote and no program would.
type herd struct {
	names   []string
	packets [][]capture.Packet // of each file, its first ones
}

const (
	herdPackets   = 1000 // that are kept of a capture
	mutantPackets = 300  // that a mutant has of them
)

// newHerd reads the captures of a folder and of those below it, as far as each can be read.
func newHerd(dir string) (*herd, error) {
	files, err := findCaptures(dir)
	if err != nil {
		return nil, err
	}
	h := new(herd)
	for _, file := range files {
		f, err := capture.Open(file)
		if err != nil {
			continue // some are damaged on purpose
		}
		var list []capture.Packet
		for p := (capture.Packet{}); len(list) < herdPackets && f.Next(&p) == nil; {
			p.Data = bytes.Clone(p.Data)
			list = append(list, p)
		}
		_ = f.Close() // only read: nothing can be lost
		if len(list) > 0 {
			h.names, h.packets = append(h.names, file), append(h.packets, list)
		}
	}
	if len(h.names) == 0 {
		return nil, fmt.Errorf("%s: none of the captures can be read", dir)
	}
	return h, nil
}

// breed gives the bytes of a mutant, always the same for a number, and the capture it comes from.
func (h *herd) breed(number uint64) (mutant []byte, from string) {
	r := rand.New(rand.NewPCG(number, 0))
	n := r.IntN(len(h.names))
	all := h.packets[n]
	// Half of them from the beginning, where connections open.
	if begin := r.IntN(2) * r.IntN(len(all)); begin > 0 {
		all = all[begin:]
	}
	list := slices.Clone(all[:min(len(all), 1+r.IntN(mutantPackets))])
	for range 1 + r.IntN(12) {
		list = change(r, list)
	}
	mutant = pcapOf(list)
	if r.IntN(10) == 0 { // the file itself is damaged
		for range 1 + r.IntN(4) {
			mutant[r.IntN(len(mutant))] = byte(r.Uint32())
		}
		mutant = mutant[:len(mutant)-r.IntN(len(mutant)/2)]
	}
	return mutant, h.names[n]
}

// change does one thing to a list of packets.
func change(r *rand.Rand, list []capture.Packet) []capture.Packet {
	at := r.IntN(len(list))
	p := &list[at]
	switch r.IntN(10) {
	case 0:
		if len(list) > 1 {
			return slices.Delete(list, at, at+1)
		}
	case 1:
		return slices.Insert(list, r.IntN(len(list)+1), *p)
	case 2:
		other := r.IntN(len(list))
		list[at].Data, list[other].Data = list[other].Data, list[at].Data
		list[at].Length, list[other].Length = list[other].Length, list[at].Length
	case 3:
		p.Time += r.Int64N(1e12) - 5e11
	case 4:
		p.Data = p.Data[:r.IntN(len(p.Data)+1)] // and was longer on the wire
	case 5:
		p.Data = splice(r, p.Data, list[r.IntN(len(list))].Data)
		p.Length = len(p.Data)
	default:
		p.Data = bytes.Clone(p.Data)
		for range 1 + r.IntN(4) {
			spoil(r, p.Data)
		}
	}
	return list
}

// splice gives the beginning of one packet with a part of another in it.
func splice(r *rand.Rand, a, b []byte) []byte {
	cut, from := r.IntN(len(a)+1), r.IntN(len(b)+1)
	return slices.Concat(a[:cut], b[from:from+r.IntN(len(b)-from+1)], a[cut:])
}

// spoil puts something into a packet that its reader may not expect: a bit, a byte, a number of two or four.
// Most of it goes behind the headers, which are soon nobody's.
func spoil(r *rand.Rand, data []byte) {
	if len(data) == 0 {
		return
	}
	at := r.IntN(len(data))
	if headers := 42; len(data) > headers && r.IntN(4) > 0 {
		at = headers + r.IntN(len(data)-headers)
	}
	edges := []uint32{0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff}
	value := edges[r.IntN(len(edges))]
	switch rest := data[at:]; {
	case r.IntN(2) == 0:
		rest[0] ^= 1 << r.IntN(8)
	case len(rest) >= 4 && r.IntN(3) == 0:
		binary.BigEndian.PutUint32(rest, value)
	case len(rest) >= 2 && r.IntN(2) == 0:
		binary.LittleEndian.PutUint16(rest, uint16(value))
	default:
		rest[0] = byte(value)
	}
}

// pcapOf writes packets as a pcap file of the link type that the first one has.
func pcapOf(list []capture.Packet) []byte {
	b := binary.LittleEndian.AppendUint32(nil, 0xa1b23c4d) // nanoseconds
	b = binary.LittleEndian.AppendUint16(b, 2)
	b = binary.LittleEndian.AppendUint16(b, 4)
	b = append(b, make([]byte, 8)...)
	b = binary.LittleEndian.AppendUint32(b, 1<<18)
	b = binary.LittleEndian.AppendUint32(b, uint32(list[0].LinkType))
	for i := range list {
		p := &list[i]
		b = binary.LittleEndian.AppendUint32(b, uint32(p.Time/1e9))
		b = binary.LittleEndian.AppendUint32(b, uint32(p.Time%1e9))
		b = binary.LittleEndian.AppendUint32(b, uint32(len(p.Data)))
		b = binary.LittleEndian.AppendUint32(b, uint32(max(p.Length, len(p.Data))))
		b = append(b, p.Data...)
	}
	return b
}

// writeMutant writes a mutant to a file.
func (h *herd) writeMutant(number uint64, file string) (from string, err error) {
	b, from := h.breed(number)
	return from, os.WriteFile(file, b, 0o600)
}
