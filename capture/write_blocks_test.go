package capture_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/capture"
)

// Comments that are too long for an option or for readers are cut between two characters.
func TestLongComments(t *testing.T) {
	long := strings.Repeat("é", 40_000)
	p := capture.Packet{Data: []byte("x"), Length: 1, LinkType: 1, Comments: []string{"own", long}}
	var out bytes.Buffer
	w, err := capture.NewWriter(&out, "test", capture.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(&p, "further", long), w.Write(&p, slices.Repeat([]string{long}, 10)...), w.Close()); err != nil {
		t.Fatal(err)
	}
	got, err := read(out.Bytes())
	if err != nil || len(got) != 2 {
		t.Fatalf("%d packets, %v", len(got), err)
	}
	cut := strings.Repeat("é", (65535-3)/2) + "…"
	if diff := cmp.Diff([]string{"own", cut, "further", cut}, got[0].Comments); diff != "" {
		t.Errorf("%.500s", diff)
	}
	for _, many := range [][]string{slices.Repeat([]string{""}, 70_000), slices.Repeat([]string{"abcde"}, 30_000), append(slices.Repeat([]string{"abcd"}, 32_765), "123456789")} {
		p := capture.Packet{Comments: many, LinkType: 1}
		got, err := read(written(t, "pcapng", []capture.Packet{p}))
		if err != nil || len(got) != 1 {
			t.Fatalf("%d packets, %v", len(got), err)
		}
		bounded(t, many, got[0].Comments)
		if last := got[0].Comments[len(got[0].Comments)-1]; !strings.HasSuffix(last, "…") {
			t.Errorf("the last of %d comments is %q", len(got[0].Comments), last)
		}
	}
	last := got[1].Comments[len(got[1].Comments)-1]
	if n := len(got[1].Comments); n != 5 || !strings.HasSuffix(last, "é…") || len(last) > 65535 {
		t.Errorf("%d comments, the last of %d bytes", n, len(last))
	}
}

// bounded checks that the Writer has cut comments only as far as the limits require.
func bounded(t *testing.T, comments, got []string) {
	t.Helper()
	room := 256<<10 - 4
	for i, g := range got {
		room -= 4 + (len(g)+3)/4*4
		switch head, cut := strings.CutSuffix(g, "…"); {
		case i < len(comments) && g == comments[i]:
		case cut && i < len(comments) && strings.HasPrefix(comments[i], head) && len(comments[i]) > 65535:
			if len(g) < 65535-3 && room > 70_000 {
				t.Errorf("comment %d was cut to %d bytes", i, len(g))
			}
		case cut && i == len(got)-1 && strings.HasPrefix(comments[i], head) && room < 16:
		default:
			t.Errorf("comment %d of %d: %.50q became %.50q, with room for %d", i, len(comments), comments[i], g, room)
		}
		if i < len(comments) && utf8.ValidString(comments[i]) && !utf8.ValidString(g) {
			t.Errorf("comment %d is cut inside a character", i)
		}
	}
	if room < 0 || len(got) < len(comments) && room >= 16 {
		t.Errorf("%d of %d comments, with room for %d", len(got), len(comments), room)
	}
}

