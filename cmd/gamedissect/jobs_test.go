package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/split"
	"github.com/gamedissect/gamedissect/layers"
)

// sideBySide writes a capture with four games at once, between hosts of their own.
func sideBySide(t *testing.T) string {
	t.Helper()
	return sideBySideAt(t, 0, func(n, _ int) int64 { return int64(n) * 1e6 })
}

// sideBySideAt is sideBySide without the first packets of each game, and with the time of the nth packet, which is of
// a game.
func sideBySideAt(t *testing.T, skip int, at func(n, game int) int64) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "games.pcap")
	out, err := capture.Create(name, capture.WriterOptions{Format: "pcap"})
	noError(t, err)
	var files []*capture.File
	hosts := make(map[*capture.File]byte)
	for _, from := range []string{"bz24-ctf-capture.pcap", "iceball-cadence.pcap", "tribes-list-40.pcap", "bz17-c-violations.pcap"} {
		f, err := capture.Open(filepath.Join(captures, from))
		noError(t, err)
		files = append(files, f)
		hosts[f] = byte(20 + len(files))
	}
	defer closeAll(files)
	var p capture.Packet
	for _, f := range files {
		for range skip {
			noError(t, f.Next(&p))
		}
	}
	for n := 0; len(files) > 0; n++ {
		i := n % len(files)
		if files[i].Next(&p) != nil {
			files = append(files[:i:i], files[i+1:]...)
			continue
		}
		if place, ok := ip.Locate(uint16(p.LinkType), p.Data, p.Length); ok {
			src, dst := ip.Addresses(p.Data[place.Network:place.Transport])
			src[0], dst[0] = hosts[files[i]], hosts[files[i]]
		}
		p.Time, p.Interface = 1_700_000_000e9+at(n, int(hosts[files[i]])-20), 0
		noError(t, out.Write(&p))
	}
	noError(t, out.Close())
	return name
}

// Whatever is counted is the same however many engines share it, and so is what only one can show.
func TestJobs(t *testing.T) {
	games := sideBySide(t)
	numbers := []string{"2", "8"}
	if wiretest.RaceDetector {
		numbers = numbers[1:]
	}
	all := []string{"-r", games, "-r", filepath.Join(captures, "bz17-var-lost.pcap"), "-r", filepath.Join(captures, "bloodmasters-real.pcap.gz")}
	for i, args := range [][]string{
		{"-q"}, {"-q", "-z", "players", "-z", "kills"}, {"-q", "-z", "listing", "-T", "csv"}, {"-q", "-z", "findings,who"},
		{"-q", "-z", "endpoints"}, {"-q", "--severity", "warning", "--fail-on", "error"}, {"-q", "-c", "500"},
		{"-q", "--protocol", "tribes"}, {"-q", "-f", "udp"}, {"-q", "-z", "conv"}, {"-q", "-z", "other"}, {"-T", "line"},
		{"-q", "-Y", "tribes"}, {"-q", "--stats", "-"}, {"-q", "--once"}, {"-T", "json"}, {"-q", "--memory", "4"},
		{"-T", "line", "-z", "conv"}, {"-T", "line", "-t", "d"}, {"-V", "-x"},
		{"-T", "csv", "-Y", "finding"}, {"-T", "csv", "-e", "frame.time_relative", "-e", "info", "-e", "finding.rule"},
		{"-T", "csv", "-e", "tcp.stream"}, {"-T", "line", "--color", "always"}, {"-T", "ek"}, {"-T", "line", "-c", "700"},
	} {
		if wiretest.RaceDetector && i%4 != 0 { // the same goroutines with other texts
			continue
		}
		want, wantErrs, wantCode := dissect(append(args, all...)...)
		for _, jobs := range numbers {
			out, errs, code := dissect(append(append(args, "--jobs", jobs), all...)...)
			if out != want || errs != wantErrs || code != wantCode {
				t.Errorf("%q --jobs %s: exit code %d, want %d; %q\n%s\nwant\n%s", args, jobs, code, wantCode, errs, out, want)
			}
		}
	}
}

// Engines have the clock in common alone: what is silent for hours, and clocks that jump, mean the same to them.
func TestJobsClocks(t *testing.T) {
	for what, name := range map[string]string{
		"hours":  sideBySideAt(t, 30, func(n, _ int) int64 { return int64(n) * 1e6 * (1 + int64(n/200%2)*30e3) }),
		"passes": sideBySideAt(t, 30, func(n, _ int) int64 { return int64(n) * 12e9 }),
		"jumps":  sideBySideAt(t, 0, func(n, game int) int64 { return int64(n)*1e6 + int64(n/50%3*game)*3000e9 }),
		"back":   sideBySideAt(t, 0, func(n, _ int) int64 { return int64(n)*1e6 - int64(n/50%3)*200e9 }),
	} {
		args := []string{"-T", "line", "-r", name, "-r", filepath.Join(captures, "bz17-var-nosyn.pcap")} // years later
		want, _, _ := dissect(args...)
		if out, _, _ := dissect(append(args, "--jobs", "4")...); out != want {
			t.Errorf("%s (-one engine +four):\n%s", what, cmp.Diff(strings.Split(want, "\n"), strings.Split(out, "\n")))
		}
	}
}

