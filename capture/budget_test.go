package capture_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/capture"
)

// store writes a file and opens it.
func store(t *testing.T, name string, content []byte) *capture.File {
	t.Helper()
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := capture.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// stored writes each of contents to its own file and opens the files.
func stored(t *testing.T, contents [][]byte) (files []*capture.File) {
	t.Helper()
	dir := t.TempDir()
	for i, b := range contents {
		files = append(files, store(t, filepath.Join(dir, fmt.Sprint(i)), b))
	}
	return files
}

// merged reads a merge to its end. It returns the packets' data, the highest number of open files, the highest number
// of bytes in use, and the error at the end.
func merged(files []*capture.File) (names []string, open, memory int, err error) {
	m := capture.Merge(files...)
	defer m.Close()
	var p capture.Packet
	for {
		if err = m.Next(&p); err != nil {
			return names, open, memory, err
		}
		names = append(names, string(p.Data))
		o, n := capture.InUse(m)
		open, memory = max(open, o), max(memory, n)
	}
}

// wide compresses b to a zstd file that requests a window of 8 MiB.
func wide(b []byte) []byte {
	z := frame(b)
	z[5] = 13 << 3 // the window descriptor
	return z
}

// If files follow each other in time, at most two are open at once, whatever the order of the arguments.
func TestMergeOpensFilesWhenDue(t *testing.T) {
	for name, pack := range map[string]func([]byte) []byte{"plain": bytes.Clone, "gzip": gz, "zstd": wide} {
		t.Run(name, func(t *testing.T) {
			var times [][]uint32
			var contents [][]byte
			for i := range 20 {
				at := uint32(i * 7 % 20 * 100)
				times = append(times, []uint32{at, at + 50, at + 99})
				contents = append(contents, pack(timed(i, times[i])))
			}
			got, open, _, err := merged(stored(t, contents))
			if !slices.Equal(got, sorted(times)) || err != io.EOF {
				t.Errorf("%v: read %v", err, got)
			}
			if open > 2 {
				t.Errorf("%d files were open at once", open)
			}
		})
	}
}

// If files overlap in time, Merge reads as many as the budget allows. For each of the others, it returns an error.
func TestMergeIsBounded(t *testing.T) {
	for name, c := range map[string]struct {
		pack  func([]byte) []byte
		files int
		whole int // minimum number of files that are read completely
	}{
		"plain":              {bytes.Clone, 400, 400},
		"gzip":               {gz, 600, 400},
		"zstd":               {wide, 8, 6},
		"zstd, small window": {func(b []byte) []byte { return frame(b) }, 30, 30},
	} {
		t.Run(name, func(t *testing.T) {
			var contents [][]byte
			for i := range c.files {
				contents = append(contents, c.pack(timed(i, []uint32{1, 2})))
			}
			got, _, memory, err := merged(stored(t, contents))
			if memory > capture.MaxMemory {
				t.Errorf("%d bytes were in use", memory)
			}
			lost := strings.Count(err.Error(), "there is not enough memory for it")
			if len(got)+2*lost != 2*c.files || lost > c.files-c.whole || lost == 0 && c.whole < c.files {
				t.Errorf("%d packets of %d files, and %d files without memory", len(got), c.files, lost)
			}
		})
	}
}

// The decompression window of each zstd frame counts against the budget, wherever the frame is in a file, even if the
// file cannot be opened again.
func TestMergeCountsWindows(t *testing.T) {
	b := timed(0, []uint32{1, 2, 3}) // bytes 28 to 31, the microseconds of the first packet, are 0
	const most = 1 << 20             // for the decompressor and the buffers
	for name, c := range map[string]struct {
		content []byte
		window  int
	}{
		"one frame":     {frame(b), 512 << 10},
		"a larger one":  {join(frame(b[:30]), wide(b[30:])), 8 << 20},
		"a smaller one": {join(wide(b[:30]), frame(b[30:])), 8 << 20},
		"all kinds": {join(zst(b[:25]), []byte("\x50\x2a\x4d\x18\x02\x00\x00\x00ab"), frame(b[25:28], 4, []byte{}),
			wide(b[32:])), 8 << 20},
		"not compressed": {b, 0},
	} {
		for where, f := range map[string]*capture.File{"file": stored(t, [][]byte{c.content})[0], "pipe": open(t, c.content)} {
			other := open(t, timed(1, []uint32{1}))
			got, _, memory, err := merged([]*capture.File{f, other})
			if len(got) != 4 || err != io.EOF || memory < c.window || memory > c.window+most {
				t.Errorf("%s in a %s: %d packets, %v, %d bytes for a window of %d", name, where, len(got), err, memory, c.window)
			}
		}
	}
}

// If the budget does not allow the window of a frame, Merge stops reading only that file.
func TestMergeWithoutMemoryForFrame(t *testing.T) {
	b := timed(6, []uint32{1, 3, 4})
	const second = 24 + 16 + 3
	var contents [][]byte
	for i := range 6 {
		contents = append(contents, wide(timed(i, []uint32{1, 9})))
	}
	files := stored(t, append(contents, join(frame(b[:second]), wide(b[second:]))))
	got, _, _, err := merged(files)
	if fmt.Sprint(got) != "[0.0 1.0 2.0 3.0 4.0 5.0 6.0 0.1 1.1 2.1 3.1 4.1 5.1]" || fault(err).Packet != 1 || fault(err).File != files[6].Name() ||
		!strings.HasPrefix(fault(err).Reason, "there is not enough memory for it") {
		t.Errorf("%v: read %v", err, got)
	}
}

// Files use no buffers before their packets are due or after all their packets were read.
func TestMergeFreesBuffers(t *testing.T) {
	const files, size = 50, 250_000
	var contents [][]byte
	for i := range uint32(files) {
		contents = append(contents, gz(join(micro(little).header(), micro(little).packet(i, 0, strings.Repeat("x", size)))))
	}
	m := capture.Merge(stored(t, contents)...)
	defer m.Close()
	heap := func() int {
		runtime.GC()
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return int(s.HeapAlloc)
	}
	before := heap()
	var p capture.Packet
	for i := range files {
		if err := m.Next(&p); err != nil {
			t.Fatal(err)
		}
		if i%(files-1) == 0 {
			if more := heap() - before; more > files*size/4 {
				t.Errorf("%d bytes are in use at packet %d", more, i)
			}
		}
	}
	runtime.KeepAlive(m)
}

// Replacing a file before it is due causes an error.
func TestMergeReportsReplacedFile(t *testing.T) {
	files := stored(t, [][]byte{timed(0, []uint32{1, 2}), timed(1, []uint32{3})})
	m := capture.Merge(files...)
	defer m.Close()
	var p capture.Packet
	if err := m.Next(&p); err != nil {
		t.Fatal(err)
	}
	name := files[1].Name()
	if err := os.WriteFile(name+".new", timed(9, []uint32{3}), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(name+".new", name); err != nil {
		t.Fatal(err)
	}
	if got, err := readAll(m); fmt.Sprint(names(got)) != "[0.1]" || err == nil || !strings.Contains(err.Error(), "was replaced") {
		t.Errorf("%v: read %v", err, names(got))
	}
}
