package capture_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/capture"
)

func TestParseRing(t *testing.T) {
	for _, v := range []struct {
		conditions string
		want       capture.Limits
		err        string
	}{
		{"", capture.Limits{}, ""},
		{"filesize:2", capture.Limits{Bytes: 2000}, ""},
		{"duration:0.5 files:3", capture.Limits{Duration: time.Second / 2, Files: 3}, ""},
		{"packets:9 packets:10", capture.Limits{Packets: 10}, ""},
		{"duration:3600 filesize:1000 packets:7 files:99999", capture.Limits{Packets: 7, Bytes: 1e6, Duration: time.Hour, Files: 99999}, ""},
		{"files:3", capture.Limits{}, "files says how many are kept, but not when one is full; add filesize, duration or packets"},
		{"interval:60", capture.Limits{}, `"interval:60": is not supported; duration:SECONDS counts from the first packet of a file`},
		{"packets:1 printname:x", capture.Limits{}, `"printname:x": is not supported`},
		{"nametimenum:2", capture.Limits{}, `"nametimenum:2": is not supported; names have the number first and then the time`},
		{"packets", capture.Limits{}, `"packets" is not a condition; the conditions are filesize:KB, duration:SECONDS, packets:N and files:N`},
		{"size:1", capture.Limits{}, `"size:1" is not a condition; the conditions are filesize:KB, duration:SECONDS, packets:N and files:N`},
		{"filesize:0", capture.Limits{}, `"filesize:0": want a whole number of kilobytes from 1 to 9223372036854775`},
		{"filesize:1.5", capture.Limits{}, `"filesize:1.5": want a whole number of kilobytes from 1 to 9223372036854775`},
		{"packets:-1", capture.Limits{}, `"packets:-1": want a whole number of packets from 1 to 9223372036854775807`},
		{"packets:1 files:100000", capture.Limits{}, `"files:100000": want a whole number of files from 1 to 99999`},
		{"duration:0", capture.Limits{}, `"duration:0": want a number of seconds above 0 and below 9223372036`},
		{"duration:NaN", capture.Limits{}, `"duration:NaN": want a number of seconds above 0 and below 9223372036`},
		{"duration:1e10", capture.Limits{}, `"duration:1e10": want a number of seconds above 0 and below 9223372036`},
	} {
		got, err := capture.ParseRing(strings.Fields(v.conditions))
		if got != v.want || fmt.Sprint(err) != v.err && (err != nil || v.err != "") {
			t.Errorf("%s: %+v, %v\nwant %+v, %s", v.conditions, got, err, v.want, v.err)
		}
	}
}

func TestStop(t *testing.T) {
	all := "packets:10 filesize:2 duration:1.5 files:3"
	for _, v := range []struct {
		conditions     string
		packets, bytes int64
		elapsed        time.Duration
		files          int
		want           bool
	}{
		{"", 1e18, 1e18, 1e18, 1e9, false},
		{all, 9, 1999, 1499 * time.Millisecond, 2, false},
		{all, 10, 0, 0, 0, true},
		{all, 0, 2000, 0, 0, true},
		{all, 0, 0, 1500 * time.Millisecond, 0, true},
		{all, 0, 0, 0, 3, true},
		{"files:1", 1e18, 1e18, 1e18, 0, false},
	} {
		s, err := capture.ParseStop(strings.Fields(v.conditions))
		if got := s.After(v.packets, v.bytes, v.elapsed, v.files); got != v.want || err != nil {
			t.Errorf("%+v: %v, %v", v, got, err)
		}
	}
	if s, err := capture.ParseStop([]string{"packets:1", "interval:1"}); s != (capture.Stop{}) || err == nil {
		t.Errorf("%+v, %v", s, err)
	}
}

// inUTC sets local time to UTC for one test.
func inUTC(t *testing.T) {
	old := time.Local
	time.Local = time.UTC
	t.Cleanup(func() { time.Local = old })
}

// contents lists the packets in each file of a ring by their times in seconds.
func contents(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, name := range names {
		f, err := capture.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := readAll(f)
		f.Close()
		if err != nil {
			t.Error(err)
		}
		line := filepath.Base(name) + ":"
		for _, p := range got {
			line += fmt.Sprint(" ", (p.Time-ringTime)/1e9)
		}
		all = append(all, line)
	}
	return all
}

const ringTime = 1795289400 * 1e9 // 2026-11-21 19:30:00 UTC