// What is wrong with files is said once, and where it belongs.
func TestJobsTrouble(t *testing.T) {
	for _, form := range []string{"none", "line", "json"} {
		args := []string{
			"-T", form, "-r", filepath.Join(captures, "iceball-real-session.cutfile.pcap"), "-r", sideBySide(t), "-r", "nowhere.pcap",
		}
		want, wantErrs, wantCode := dissect(args...)
		out, errs, code := dissect(append(args, "--jobs", "2")...)
		if out != want || errs != wantErrs || code != wantCode || code != exitTrouble {
			t.Errorf("exit code %d, %s\n%s\nwant %d, %s\n%s", code, errs, out, wantCode, wantErrs, want)
		}
	}
	if _, errs, code := dissect("-q", "-r", "x.pcap", "--jobs", "0"); code != exitTrouble || !strings.Contains(errs, "--jobs 0") {
		t.Errorf("exit code %d: %s", code, errs)
	}
}

// Several engines read where their texts can be put in order, and one where something is asked that it alone knows.
func TestShared(t *testing.T) {
	games := sideBySide(t)
	for _, test := range []struct {
		args string
		want bool
	}{
		{"-q", true}, {"-T line", true}, {"-T json", true}, {"-V", true}, {"-T csv", true}, {"-q -z conv", true},
		{"-T json -Y tribes", true}, {"-T ek", false}, {"-T line -l", false}, {"-T csv -e tcp.stream", false}, {"-q --once", false},
		{"-T json -Y time_delta>1", false}, {"-q -z timeline", false},
	} {
		c, o := new(cobra.Command), new(dissectOptions)
		o.flags(c)
		noError(t, c.ParseFlags(append(strings.Fields(test.args), "-r", games, "--jobs", "3")))
		d, err := o.prepare(newOutputs(streams{nil, io.Discard, io.Discard}, games), everywhere)
		noError(t, err)
		stop := onInterrupt()
		done, err := d.readShared(stop)
		stop.release()
		if done != test.want || err != nil {
			t.Errorf("%s: %v, %v", test.args, done, err)
		}
	}
}

// rotated writes a capture as four files, as if it had been rotated in the middle of everything.
func rotated(t *testing.T, name string) (pattern string) {
	t.Helper()
	all := packetsOf(t, name)
	dir := t.TempDir()
	for i := range 4 {
		plain := filepath.Join(dir, fmt.Sprint(i, ".pcap"))
		out, err := capture.Create(plain, capture.WriterOptions{Format: "pcap"})
		noError(t, err)
		for _, p := range all[i*len(all)/4 : (i+1)*len(all)/4] {
			noError(t, out.Write(&p))
		}
		noError(t, out.Close())
		compress(t, plain)
	}
	return filepath.Join(dir, "*.pcap.zst")
}

// compress puts a compressed file in the place of one.
func compress(t *testing.T, name string) {
	t.Helper()
	b, err := os.ReadFile(name)
	noError(t, err)
	z, err := zstd.NewWriter(nil)
	noError(t, err)
	noError(t, errors.Join(os.WriteFile(name+".zst", z.EncodeAll(b, nil), 0o600), os.Remove(name)))
}

// Each capture that was rotated reads the same, however many engines share it.
func TestJobsRotated(t *testing.T) {
	all := files(t, ".pcapng", ".gz", ".zst", ".cutfile.pcap")
	if testing.Short() {
		all = all[:min(len(all), 12)]
	}
	for _, name := range all {
		args := []string{"-T", "json", "-r", rotated(t, name)}
		want, wantErrs, wantCode := dissect(args...)
		out, errs, code := dissect(append(args, "--jobs", "2")...)
		if out != want || errs != wantErrs || code != wantCode {
			t.Errorf("%s: exit code %d, want %d; %q, %q\n%s\nwant\n%s", name, code, wantCode, errs, wantErrs, out, want)
		}
	}
}

// crowd writes a capture of two servers that so many clients ask.
func crowd(t *testing.T, clients int) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "crowd.pcap")
	out, err := capture.Create(name, capture.WriterOptions{Format: "pcap"})
	noError(t, err)
	for i := range clients {
		b := append(make([]byte, 28), "\x10\x03\xff\x00\x01\x02\x00\x00"...) // a query of Tribes
		b[0], b[9] = 0x45, 17
		binary.BigEndian.PutUint16(b[2:], uint16(len(b)))
		binary.BigEndian.PutUint32(b[12:], uint32(20+i%2)<<24|uint32(i))
		binary.BigEndian.PutUint32(b[16:], uint32(20+i%2)<<24|1<<23)
		binary.BigEndian.PutUint16(b[20:], 4000)
		binary.BigEndian.PutUint16(b[22:], 28000)
		binary.BigEndian.PutUint16(b[24:], uint16(len(b)-20))
		p := capture.Packet{Data: b, Length: len(b), Time: 1_700_000_000e9 + int64(i)*1e5, LinkType: capture.LinkType(ip.LinkRaw)}
		noError(t, out.Write(&p))
	}
	noError(t, out.Close())
	return name
}

// When an engine has to forget something, one engine goes on where the text of several ends.
func TestJobsCrowded(t *testing.T) {
	args := []string{"-T", "line", "-z", "findings", "-r", crowd(t, 30_000)}
	for _, memory := range []string{"8", "48", "1000"} {
		args := append(args, "--memory", memory)
		want, wantErrs, wantCode := dissect(args...)
		out, errs, code := dissect(append(args, "--jobs", "2")...)
		if out != want || errs != wantErrs || code != wantCode {
			t.Errorf("--memory %s: exit code %d, want %d; %q, want %q; %d bytes, want %d", memory, code, wantCode, errs, wantErrs,
				len(out), len(want))
		}
	}
}

// The work is spread, and what is of one component stays together.
func TestPlan(t *testing.T) {
	f, err := capture.Open(sideBySide(t))
	noError(t, err)
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