// For a packet of a new link type or interface, the Writer adds an interface description. After 4096 interfaces it
// begins another section.
func TestManyInterfaces(t *testing.T) {
	var packets []capture.Packet
	for i := range 10_000 {
		packets = append(packets, capture.Packet{Data: []byte{}, Time: int64(i), LinkType: capture.LinkType(i % 5), Interface: i})
	}
	packets = append(packets, packets[0], packets[9999])
	file := written(t, "pcapng", packets)
	got, err := read(file)
	if err != nil || len(got) != len(packets) {
		t.Fatalf("%d packets, %v", len(got), err)
	}
	for i, p := range got {
		if p.Time != packets[i].Time || p.LinkType != packets[i].LinkType {
			t.Fatalf("packet %d is %+v", i+1, p)
		}
	}
	if n := bytes.Count(file, binary.LittleEndian.AppendUint32(nil, 0x0a0d0d0a)); n != 3 {
		t.Errorf("%d sections", n)
	}
	var out bytes.Buffer
	w, err := capture.NewWriter(&out, "test", capture.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4096 {
		if got := w.Interface(capture.Interface{LinkType: 1}); got != i {
			t.Fatalf("interface %d has index %d", i, got)
		}
	}
	if got := w.Interface(capture.Interface{}); got != -1 {
		t.Errorf("interface 4097 has index %d", got)
	}
	if err := errors.Join(w.Write(&capture.Packet{LinkType: 1, Interface: 4095}), w.Close()); err != nil {
		t.Error(err)
	}
	if got, err := read(out.Bytes()); err != nil || len(got) != 1 || got[0].Interface != 4095 {
		t.Errorf("%d packets, %v", len(got), err)
	}
	w, err = capture.NewWriter(&out, "test", capture.WriterOptions{})
	if err := errors.Join(err, w.Write(&packets[0])); err != nil || w.Interface(capture.Interface{}) != -1 {
		t.Errorf("%v, or Interface succeeded after the first Write", err)
	}
}

// Wireshark's programs read every file that the Writer writes, without errors.
func TestWiresharkReads(t *testing.T) {
	tshark, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip("tshark is not installed")
	}
	capinfos, err := exec.LookPath("capinfos")
	if err != nil {
		t.Skip("capinfos is not installed")
	}
	run := func(program string, args ...string) string {
		var out, stderr bytes.Buffer
		c := exec.Command(program, args...)
		c.Stdout, c.Stderr = &out, &stderr
		err := c.Run()
		text := stderr.String()
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "Running as user") {
				text = strings.Replace(text, line, "", 1)
			}
		}
		if err != nil || strings.TrimSpace(text) != "" {
			t.Errorf("%s: %v\n%s", c, err, text)
		}
		return out.String()
	}
	for _, name := range []string{"a.pcapng", "a.pcap"} {
		name = filepath.Join(t.TempDir(), name)
		w, err := capture.Create(name, capture.WriterOptions{Application: "gamedissect 1.0", OS: "Linux 6", Hardware: "a machine"})
		if err != nil {
			t.Fatal(err)
		}
		w.Interface(capture.Interface{Name: "lo", Description: "the loopback", LinkType: 1, SnapLength: 1000, Filter: "udp port 53", OS: "Linux 6"})
		w.Interface(capture.Interface{Name: "eth0", LinkType: 1})
		huge := strings.Repeat("é", 40_000)
		err = errors.Join(
			w.Write(&capture.Packet{Data: make([]byte, 60), Length: 61, Time: 1_700_000_000_123_456_789, LinkType: 1, Comments: []string{"one"}}, "two é"),
			w.Write(&capture.Packet{Data: make([]byte, 63), Length: 63, Time: 1_700_000_001_000_000_001, LinkType: 1, Interface: 1}),
			w.Write(&capture.Packet{Data: make([]byte, 99), Length: 99, Time: 1_700_000_002_000_000_000, LinkType: 1, Interface: 1}, huge),
			w.Statistics(0, capture.InterfaceStatistics{Start: 1_700_000_000e9, End: 1_700_000_003e9, Received: 12, Dropped: 3, Accepted: 1, OSDropped: 4, Delivered: -1}),
			w.Statistics(1, capture.InterfaceStatistics{Received: -1, Dropped: -1, Accepted: -1, OSDropped: -1, Delivered: -1}),
			w.Close())
		if err != nil {
			t.Fatal(err)
		}
		got := run(tshark, "-r", name, "-T", "fields", "-e", "frame.number", "-e", "frame.time_epoch", "-e", "frame.len", "-e", "frame.cap_len", "-e", "frame.interface_name", "-e", "frame.comment")
		pcapng := filepath.Ext(name) == ".pcapng"
		for i, want := range []string{
			"1\t1700000000.123456789\t61\t60\tlo\tone,two é\n",
			"2\t1700000001.000000001\t63\t63\teth0\t\n",
			"3\t1700000002.000000000\t99\t99\teth0\t" + strings.Repeat("é", 32766) + "…\n",
		} {
			if !pcapng {
				want = strings.Join(strings.Split(want, "\t")[:4], "\t") + "\t\t\n"
			}
			if line, _, _ := strings.Cut(got, "\n"); line+"\n" != want {
				t.Errorf("%s: packet %d is\n%.200q, want\n%.200q", name, i+1, line, want)
			}
			_, got, _ = strings.Cut(got, "\n")
		}
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), " ") }
		info := squeeze(run(capinfos, "-M", name))
		wanted := []string{"Number of packets:   3\n", "File timestamp precision:  nanoseconds (9)\n"}
		if pcapng {
			wanted = append(wanted, "Capture application: gamedissect 1.0\n", "Capture oper-sys:    Linux 6\n", "Capture hardware:    a machine\n",
				"Number of interfaces in file: 2\n", "Name = lo\n", "Description = the loopback\n", "Filter string = udp port 53\n",
				"Operating system = Linux 6\n", "Time precision = nanoseconds (9)\n", "Number of stat entries = 1\n")
		}
		for _, want := range wanted {
			if !strings.Contains(info, squeeze(want)) {
				t.Errorf("%s: the output of capinfos lacks %q:\n%.2000s", name, want, info)
			}
		}
	}
}

// File.Next skips statistics, so this test compares their bytes with those in section 4.6
// of draft-ietf-opsawg-pcapng.
func TestStatisticsBlock(t *testing.T) {
	var out bytes.Buffer
	w, err := capture.NewWriter(&out, "test", capture.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	w.Interface(capture.Interface{LinkType: 1})
	err = errors.Join(w.Flush(), w.Statistics(0, capture.InterfaceStatistics{Start: 1<<32 + 2, End: 3<<32 + 4, Received: 5, Dropped: -1, Accepted: 0, OSDropped: 6, Delivered: -1, Comments: []string{"a comment"}}))
	at := out.Len()
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	o := ng{little}
	u64 := func(v uint64) string { return string(o.AppendUint64(nil, v)) }
	want := o.block(5, o.u32(0, 3, 4),
		o.option(2, string(o.u32(1, 2))), o.option(3, string(o.u32(3, 4))), o.option(1, "a comment"),
		o.option(4, u64(5)), o.option(6, u64(0)), o.option(7, u64(6)), o.option(0, ""))
	if diff := cmp.Diff(want, out.Bytes()[at:]); diff != "" {
		t.Error(diff)
	}
	if err := w.Statistics(0, capture.InterfaceStatistics{}); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	w, err = capture.NewWriter(&out, "test", capture.WriterOptions{})
	if err := errors.Join(err, w.Statistics(0, capture.InterfaceStatistics{})); err == nil || !strings.Contains(err.Error(), "interface 0, but only 0 were announced") {
		t.Error(err)
	}
}
