package decode

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	protocols "github.com/gamedissect/gamedissect/layers"
)

// recorded returns the frames of the captures in testdata, by file name.
func recorded() map[string][]Frame {
	all := make(map[string][]Frame)
	for _, pattern := range []string{"../testdata/pcap/*.pcap", "../testdata/pcap/*.pcapng", "../testdata/odd/*.pcap*"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			if frames := FramesIn(file); len(frames) > 0 {
				all[filepath.Base(file)] = frames
			}
		}
	}
	return all
}

// FramesIn returns the frames of a file, up to its first error.
func FramesIn(file string) (frames []Frame) {
	f, err := capture.Open(file)
	if err != nil {
		return nil // another package tests damaged files
	}
	defer f.Close()
	var p capture.Packet
	for f.Next(&p) == nil {
		frames = append(frames, Frame{Data: bytes.Clone(p.Data), Length: p.Length, Time: p.Time,
			Link: uint16(p.LinkType), Number: p.Number, File: file})
	}
	return frames
}

// mutations change the frames of a capture.
var mutations = []func(*rand.Rand, []Frame) []Frame{
	func(r *rand.Rand, frames []Frame) []Frame { // flip bits
		for i := range frames {
			if r.IntN(20) == 0 && len(frames[i].Data) > 0 {
				frames[i].Data = bytes.Clone(frames[i].Data)
				frames[i].Data[r.IntN(len(frames[i].Data))] ^= 1 << r.IntN(8)
			}
		}
		return frames
	},
	func(r *rand.Rand, frames []Frame) []Frame { // drop
		return slices.DeleteFunc(frames, func(Frame) bool { return r.IntN(15) == 0 })
	},
	func(r *rand.Rand, frames []Frame) []Frame { // duplicate
		for range len(frames)/20 + 1 {
			from := r.IntN(len(frames))
			frames = slices.Insert(frames, from+r.IntN(min(30, len(frames)-from)), frames[from])
		}
		return frames
	},
	func(r *rand.Rand, frames []Frame) []Frame { // reorder
		for i := range frames {
			if k := i + r.IntN(30); r.IntN(10) == 0 && k < len(frames) {
				frames[i], frames[k] = frames[k], frames[i]
			}
		}
		return frames
	},
	func(r *rand.Rand, frames []Frame) []Frame { // cut by a snap length
		for i := range frames {
			if f := &frames[i]; r.IntN(15) == 0 {
				f.Data = f.Data[:r.IntN(len(f.Data)+1)]
			}
		}
		return frames
	},
	func(r *rand.Rand, frames []Frame) []Frame { return frames[r.IntN(len(frames)):] },
	func(r *rand.Rand, frames []Frame) []Frame { return frames[:r.IntN(len(frames))+1] },
}

// mutant changes a capture in one to three ways.
func mutant(r *rand.Rand, frames []Frame) []Frame {
	frames = slices.Clone(frames)
	for n := 1 + r.IntN(3); n > 0 && len(frames) > 0; n-- {
		frames = mutations[r.IntN(len(mutations))](r, frames)
	}
	return frames
}

// TestAccountOfCaptures checks, for each capture and for mutants of it, that every byte of a recognised conversation is
// in a message or counted as skipped.
func TestAccountOfCaptures(t *testing.T) {
	wiretest.WithoutDetector(t)
	mutants := 3
	if wiretest.Full() {
		mutants = 60
	}
	var all Skipped
	for file, frames := range recorded() {
		t.Run(file, func(t *testing.T) {
			carries(t, Options{Protocols: protocols.All()}, frames)
			if len(frames) > 3000 && !wiretest.Full() {
				frames = frames[:3000]
			}
			for seed := range mutants {
				r := rand.New(rand.NewPCG(uint64(seed), uint64(len(frames))))
				n := carries(t, Options{Protocols: protocols.All()}, mutant(r, frames))
				for why, bytes := range n.Skipped.All() {
					all[why] += bytes
				}
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
		})
	}
	for _, why := range []Reason{AroundGap, BeforeFirst, BeforeRecognised, Unfinished, Late, BehindEnd, LackFragment} {
		if all[why] == 0 {
			t.Errorf("no bytes %s, so this test does not test the reason", why)
		}
	}
	t.Log(all)
}
