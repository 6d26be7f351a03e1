package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
)

// TestSensors has three sensors with the same addresses in their networks. The clock of one sensor is wrong by half a
// century.
func TestSensors(t *testing.T) {
	dir := t.TempDir()
	sensors := make(map[string][]string)
	list := packets(t, "../../testdata/pcap/iceball-cadence.pcap")
	for sensor, from := range map[string]int{"east": 0, "south [1]": len(list) / 3, "west..": len(list) / 2} {
		part := slices.Clone(list[from:])
		for i := range part {
			if part[i].Time += int64(from) * 1e6; sensor == "west.." {
				part[i].Time -= 50 * 365 * 24 * 3600 * 1e9
			}
		}
		sensors[sensor] = rotate(t, filepath.Join(dir, sensor), part, 3)
	}
	got, summary := beamed(t, options{
		Inputs: []string{dir + "/*/*"}, Output: t.TempDir(), Sensor: "([^/]+)/[^/]+$", ShardPackets: 100,
	})
	if len(summary.Statistics) != 3 || len(summary.Copies)+len(summary.Trouble) > 0 {
		t.Errorf("%v", summary)
	}
	same(t, got, direct(t, sensors, 1))
}

// TestBroken has files that are cut, missing, duplicated, overlapping in time, or not captures.
func TestBroken(t *testing.T) {
	dir := t.TempDir()
	list := packets(t, "../../testdata/pcap/bz24-query.pcap")
	half := len(list) / 2
	good := []string{
		write(t, dir+"/1.pcapng", list[:half]), write(t, dir+"/2.pcapng.zst", list[half:]),
		write(t, dir+"/3.pcapng", packets(t, "../../testdata/pcap/tribes-list-40.pcap")),
	}
	cut(t, good[2], 10)
	want := direct(t, map[string][]string{"": good}, 1)

	write(t, dir+"/4.pcapng.gz", list[half:])              // a copy
	write(t, dir+"/5.pcapng.gz", list[half-7:len(list)-3]) // overlap from rotation
	cut(t, write(t, dir+"/6.pcapng.zst", list[:3]), 1<<20)
	if err := os.WriteFile(dir+"/7.pcap", []byte("no capture"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir+"/8.pcap", 0o777); err != nil {
		t.Fatal(err)
	}
	got, summary := beamed(t, options{
		Inputs: []string{dir + "/*", dir + "/1*", dir + "/nowhere"}, Output: t.TempDir(), ShardPackets: 1,
	})
	same(t, got, want)
	var bad []string
	for _, trouble := range summary.Trouble {
		bad = append(bad, fmt.Sprint(filepath.Base(trouble.File), " ", trouble.Packets))
	}
	cutAfter := len(packets(t, good[2]))
	wantBad := []string{fmt.Sprint("3.pcapng ", cutAfter), "6.pcapng.zst 0", "7.pcap 0", "8.pcap 0", "nowhere 0"}
	if !slices.Equal(bad, wantBad) {
		t.Errorf("trouble with %q, want %q", bad, wantBad)
	}
	if len(summary.Copies) != 1 || summary.Copies[0].Of != good[1] {
		t.Errorf("copies: %v", summary.Copies)
	}
	if summary.Repeated != int64(half+4) {
		t.Errorf("%d packets are repeated, want %d", summary.Repeated, half+4)
	}
}

// cut cuts bytes from the end of a file.
func cut(t *testing.T, name string, bytes int64) {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(name, max(0, info.Size()-bytes)); err != nil {
		t.Fatal(err)
	}
}

// TestUnquoted has a pattern that the shell expanded, so the flags after it become arguments too.
func TestUnquoted(t *testing.T) {
	o := options{Inputs: []string{"in/a.pcap"}, Partition: "none", ShardPackets: 1, Memory: 64}
	err := o.check([]string{"in/b.pcap", "--output", "out"})
	if err == nil || !strings.HasPrefix(err.Error(), "in/b.pcap: ") {
		t.Errorf("one file of two would be read: %v", err)
	}
	o.Output = "out/"
	if err := o.check(nil); err != nil {
		t.Error(err)
	}
}

// TestAgain stops workers in the middle of shards, and lets other workers repeat these shards.
func TestAgain(t *testing.T) {
	dir := t.TempDir()
	names := rotate(t, dir, copies(t, []string{
		"../../testdata/pcap/bz24-query.pcap", "../../testdata/pcap/tribes-list-40.pcap",
	}, 6), 6)
	want := direct(t, map[string][]string{"": names}, 1)
	o := options{Inputs: []string{dir + "/*"}, Output: t.TempDir(), ShardPackets: 200}
	for stop := range 40 {
		stopAfter(t, o, names, stop*50)
	}
	got, summary := beamed(t, o)
	same(t, got, want)
	if summary.Shards < 3 {
		t.Errorf("%d shards", summary.Shards)
	}
	if _, err := os.Stat(filepath.Join(o.Output, "tables", "findings", "all-99999.parquet")); err == nil {
		t.Error("a table of an earlier run is left")
	}
	if err := o.begin(t.Context()); err == nil || !strings.Contains(err.Error(), "--overwrite") {
		t.Errorf("results would be replaced without --overwrite: %v", err)
	}
	if o.Overwrite = true; o.begin(t.Context()) != nil {
		t.Error("--overwrite does not replace results")
	}
	again, _ := beamed(t, o)
	same(t, again, want)
}

var errStopped = errors.New("the worker is stopped")

// stopAfter makes a worker process part of a shard. The worker stops after some packets, with an error or without any
// cleanup.
func stopAfter(t *testing.T, o options, names []string, packets int) {
	t.Helper()
	s := Shard{Key: shardKey("", packets%3), Number: packets % 3}
	if packets%4 == 0 {
		s.Key = shardKey("", 99999) // as if an earlier run had more shards
	}
	var streams []stream
	var first []int64
	for _, name := range names {
		s.Files = append(s.Files, File{Path: name})
		streams, first = append(streams, &stopped{name: name, left: &packets}), append(first, 0)
	}
	to, err := newFolder(context.Background(), o.Output, s.Key)
	if err != nil {
		t.Fatal(err)
	}
	o.Memory = 16
	w := newWork(&o, &s, to)
	in := newMerger(streams, first)
	defer in.Close()
	err = w.take(in, func(*decode.Frame) int { return s.Number })
	if err == nil {
		_, err = w.close()
	}
	if err != nil && !errors.Is(err, errStopped) {
		t.Fatal(err)
	}
	if packets%100 == 0 {
		to.abandon()
	} else if err == nil {
		if _, err := to.publish(); err != nil {
			t.Fatal(err)
		}
	}
}

// A stopped is a stream. It ends with an error when all streams together have returned some number of packets.
type stopped struct {
	name string
	left *int
	in   *capture.File
}

func (s *stopped) next(p *capture.Packet) (err error) {
	if s.in == nil {
		if s.in, err = capture.Open(s.name); err != nil {
			return err
		}
	}
	if *s.left--; *s.left < 0 {
		return errStopped
	}
	return s.in.Next(p)
}

// Close ends reading.
func (s *stopped) Close() error {
	if s.in == nil {
		return nil
	}
	return s.in.Close()
}
