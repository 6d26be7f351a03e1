package capture_test

import (
	"bytes"
	"io"
	"runtime"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/gamedissect/gamedissect/capture"
)

func TestNextDoesNotAllocate(t *testing.T) {
	pcap, pcapng := flow(20_000) // about 6 MB, so the buffer is refilled many times
	for name, s := range map[string]capture.Source{
		"pcap":   open(t, pcap),
		"pcapng": open(t, pcapng),
		"merged": capture.Merge(open(t, pcap), open(t, pcapng)),
	} {
		var p capture.Packet
		if err := s.Next(&p); err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(15_000, func() {
			if err := s.Next(&p); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations per packet", name, n)
		}
	}
}

// allocated returns how many bytes f allocates in total.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// If a file claims a large length but lacks the data, no memory is allocated for that length.
func TestFalseLengths(t *testing.T) {
	f, o := micro(little), ng{little}
	f.snap = 1<<32 - 1
	head := join(o.section(), o.device(1, 1<<31))
	lie := func(block []byte, at int, v uint32) []byte {
		o.PutUint32(block[at:], v)
		return join(head, block)
	}
	for name, file := range map[string][]byte{
		"pcap 1 MiB":           join(f.header(), f.record(1, 2, 1<<20, 0, "")),
		"pcap 4 GiB":           join(f.header(), f.record(1, 2, 1<<32-1, 0, "")),
		"pcapng block 1 MiB":   lie(o.enhanced(0, 1, ""), 4, 1<<20),
		"pcapng block 4 GiB":   lie(o.enhanced(0, 1, ""), 4, 1<<32-4),
		"pcapng skipped 4 GiB": lie(o.block(4), 4, 1<<32-4),
		"pcapng packet 4 GiB":  lie(o.enhanced(0, 1, ""), 20, 1<<32-1),
		"pcapng option":        join(head, o.enhanced(0, 1, "", o.u16(1, 0xffff))),
		"pcapng section":       lie(o.section(), 4, 1<<32-4),
	} {
		var err error
		if n := allocated(func() { _, err = read(file) }); n > 300<<10 {
			t.Errorf("%s: allocated %d bytes", name, n)
		}
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Data that expands a thousand times takes little memory, whether it is one block or many packets.
func TestDecompressionBomb(t *testing.T) {
	const size = 64 << 20
	zeros := make([]byte, 1<<20)
	bomb := func(start []byte) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		write(w, start)
		for range size / len(zeros) {
			write(w, zeros)
		}
		w.Close()
		return b.Bytes()
	}
	o := ng{little}
	skipped := o.block(4)
	o.PutUint32(skipped[4:], 1<<32-4)
	for name, file := range map[string][]byte{
		"empty packets": bomb(micro(little).header()),
		"skipped block": bomb(join(o.section(), skipped[:8])),
	} {
		n := allocated(func() {
			f, err := capture.NewReader(bytes.NewReader(file), "bomb")
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			var p capture.Packet
			for err == nil {
				err = f.Next(&p)
			}
			if err != io.EOF && !fault(err).Truncated {
				t.Error(err)
			}
		})
		if n > 4<<20 {
			t.Errorf("%s: allocated %d bytes", name, n)
		}
	}
}

// Closing a half-read file, or failing to open one, stops the decompressor.
func TestCloseStopsDecompressor(t *testing.T) {
	pcap, _ := flow(20_000)
	junk := append([]byte{1, 2, 3, 4}, pcap...)
	before := runtime.NumGoroutine()
	for _, file := range [][]byte{gz(pcap), zst(pcap), gz(junk)} {
		if f, err := capture.NewReader(bytes.NewReader(file), "test"); err == nil {
			var p capture.Packet
			if err := f.Next(&p); err != nil {
				t.Error(err)
			}
			f.Close()
		}
	}
	for wait := time.Millisecond; runtime.NumGoroutine() > before; wait *= 2 {
		if wait > 5*time.Second {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		time.Sleep(wait)
	}
}

// Comments and interfaces are kept, but only up to a limit.
func TestMetadataIsBounded(t *testing.T) {
	o := ng{little}
	file := o.section()
	for range 4096 {
		file = append(file, o.device(1, 0)...)
	}
	file = append(file, o.enhanced(4095, 1, "x", bytes.Repeat(o.option(1, ""), 60_000))...)
	var got []capture.Packet
	n := allocated(func() { got, _ = read(file) })
	if len(got) != 1 || len(got[0].Comments) != 60_000 {
		t.Fatalf("read %d packets", len(got))
	}
	if n > 8<<20 {
		t.Errorf("allocated %d bytes", n)
	}
}
