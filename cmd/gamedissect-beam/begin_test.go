package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
)

// touch creates a file and the folders that contain it.
func touch(t *testing.T, path string) string {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, nil, 0o666)); err != nil {
		t.Fatal(err)
	}
	return path
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// TestOutput checks that the output folder is neither a pattern nor the root.
func TestOutput(t *testing.T) {
	for output, want := range map[string]string{
		"/": "", "//": "", "gs://": "", "C:/": "", "out*": "", "out[1]": "", "out/": "out", "/out//": "/out", "gs://a/": "gs://a",
	} {
		o := options{Inputs: []string{"x"}, Output: output, Partition: "none", ShardPackets: 1, Memory: 64}
		if err := o.check(nil); (err == nil) != (want != "") || err == nil && o.Output != want {
			t.Errorf("%s: %q, %v", output, o.Output, err)
		}
	}
}

// TestOverwrite checks that a run removes the results of an earlier run only if it has something to read, and that it
// leaves other files.
func TestOverwrite(t *testing.T) {
	dir := t.TempDir()
	write(t, dir+"/in/east/1.pcapng", packets(t, "../../testdata/pcap/tribes-list-40.pcap")[:5])
	o := options{
		Inputs: []string{dir + "/in/nowhere/*"}, Output: dir + "/out", Sensor: "([^/]+)/[^/]+$", Partition: "none",
		ShardPackets: 1, Memory: 64, Overwrite: true,
	}
	if err := o.begin(t.Context()); err == nil || exists(o.Output) {
		t.Errorf("a run without input begins: %v", err)
	}
	west := touch(t, statisticsPath(o.Output, "west.json"))
	mine := touch(t, statisticsPath(o.Output, "mine.json"))
	earlier := `{"statistics": ["elsewhere/statistics/west.json", "gone.json"]}`
	if err := os.WriteFile(reportPath(o.Output), []byte(earlier), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := o.begin(t.Context()); err == nil || !exists(reportPath(o.Output)) || !exists(west) {
		t.Errorf("results are removed although there is no input: %v", err)
	}
	o.Inputs = append(o.Inputs, dir+"/in/*/*")
	if err := o.begin(t.Context()); err != nil || exists(reportPath(o.Output)) || exists(west) || !exists(mine) {
		t.Errorf("wrong files are removed or left: %v", err)
	}
}

// TestMatch finds files by pattern, and files whose names look like patterns.
func TestMatch(t *testing.T) {
	dir := t.TempDir()
	one, two := touch(t, dir+"/a[1].pcap"), touch(t, dir+"/b.pcap")
	for pattern, want := range map[string][]string{
		dir + "/*": {one, two}, one: {one}, dir + "/c*": nil, dir + "/c[1].pcap": nil, "nothing://x": nil,
	} {
		if got, err := match(t.Context(), pattern); !slices.Equal(got, want) || (err != nil) != (pattern == "nothing://x") {
			t.Errorf("%s: %q, %v", pattern, got, err)
		}
	}
}

// TestSweep checks that only the tables of other runs and attempts are removed.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	f, err := newFolder(t.Context(), dir, shardKey("", 7))
	if err != nil {
		t.Fatal(err)
	}
	tables := tablesPath(dir)
	ours := touch(t, tables+"/findings/all-00000.parquet")
	mine := touch(t, tables+"/bzflag24/MsgKilled.parquet") // written by gamedissect export
	others := []string{
		touch(t, tables+"/values/all-00001.parquet"), touch(t, tables+"/bzflag24/MsgKilled/west-00001.parquet"),
		touch(t, tables+"/day=2026-11-23/tribes/Query/west-00001.parquet"+f.attempt),
	}
	if err := sweep(t.Context(), f.fs, dir, map[string]bool{ours: true}); err != nil {
		t.Fatal(err)
	}
	if !exists(ours) || !exists(mine) {
		t.Error("too much is removed")
	}
	for _, path := range others {
		if exists(path) {
			t.Errorf("%s is left", path)
		}
	}
}

// TestAbandon closes and removes files that were not finished.
func TestAbandon(t *testing.T) {
	f, err := newFolder(t.Context(), t.TempDir(), shardKey("", 0))
	if err != nil {
		t.Fatal(err)
	}
	to, err := f.create("findings.parquet")
	if err != nil {
		t.Fatal(err)
	}
	temporary := f.files[0].place + f.attempt
	if _, err := to.Write([]byte("x")); err != nil || !exists(temporary) {
		t.Fatal(err)
	}
	f.abandon()
	if _, err := to.Write([]byte("x")); !errors.Is(err, os.ErrClosed) || exists(temporary) {
		t.Errorf("the file is open: %v, or exists: %v", err, exists(temporary))
	}
}

// TestCause checks that the cause of an error is shown without the plan of a stage.
func TestCause(t *testing.T) {
	dir := t.TempDir()
	o := options{
		Inputs: []string{write(t, dir+"/1.pcapng", packets(t, "../../testdata/pcap/tribes-list-40.pcap")[:5])},
		Output: touch(t, dir+"/file") + "/out", Partition: "none", ShardPackets: 1, Memory: 64,
	}
	p, s := beam.NewPipelineWithRoot()
	dissect(s, o)
	err := beamx.Run(context.Background(), p)
	if err == nil {
		t.Fatal("a file was used as a folder")
	}
	if text := cause(err).Error(); !strings.HasPrefix(text, "mkdir "+dir) || strings.Contains(text, "\n") {
		t.Error(text)
	}
}
