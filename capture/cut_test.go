package capture_test

import (
	"bytes"
	"io"
	"reflect"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// part is a header, a record or a block of a file, with the number of its packets.
type part struct {
	bytes   []byte
	packets int
}

// pcapParts and ngParts return the parts of small files that use every feature.
func pcapParts() []part {
	f := micro(big)
	return []part{{f.header(), 0}, {f.packet(1, 2, "one"), 1}, {f.packet(1, 3, ""), 1}, {f.packet(3, 4, "two!"), 1}}
}

func ngParts() []part {
	l, b := ng{little}, ng{big}
	return []part{
		{l.section(), 0}, {l.device(1, 0, l.option(2, "eth0")), 0}, {l.enhanced(0, 1, "one", l.option(1, "comment")), 1},
		{l.block(5, make([]byte, 20)), 0}, {l.simple(3, "two"), 1}, {l.old(0, 7, "three"), 1},
		{b.section(), 0}, {b.device(1, 0), 0}, {b.enhanced(0, 9, "four"), 1}, {b.block(0xbad), 0},
	}
}

func whole(parts []part) (file []byte) {
	for _, p := range parts {
		file = append(file, p.bytes...)
	}
	return file
}

// expect returns how many packets the first n bytes of a file contain, and whether the file could end there.
func expect(parts []part, n int) (packets int, clean bool) {
	for _, p := range parts {
		if n < len(p.bytes) {
			return packets, n == 0
		}
		packets += p.packets
		n -= len(p.bytes)
	}
	return packets, true
}

func TestEveryTruncation(t *testing.T) {
	for name, parts := range map[string][]part{"pcap": pcapParts(), "pcapng": ngParts()} {
		t.Run(name, func(t *testing.T) {
			file := whole(parts)
			all, err := read(file)
			if err != nil {
				t.Fatal(err)
			}
			for n := range len(file) + 1 {
				got, err := read(file[:n])
				want, clean := expect(parts, n)
				if diff := cmp.Diff(all[:want], got); want > 0 && diff != "" || len(got) != want {
					t.Errorf("%d bytes contain %d packets, read %d\n%s", n, want, len(got), diff)
				}
				headless := n < len(parts[0].bytes)
				if (err == nil) != (clean && !headless) || fault(err).Truncated != (!clean && !headless) {
					t.Errorf("%d bytes, clean end %v: %v", n, clean, err)
				}
			}
		})
	}
}

// Each truncation of a compressed file is reported, even between two members or frames, because the first member or
// frame ends inside a record.
func TestEveryCompressedTruncation(t *testing.T) {
	parts := pcapParts()
	plain := whole(parts)
	all, _ := read(gz(plain))
	for name, file := range map[string][]byte{
		"gzip":         gz(plain),
		"gzip named":   gzNamed(plain),
		"gzip members": join(gz(plain[:50]), gz(plain[50:])),
		"zstd":         zst(plain),
		"zstd frames":  join(zst(plain[:50]), zst(plain[50:])),
	} {
		t.Run(name, func(t *testing.T) {
			clean := 0
			for n := range len(file) {
				got, err := read(file[:n])
				if n >= 4 && err != nil && !fault(err).Truncated {
					t.Errorf("%d bytes: %v", n, err)
				}
				if err == nil {
					clean++
				}
				if diff := cmp.Diff(all[:len(got)], got); len(got) > 0 && diff != "" {
					t.Errorf("%d bytes: %s", n, diff)
				}
			}
			if clean > 0 {
				t.Errorf("%d truncations read as a clean end", clean)
			}
		})
	}
}

// The packets do not depend on how the bytes arrive.
func TestPieces(t *testing.T) {
	for _, v := range variants() {
		for name, wrap := range map[string]func(io.Reader) io.Reader{
			"one byte": iotest.OneByteReader, "half": iotest.HalfReader, "data with EOF": iotest.DataErrReader,
		} {
			got, err := readFrom(wrap(bytes.NewReader(v.file)))
			placed(t, v, got)
			if err != nil || !reflect.DeepEqual(got, v.want) {
				t.Errorf("%s by %s: %d packets, %v", v.name, name, len(got), err)
			}
		}
	}
}
