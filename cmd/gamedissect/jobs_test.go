package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/split"
	"github.com/gamedissect/gamedissect/layers"
)

// sideBySide writes a capture with four games at once, between hosts of their own.
func sideBySide(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "games.pcap")
	out, err := capture.Create(name, capture.WriterOptions{Format: "pcap"})
	if err != nil {
		t.Fatal(err)
	}
	var files []*capture.File
	hosts := make(map[*capture.File]byte)
	for _, from := range []string{"bz24-ctf-capture.pcap", "iceball-cadence.pcap", "tribes-list-40.pcap", "bz17-c-violations.pcap"} {
		f, err := capture.Open(filepath.Join(captures, from))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
		hosts[f] = byte(20 + len(files))
	}
	defer closeAll(files)
	var p capture.Packet
	for n := 0; len(files) > 0; n++ {
		i := n % len(files)
		if files[i].Next(&p) != nil {
			files = append(files[:i:i], files[i+1:]...)
			continue
		}
		if at, ok := ip.Locate(uint16(p.LinkType), p.Data, p.Length); ok {
			src, dst := ip.Addresses(p.Data[at.Network:at.Transport])
			src[0], dst[0] = hosts[files[i]], hosts[files[i]]
		}
		p.Time, p.Interface = 1_700_000_000e9+int64(n)*1e6, 0
		if err := out.Write(&p); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

// Whatever is counted is the same however many engines share it, and so is what only one can show.
func TestJobs(t *testing.T) {
	games := sideBySide(t)
	all := []string{"-r", games, "-r", filepath.Join(captures, "bz17-var-lost.pcap"), "-r", filepath.Join(captures, "bloodmasters-real.pcap.gz")}
	for _, args := range [][]string{
		{"-q"}, {"-q", "-z", "players", "-z", "kills"}, {"-q", "-z", "listing", "-T", "csv"}, {"-q", "-z", "findings,who"},
		{"-q", "-z", "endpoints"}, {"-q", "--severity", "warning", "--fail-on", "error"}, {"-q", "-c", "500"},
		{"-q", "--protocol", "tribes"}, {"-q", "-f", "udp"}, {"-q", "-z", "conv"}, {"-q", "-z", "other"}, {"-T", "line"},
		{"-q", "-Y", "tribes"}, {"-q", "--stats", "-"}, {"-q", "--once"}, {"-T", "json"}, {"-q", "--memory", "4"},
	} {
		want, wantErrs, wantCode := dissect(append(args, all...)...)
		for _, jobs := range []string{"2", "8"} {
			out, errs, code := dissect(append(append(args, "--jobs", jobs), all...)...)
			if out != want || errs != wantErrs || code != wantCode {
				t.Errorf("%q --jobs %s: exit code %d, want %d; %q\n%s\nwant\n%s", args, jobs, code, wantCode, errs, out, want)
			}
		}
	}
}

// What is wrong with files is said once.
func TestJobsTrouble(t *testing.T) {
	args := []string{"-q", "-r", filepath.Join(captures, "iceball-real-session.cutfile.pcap"), "-r", sideBySide(t), "-r", "nowhere.pcap"}
	want, wantErrs, wantCode := dissect(args...)
	out, errs, code := dissect(append(args, "--jobs", "2")...)
	if out != want || errs != wantErrs || code != wantCode || code != exitTrouble {
		t.Errorf("exit code %d, %s\n%s\nwant %d, %s\n%s", code, errs, out, wantCode, wantErrs, want)
	}
	if _, errs, code := dissect("-q", "-r", "x.pcap", "--jobs", "0"); code != exitTrouble || !strings.Contains(errs, "--jobs 0") {
		t.Errorf("exit code %d: %s", code, errs)
	}
}

// The work is spread, and what is of one component stays together.
func TestPlan(t *testing.T) {
	f, err := capture.Open(sideBySide(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // only read: nothing can be lost
	s := split.New(layers.All(), nil)
	var p capture.Packet
	for f.Next(&p) == nil {
		s.Frame(&decode.Frame{Data: p.Data, Length: p.Length, Link: uint16(p.LinkType)})
	}
	parts := s.Parts()
	for jobs, want := range map[int]int{1: 0, 2: 2, 3: 3, 4: 4, 60: min(60, parts.Count())} {
		plan := newPlan(parts, jobs)
		if want == 0 {
			if plan != nil {
				t.Errorf("%d jobs: there is a plan", jobs)
			}
			continue
		}
		busy := make(map[uint8]bool)
		for _, worker := range plan.workers {
			busy[worker] = true
		}
		if len(busy) != want || len(plan.workers) != parts.Count()+1 {
			t.Errorf("%d jobs: %d have work, want %d", jobs, len(busy), want)
		}
	}
}
