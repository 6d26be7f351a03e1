package capture_test

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/capture"
)

// timed returns a capture with packets at these times, in seconds. The packets contain their file and index.
func timed(file int, times []uint32) []byte {
	f := micro(little)
	b := f.header()
	for i, sec := range times {
		b = append(b, f.packet(sec, 0, fmt.Sprintf("%d.%d", file, i))...)
	}
	return b
}

// sorted returns the order in which Merge must return the packets, by a stable sort of all packets. A packet cannot
// overtake earlier packets of its file, so its sort key is the latest time so far in its file.
func sorted(files [][]uint32) []string {
	type entry struct {
		name string
		time uint32
	}
	var all []entry
	for file, times := range files {
		latest := uint32(0)
		for i, sec := range times {
			latest = max(latest, sec)
			all = append(all, entry{fmt.Sprintf("%d.%d", file, i), latest})
		}
	}
	slices.SortStableFunc(all, func(a, b entry) int { return cmp.Compare(a.time, b.time) })
	var names []string
	for _, e := range all {
		names = append(names, e.name)
	}
	return names
}

func names(packets []capture.Packet) (all []string) {
	for _, p := range packets {
		all = append(all, string(p.Data))
	}
	return all
}

// TestMergeSorts merges random files, which are plain, compressed, or cannot be opened again.
func TestMergeSorts(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	dir := t.TempDir()
	for round := range 100 {
		var files [][]uint32
		var sources []*capture.File
		for file := range rnd.IntN(6) {
			times := make([]uint32, rnd.IntN(20))
			for i := range times {
				times[i] = rnd.Uint32N(12)
			}
			if rnd.IntN(4) > 0 { // in other files, times may decrease
				slices.Sort(times)
			}
			files = append(files, times)
			content := timed(file, times)
			if rnd.IntN(4) == 0 {
				content = gz(content)
			}
			if rnd.IntN(3) == 0 {
				sources = append(sources, open(t, content))
			} else {
				sources = append(sources, store(t, filepath.Join(dir, fmt.Sprint(round, ".", file)), content))
			}
		}
		got, err := readAll(capture.Merge(sources...))
		if want := sorted(files); err != nil || !slices.Equal(names(got), want) {
			t.Fatalf("round %d: %v\n got %v\nwant %v", round, err, names(got), want)
		}
	}
}

func TestMergeErrors(t *testing.T) {
	cut := timed(0, []uint32{1, 4, 6})
	cut = cut[:len(cut)-1]
	damaged := append(timed(1, []uint32{2}), micro(little).record(3, 0, 1<<31, 0, "")...)
	m := capture.Merge(open(t, cut), open(t, damaged), open(t, timed(2, []uint32{3, 5, 7})))
	got, err := readAll(m)
	if want := "0.0 1.0 2.0 0.1 2.1 2.2"; strings.Join(names(got), " ") != want {
		t.Errorf("read %v, want %s", names(got), want)
	}
	want := "test: a record claims 2147483648 bytes of packet, above the limit of 262144; the file is damaged from here on (at byte 43, after packet 1)\n" +
		"test: the file ends inside a record: 18 of 19 bytes are there (at byte 62, after packet 2)"
	if err == nil || err.Error() != want {
		t.Errorf("errors are\n%v\nwant\n%s", err, want)
	}
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error("the joined error does not wrap io.ErrUnexpectedEOF")
	}
	for range 2 {
		if err := m.Next(new(capture.Packet)); err != io.EOF {
			t.Errorf("after the errors: %v", err)
		}
	}
}

// A merged packet keeps its file, number and bytes while other files are read ahead.
func TestMergeKeepsPackets(t *testing.T) {
	a, b := open(t, timed(0, []uint32{1, 3})), open(t, timed(1, []uint32{2, 4}))
	got, err := readAll(capture.Merge(a, b))
	if err != nil || fmt.Sprint(names(got)) != "[0.0 1.0 0.1 1.1]" || got[2].Number != 2 || got[2].Time != 3e9 || got[2].File != "test" {
		t.Errorf("%v %+v", err, got)
	}
}

func TestMergeClose(t *testing.T) {
	f := open(t, timed(0, []uint32{1, 2}))
	m := capture.Merge(f)
	var p capture.Packet
	if err := m.Next(&p); err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	if err := m.Next(&p); err != io.EOF {
		t.Errorf("after Close: %v", err)
	}
	if err := f.Next(&p); err == nil || err.Error() != "test: is closed" {
		t.Errorf("after Close: %v", err)
	}
}
