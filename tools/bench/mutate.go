package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/gamedissect/gamedissect/capture"
)

// A corpus contains the captures from which mutants are made.
type corpus struct {
	names   []string
	packets [][]capture.Packet // first packets of each file
}

const (
	corpusPackets = 1000 // packets read from the beginning of a capture
	mutantPackets = 300  // maximum packets of a mutant
)

// readCorpus reads the captures in a folder and its subfolders, each as far as possible.
func readCorpus(dir string) (*corpus, error) {
	files, err := findCaptures(dir)
	if err != nil {
		return nil, err
	}
	c := new(corpus)
	for _, file := range files {
		f, err := capture.Open(file)
		if err != nil {
			continue // error ignored: some are damaged on purpose
		}
		var list []capture.Packet
		for p := (capture.Packet{}); len(list) < corpusPackets && f.Next(&p) == nil; {
			p.Data = bytes.Clone(p.Data)
			list = append(list, p)
		}
		_ = f.Close() // harmless: the file was only read
		if len(list) > 0 {
			c.names, c.packets = append(c.names, file), append(c.packets, list)
		}
	}
	if len(c.names) == 0 {
		return nil, fmt.Errorf("%s: none of the captures can be read", dir)
	}
	return c, nil
}

// mutant returns the bytes of a pcap file, and the name of the capture from which it was made. The same number always
// results in the same file.
func (c *corpus) mutant(number uint64) (b []byte, from string) {
	r := rand.New(rand.NewPCG(number, 0))
	n := r.IntN(len(c.names))
	all := c.packets[n]
	// Half of the mutants begin at the beginning of a capture, where connections open.
	if begin := r.IntN(2) * r.IntN(len(all)); begin > 0 {
		all = all[begin:]
	}
	list := slices.Clone(all[:min(len(all), 1+r.IntN(mutantPackets))])
	for range 1 + r.IntN(12) {
		list = change(r, list)
	}
	b = pcapOf(list)
	if r.IntN(10) == 0 { // damage the file itself
		for range 1 + r.IntN(4) {
			b[r.IntN(len(b))] = byte(r.Uint32())
		}
		b = b[:len(b)-r.IntN(len(b)/2)]
	}
	return b, c.names[n]
}

// change makes one change to a list of packets.
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
		p.Data = p.Data[:r.IntN(len(p.Data)+1)] // cut, although longer on the wire
	case 5:
		p.Data = splice(r, p.Data, list[r.IntN(len(list))].Data)
		p.Length = len(p.Data)
	default:
		p.Data = bytes.Clone(p.Data)
		for range 1 + r.IntN(4) {
			corrupt(r, p.Data)
		}
	}
	return list
}

// splice inserts a part of b into a.
func splice(r *rand.Rand, a, b []byte) []byte {
	cut, from := r.IntN(len(a)+1), r.IntN(len(b)+1)
	return slices.Concat(a[:cut], b[from:from+r.IntN(len(b)-from+1)], a[cut:])
}

// corrupt changes a bit, a byte, or a number of two or four bytes. Three of four changes are after the headers, because
// a packet with a broken header is rejected early.
func corrupt(r *rand.Rand, data []byte) {
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

// pcapOf writes packets as a pcap file with the link type of the first packet.
func pcapOf(list []capture.Packet) []byte {
	b := binary.LittleEndian.AppendUint32(nil, 0xa1b23c4d) // magic of pcap in nanoseconds
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