func TestRing(t *testing.T) {
	inUTC(t)
	for _, v := range []struct {
		name, ring string
		seconds    []int64
		want       []string
	}{
		{"net.pcapng", "packets:2", []int64{0, 1, 2, 3, 4}, []string{
			"net_00001_20261121193000.pcapng: 0 1", "net_00002_20261121193002.pcapng: 2 3", "net_00003_20261121193004.pcapng: 4"}},
		{"net.pcap", "packets:2 files:2", []int64{0, 1, 2, 3, 4, 5, 6}, []string{
			"net_00003_20261121193004.pcap: 4 5", "net_00004_20261121193006.pcap: 6"}},
		{"a.b", "packets:1 files:1", []int64{0, 0, 7}, []string{"a_00003_20261121193007.b: 7"}},
		{"net", "duration:60", []int64{0, 59, 60, 100, 119, 120, 7200}, []string{
			"net_00001_20261121193000: 0 59", "net_00002_20261121193100: 60 100 119", "net_00003_20261121193200: 120", "net_00004_20261121213000: 7200"}},
		{"net", "duration:60", []int64{0, 9000, 10, 20, 90}, []string{ // the packet at 9000 s has the wrong time
			"net_00001_20261121193000: 0", "net_00002_20261121220000: 9000 10 20", "net_00003_20261121193130: 90"}},
		{"net.pcap", "filesize:1", []int64{0, 1, 2, 3}, []string{ // 24 bytes of header, and 500 per packet
			"net_00001_20261121193000.pcap: 0 1", "net_00002_20261121193002.pcap: 2 3"}},
		{"net.pcap", "packets:1", []int64{}, nil},
	} {
		dir := t.TempDir()
		limits, err := capture.ParseRing(strings.Fields(v.ring))
		if err != nil {
			t.Fatal(err)
		}
		w, err := capture.Create(filepath.Join(dir, v.name), capture.WriterOptions{Limits: limits})
		if err != nil {
			t.Fatal(err)
		}
		if left := contents(t, dir); len(left) != 0 || w.Files() != nil {
			t.Errorf("files before the first packet: %s, %s", left, w.Files())
		}
		if v.name != "net.pcapng" { // for that name, the Writer creates the interface itself, in every file
			if i := w.Interface(capture.Interface{LinkType: 113, Name: "any"}); i != 0 {
				t.Error(i)
			}
		}
		for _, s := range v.seconds {
			full := w.Full(ringTime + s*1e9)
			begun := len(w.Files())
			if err := w.Write(&capture.Packet{Data: make([]byte, 484), Time: ringTime + s*1e9, LinkType: 113}); err != nil {
				t.Fatal(err)
			}
			if w.Full(ringTime+s*1e9) < full || limits.Files == 0 && full != max(0, len(w.Files())-1) {
				t.Errorf("%s: %d files are full, %d existed before, %d after", v.ring, full, begun, len(w.Files()))
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		got := contents(t, dir)
		if len(v.seconds) == 0 { // one file without packets, named after the current time
			if len(got) != 1 || !strings.HasPrefix(got[0], "net_00001_2") || !strings.HasSuffix(got[0], ".pcap:") {
				t.Errorf("without packets: %q", got)
			}
			continue
		}
		if diff := cmp.Diff(v.want, got); diff != "" {
			t.Errorf("%s %s:\n%s", v.name, v.ring, diff)
		}
		var names []string
		for _, line := range v.want {
			name, _, _ := strings.Cut(line, ":")
			names = append(names, filepath.Join(dir, name))
		}
		if diff := cmp.Diff(names, w.Files()); diff != "" {
			t.Error(diff)
		}
	}
}

// A ring never overwrites a file. If it cannot create a file, Create or Write returns the error.
func TestRingFails(t *testing.T) {
	inUTC(t)
	dir := t.TempDir()
	name := filepath.Join(dir, "net.pcapng")
	o := capture.WriterOptions{Limits: capture.Limits{Packets: 1, Files: 2}}
	p := capture.Packet{Time: ringTime, LinkType: 1}
	taken := filepath.Join(dir, "net_00002_20261121193000.pcapng")
	if err := os.WriteFile(taken, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := capture.Create(name, o)
	if err := errors.Join(err, w.Write(&p)); err != nil {
		t.Fatal(err)
	}
	err = w.Write(&p)
	if e := fault(err); !errors.Is(err, fs.ErrExist) || e.File != taken || w.Write(&p) != err || w.Close() != err {
		t.Errorf("over another file: %v", err)
	}
	if b, err := os.ReadFile(taken); string(b) != "mine" {
		t.Errorf("the existing file contains %q, %v", b, err)
	}
	if got := w.Files(); len(got) != 1 {
		t.Errorf("files %q", got)
	}

	w, err = capture.Create(filepath.Join(dir, "other"), o)
	if err := errors.Join(err, w.Write(&p)); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(w.Files()[0]); err != nil { // the Writer must accept that a file is gone
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(&p), w.Write(&p), w.Close()); err != nil || len(w.Files()) != 2 {
		t.Errorf("%v, %q", err, w.Files())
	}

	missing := filepath.Join(dir, "missing", "net")
	if _, err := capture.Create(missing, o); !errors.Is(err, fs.ErrNotExist) || fault(err).File != missing {
		t.Errorf("no folder: %v", err)
	}
	for _, l := range []capture.Limits{{Files: 1}, {Packets: -1}, {Bytes: 1, Duration: -1}} {
		if _, err := capture.Create(name, capture.WriterOptions{Limits: l}); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%+v: %v", l, err)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".*")); err != nil || len(slices.DeleteFunc(left, func(s string) bool { return s == dir })) != 0 {
		t.Errorf("left over: %q, %v", left, err)
	}
}
