package capture_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/capture"
)

// written returns the file that a Writer writes for packets.
func written(t testing.TB, format string, packets []capture.Packet) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := capture.NewWriter(&out, "test", capture.WriterOptions{Format: format})
	if err != nil {
		t.Fatal(err)
	}
	for i := range packets {
		if err := w.Write(&packets[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// bare returns packets without the fields that change in a written file: the file name and the interface numbers.
func bare(packets []capture.Packet, comments bool) []capture.Packet {
	ids := map[string]int{}
	out := slices.Clone(packets)
	for i := range out {
		p := &out[i]
		key := fmt.Sprint(p.File, p.Interface, p.LinkType, len(p.Data) > 256<<10)
		if _, ok := ids[key]; !ok {
			ids[key] = len(ids)
		}
		p.Interface, p.File, p.Number, p.Offset = ids[key], "", i+1, 0
		if !comments {
			p.Comments = nil
		}
	}
	return out
}

// oneLink reports whether a pcap file can store the packets.
func oneLink(packets []capture.Packet) bool {
	return !slices.ContainsFunc(packets, func(p capture.Packet) bool { return p.LinkType != packets[0].LinkType })
}

// differ returns the difference. reflect.DeepEqual comes first because it is fast.
func differ(want, got []capture.Packet) string {
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return cmp.Diff(want, got)
}

func sameAgain(t *testing.T, packets []capture.Packet) {
	t.Helper()
	got, err := read(written(t, "pcapng", packets))
	if diff := differ(bare(packets, true), bare(got, true)); diff != "" || err != nil {
		t.Errorf("pcapng: %v\n%.2000s", err, diff)
	}
	if !oneLink(packets) {
		return
	}
	got, err = read(written(t, "pcap", packets))
	for i := range got {
		if got[i].Interface != 0 || got[i].Comments != nil {
			t.Errorf("pcap: %+v", got[i])
		}
	}
	want := bare(packets, false)
	for i := range want {
		want[i].Interface = 0
	}
	if diff := differ(want, bare(got, false)); diff != "" || err != nil {
		t.Errorf("pcap: %v\n%.2000s", err, diff)
	}
}

// Captures of real programs stay the same when they are written and read again.
func TestWriteWhatWasRead(t *testing.T) {
	names, err := filepath.Glob("../testdata/pcap/*.pcap*")
	if err != nil {
		t.Fatal(err)
	}
	files, all := 0, []capture.Packet(nil)
	for _, name := range names {
		if strings.Contains(name, ".golden") || strings.Contains(name, ".expected") {
			continue
		}
		f, err := capture.Open(name)
		if err != nil {
			continue // reported by the tests of reading
		}
		packets, _ := readAll(f) // up to the damage, if any
		f.Close()
		if len(packets) == 0 {
			continue
		}
		t.Run(filepath.Base(name), func(t *testing.T) { sameAgain(t, packets) })
		files++
		all = append(all, packets...)
	}
	t.Run("all in one", func(t *testing.T) { sameAgain(t, all) })
	if files < 40 || len(all) < 2000 {
		t.Errorf("only %d files with %d packets", files, len(all))
	}
}

// TestWriteExtremes writes times, lengths and link types at the limits of the formats.
func TestWriteExtremes(t *testing.T) {
	packets := []capture.Packet{
		{Data: []byte{}, Length: 0, Time: 0, LinkType: 0},
		{Data: []byte("a"), Length: math.MaxInt32, Time: 1, LinkType: 65535},
		{Data: bytes.Repeat([]byte("b"), 256<<10), Length: 256 << 10, Time: (1<<32)*1e9 - 1, LinkType: 1, Comments: []string{"", "é", "\xff\x00"}},
	}
	sameAgain(t, packets[:1])
	sameAgain(t, packets[1:2])
	sameAgain(t, packets[2:])
	large := capture.Packet{Data: make([]byte, 1<<20), Length: 1 << 20, Time: math.MaxInt64, LinkType: 1}
	large.Comments = []string{strings.Repeat("c", 65535), "d", strings.Repeat("e", 65535), strings.Repeat("f", 60000)}
	packets = append(packets, large, packets[2])
	got, err := read(written(t, "pcapng", packets))
	if diff := differ(bare(packets, true), bare(got, true)); diff != "" || err != nil {
		t.Errorf("%v\n%.2000s", err, diff)
	}
}

func TestWriterRefuses(t *testing.T) {
	ether := capture.Packet{Data: []byte("frame"), Length: 5, LinkType: 1}
	with := func(change func(*capture.Packet)) capture.Packet {
		p := ether
		change(&p)
		return p
	}
	cooked := with(func(p *capture.Packet) { p.LinkType = 113 })
	old := with(func(p *capture.Packet) { p.Time = -1 })
	late := with(func(p *capture.Packet) { p.Time = 1 << 32 * 1e9 })
	big := with(func(p *capture.Packet) { p.Data = make([]byte, 256<<10+1) })
	huge := with(func(p *capture.Packet) { p.Data = make([]byte, 1<<20+1) })
	second := with(func(p *capture.Packet) { p.Interface = 1 })
	eth := []capture.Interface{{Name: "eth0", LinkType: 1}}
	for _, v := range []struct {
		format     string
		interfaces []capture.Interface
		bad        capture.Packet
		want       string
	}{
		{"pcap", nil, cooked, "a packet is Linux cooked v1, but a pcap file has one link type, here Ethernet; write pcapng"},
		{"pcap", nil, late, "a packet has a time after 2106, which pcap cannot store; write pcapng"},
		{"pcap", nil, old, "a packet has a time before 1970, which pcap cannot store; write pcapng"},
		{"pcapng", eth, old, "a packet has a time before 1970, which the announced interface cannot store"},
		{"pcap", nil, big, "a packet has 262145 bytes, above the limit of 262144"},
		{"pcapng", eth, big, "a packet has 262145 bytes, above the limit of 262144"},
		{"pcapng", nil, huge, "a packet has 1048577 bytes, above the limit of 1048576"},
		{"pcapng", eth, second, "a packet names interface 1, but only 1 were announced"},
		{"pcapng", eth, cooked, "a packet is Linux cooked v1, but its interface was announced as Ethernet"},
		{"pcap", append(eth, capture.Interface{LinkType: 113}), with(func(p *capture.Packet) { p.LinkType, p.Interface = 113, 1 }),
			"a packet is Linux cooked v1, but a pcap file has one link type, here Ethernet; write pcapng"},
	} {
		var out bytes.Buffer
		w, err := capture.NewWriter(&out, "out", capture.WriterOptions{Format: v.format})
		if err != nil {
			t.Fatal(err)
		}
		for i, in := range v.interfaces {
			if got := w.Interface(in); got != i {
				t.Errorf("interface %d has index %d", i, got)
			}
		}
		err = w.Write(&ether)
		at := w.Size()
		bad := w.Write(&v.bad)
		want := fmt.Sprintf("out: %s (at byte %d, after packet 1)", v.want, at)
		if err != nil || bad == nil || bad.Error() != want || !errors.Is(bad, fs.ErrInvalid) {
			t.Errorf("%v\n got %v\nwant %s", err, bad, want)
		}
		if err := errors.Join(w.Write(&ether), w.Close()); err != nil { // the next packet is accepted again
			t.Error(err)
		}
		if got, err := read(out.Bytes()); err != nil || len(got) != 2 {
			t.Errorf("%s: %d packets, %v", v.want, len(got), err)
		}
		if err := w.Write(&ether); !errors.Is(err, fs.ErrClosed) || w.Close() != nil {
			t.Errorf("after Close: %v", err)
		}
	}
}

func TestWriterFormats(t *testing.T) {
	dir := t.TempDir()
	for _, v := range []struct{ name, format, want string }{
		{"a.pcap", "", "pcap"},
		{"a.PCAP", "", "pcap"},
		{"a.pcapng", "", "pcapng"},
		{"a", "", "pcapng"},
		{"a.cap", "pcap", "pcap"},
		{"b.pcap", "pcapng", "pcapng"},
		{"a.pcap.gz", "", "error: compressed captures are not written, because one that is cut short loses more than a packet; write it without .gz and compress it afterwards"},
		{"a.ZST", "pcap", "error: compressed captures are not written, because one that is cut short loses more than a packet; write it without .zst and compress it afterwards"},
		{"a", "erf", `error: cannot be written as "erf"; the formats are pcapng and pcap`},
		{"missing/a", "", "error: cannot be created: no such file or directory"},
		{".", "", "error: cannot be created: is a directory"},
	} {
		name := filepath.Join(dir, v.name)
		w, err := capture.Create(name, capture.WriterOptions{Format: v.format})
		if reason, ok := strings.CutPrefix(v.want, "error: "); ok {
			if e := fault(err); e.File != name || e.Reason != reason && e.Err != nil && errors.Is(err, fs.ErrInvalid) {
				t.Errorf("%s: %v, want %s", v.name, err, reason)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{name}, w.Files()); diff != "" || w.Close() != nil {
			t.Error(diff)
		}
		f, err := capture.Open(name) // a capture without packets is valid
		if err != nil {
			t.Fatal(err)
		}
		if got, err := readAll(f); len(got) != 0 || err != nil || f.Format() != v.want {
			t.Errorf("%s: %s with %d packets, %v", v.name, f.Format(), len(got), err)
		}
		f.Close()
	}
}

// After the header and after every flush, the output ends between two records, so a kill between two writes is
// harmless.
func TestWritesAreWhole(t *testing.T) {
	for _, format := range []string{"pcap", "pcapng"} {
		for _, each := range []bool{false, true} {
			var pieces splitWriter
			w, err := capture.NewWriter(&pieces, "test", capture.WriterOptions{Format: format, Each: each})
			if err != nil {
				t.Fatal(err)
			}
			const packets = 3000
			for i := range packets {
				p := capture.Packet{Data: bytes.Repeat([]byte{byte(i)}, i%1400), Time: int64(i), LinkType: 1, Comments: []string{"x"}}
				if err := w.Write(&p); err != nil {
					t.Fatal(err)
				}
			}
			before := len(pieces)
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if each && before < packets || !each && (before > 60 || before < 20) {
				t.Errorf("%s, each %v: %d writes before the end", format, each, before)
			}
			last := -1
			for i := range min(len(pieces), 100) { // with Each, later pieces are like these
				got, err := read(bytes.Join(pieces[:i+1], nil))
				if err != nil || len(got) < last || each && len(got) > max(last, 0)+1 {
					t.Errorf("%s: %d packets after %d writes, %d before, %v", format, len(got), i+1, last, err)
				}
				last = len(got)
			}
			if !each && last != packets {
				t.Errorf("%d packets", last)
			}
		}
	}
}

// splitWriter keeps the bytes of each call separately.
type splitWriter [][]byte

func (s *splitWriter) Write(b []byte) (int, error) {
	*s = append(*s, bytes.Clone(b))
	return len(b), nil
}

// FuzzWriter writes arbitrary packets and reads them back.
func FuzzWriter(f *testing.F) {
	f.Add([]byte("data"), "comment", int64(1_700_000_000_123_456_789), uint16(1), 9, uint16(1))
	f.Add([]byte{}, "", int64(0), uint16(113), 0, uint16(0))
	f.Add([]byte("x"), "é…\xff", int64(math.MaxInt64), uint16(65535), -1, uint16(60000))
	f.Add([]byte("y"), strings.Repeat("€", 9), int64(1)<<62, uint16(228), math.MaxInt, uint16(9000))
	f.Add([]byte("z"), "abc", int64(-1), uint16(1), 1, uint16(3))
	f.Fuzz(func(t *testing.T, data []byte, comment string, at int64, link uint16, length int, many uint16) {
		if len(data) > 1<<16 || len(comment) > 1<<10 || at < -9223372036e9 {
			return
		}
		p := capture.Packet{Data: data, Length: length, Time: at, LinkType: capture.LinkType(link), Interface: int(many) % 3}
		p.Comments = slices.Repeat([]string{comment}, int(many)%16)
		more := []string{strings.Repeat(comment, int(many)), comment}
		other := p
		other.LinkType ^= 1
		for _, format := range []string{"pcap", "pcapng"} {
			var out bytes.Buffer
			w, err := capture.NewWriter(&out, "fuzz", capture.WriterOptions{Format: format})
			if err != nil {
				t.Fatal(err)
			}
			if len(comment)*int(many) > 1<<20 {
				return
			}
			var want []capture.Packet
			for _, v := range []capture.Packet{p, other, p} {
				err := w.Write(&v, more...)
				valid := format == "pcapng" || at >= 0 && at < 1<<32*1e9 && v.LinkType == p.LinkType
				if (err == nil) != valid {
					t.Fatalf("%s: %v for %+v", format, err, v)
				}
				if valid {
					want = append(want, v)
				}
			}
			if err := w.Close(); err != nil || w.Size() != int64(out.Len()) {
				t.Fatalf("%v, %d of %d bytes", err, out.Len(), w.Size())
			}
			got, err := read(out.Bytes())
			if err != nil || len(got) != len(want) {
				t.Fatalf("%s: %d packets of %d, %v", format, len(got), len(want), err)
			}
			for i, g := range got {
				v := want[i]
				v.Length = min(max(v.Length, len(data)), math.MaxInt32)
				if !bytes.Equal(g.Data, data) || g.Time != at || g.LinkType != v.LinkType || g.Length != v.Length {
					t.Errorf("%s: wrote %+v, read %+v", format, v, g)
				}
				if format == "pcapng" {
					bounded(t, slices.Concat(v.Comments, more), g.Comments)
				}
			}
		}
	})
}

func TestStandardOutput(t *testing.T) {
	name := filepath.Join(t.TempDir(), "out.pcap") // the name "-" implies the format pcapng
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	out := &os.Stdout //nolint:forbidigo // replaced by a file
	old := *out
	*out = f
	t.Cleanup(func() { *out = old; f.Close() })
	w, err := capture.Create("-", capture.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(&capture.Packet{LinkType: 1}), w.Close()); err != nil || w.Files() != nil {
		t.Errorf("%v, files %q", err, w.Files())
	}
	if _, err := f.Write(nil); err != nil {
		t.Errorf("standard output was closed: %v", err)
	}
	in, err := capture.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if got, err := readAll(in); err != nil || len(got) != 1 || in.Format() != "pcapng" {
		t.Errorf("%d packets, %v", len(got), err)
	}
	if _, err := capture.Create("-", capture.WriterOptions{Limits: capture.Limits{Packets: 1}}); fault(err).File != "standard output" {
		t.Errorf("a ring on standard output: %v", err)
	}
}

// Packets with times before 1970 are written to pcapng and read back unchanged.
func TestWriteBefore1970(t *testing.T) {
	var out bytes.Buffer
	w, err := capture.NewWriter(&out, "out", capture.WriterOptions{Format: "pcapng"})
	if err != nil {
		t.Fatal(err)
	}
	times := []int64{-1, 0, -1e9, 1, -9223372036e9, -7}
	for _, at := range times {
		if err := w.Write(&capture.Packet{Data: []byte("x"), Length: 1, LinkType: 1, Time: at}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := read(out.Bytes())
	if err != nil || len(got) != len(times) {
		t.Fatalf("%d packets, %v", len(got), err)
	}
	for i, p := range got {
		if p.Time != times[i] {
			t.Errorf("packet %d: %d, want %d", i, p.Time, times[i])
		}
	}
}
