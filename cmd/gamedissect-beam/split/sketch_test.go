package split_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/gamedissect/gamedissect/cmd/gamedissect-beam/split"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/layers"
)

// sketches returns the sketches of parts of a capture.
func sketches(frames []decode.Frame, parts int) (list []*split.Sketch) {
	for i := range parts {
		s := split.NewSketcher(layers.All(), nil)
		for j := range frames[len(frames)*i/parts : len(frames)*(i+1)/parts] {
			s.Frame(&frames[len(frames)*i/parts+j])
		}
		list = append(list, s.Sketch())
	}
	return list
}

// TestSketch cuts captures into four parts. If the parts are merged, in any order, the result must be what a Splitter
// finds in the whole capture. Each part must know its components.
func TestSketch(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, file := range captures(t) {
		t.Run(filepath.Base(file), func(t *testing.T) { compareSketch(t, framesOf(t, file), r) })
	}
	t.Run("archive", func(t *testing.T) { compareSketch(t, archive(t, captures(t)[:20], 2), r) })
}

func compareSketch(t *testing.T, frames []decode.Frame, r *rand.Rand) {
	t.Helper()
	parts := sketches(frames, 4)
	var all *split.Sketch
	for range 4 {
		order := r.Perm(len(parts))
		left, right := new(split.Sketch), new(split.Sketch)
		for i, n := range order {
			if i%2 == 0 {
				left.Merge(parts[n])
			} else {
				right.Merge(parts[n])
			}
		}
		left.Merge(right)
		if all != nil && !reflect.DeepEqual(left, all) {
			t.Fatalf("merging in the order %v has a different result", order)
		}
		all = left
	}
	of, count := componentsOf(frames)
	merged := all.Parts()
	if merged.Count() != count {
		t.Errorf("%d components, want %d", merged.Count(), count)
	}
	asker := merged.Asker()
	named := make(map[int]int) // by the Splitter's number
	for i := range frames {
		got := asker.Of(&frames[i])
		if want, met := named[of[i]]; met && got != want || (got == 0) != (of[i] == 0) {
			t.Fatalf("frame %d is in component %d, want %d", i, got, want)
		}
		named[of[i]] = got
		part := slices.IndexFunc([]int{1, 2, 3, 4}, func(n int) bool { return i < len(frames)*n/4 })
		if got > 0 && !slices.Contains(merged.Seen(parts[part]), int32(got)) {
			t.Fatalf("part %d has a packet of component %d, but its sketch does not say so", part, got)
		}
	}
}

// TestSketchOfCrowd has more hosts than a part remembers, and a part that cannot be split.
func TestSketchOfCrowd(t *testing.T) {
	s := split.NewSketcher(layers.All(), nil)
	frame := framesOf(t, "../../../testdata/pcap/tribes-list-40.pcap")[0]
	data := slices.Clone(frame.Data)
	for i := range 1<<16 + 2 {
		data[14+14], data[14+15] = byte(i), byte(i>>8) // source address in an Ethernet frame
		data[14+13] = byte(i >> 16)
		frame.Data = data
		s.Frame(&frame)
	}
	k := s.Sketch()
	if !k.Everybody || len(k.Seen) != 0 {
		t.Errorf("everybody is %v, and Seen has %d bytes", k.Everybody, len(k.Seen))
	}
	parts := k.Parts()
	if seen := parts.Seen(k); len(seen) != parts.Count() {
		t.Errorf("the part may have %d components, want all %d", len(seen), parts.Count())
	}
	whole := &split.Sketch{Whole: true}
	k.Merge(whole)
	if !k.Whole || len(k.Hosts) != 0 || k.Parts().Count() != 1 {
		t.Errorf("merged with a whole part, it has %d components", k.Parts().Count())
	}
}

// TestSketchOfCrowdInOneFrame has a frame with several packets, in which the number of hosts exceeds the limit.
func TestSketchOfCrowdInOneFrame(t *testing.T) {
	s := split.NewSketcher(layers.All(), nil)
	number := 0
	for range 1<<15 + 1 {
		data := append([]byte{0x88, 0x01, 23: 0}, 0x80, 0) // Wi-Fi: several packets in a frame
		for range 2 {
			number++
			packet := udp(fmt.Sprintf("10.%d.%d.%d:9", number>>16, number>>8&255, number&255), "255.255.255.255:9", "hello")
			part := append([]byte{13: byte(8 + len(packet))}, "\xaa\xaa\x03\x00\x00\x00\x08\x00"...)
			data = append(append(data, part...), packet...)
			data = append(data, make([]byte, -(len(part)+len(packet))&3)...)
		}
		s.Frame(&decode.Frame{Data: data, Length: len(data), Link: ip.LinkWiFi})
	}
	if k := s.Sketch(); !k.Everybody || number != 1<<16+2 {
		t.Errorf("with %d hosts, everybody is %v", number, k.Everybody)
	}
}
