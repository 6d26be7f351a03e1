package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// TestStore reads captures from an object store and writes results to it. First it writes what an earlier run would
// have left in the store. GAMEDISSECT_BEAM_STORE names an empty bucket, such as s3://bucket. .ci/cluster/run starts a
// server that has one.
func TestStore(t *testing.T) {
	store := os.Getenv("GAMEDISSECT_BEAM_STORE")
	if store == "" {
		t.Skip("GAMEDISSECT_BEAM_STORE names no bucket")
	}
	fs, err := filesystem.New(t.Context(), store)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	names := rotate(t, dir, copies(t, []string{
		"../../testdata/pcap/bz24-query.pcap", "../../testdata/pcap/tribes-list-40.pcap",
	}, 6), 6)
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := filesystem.Write(t.Context(), fs, store+"/in/"+filepath.Base(name), content); err != nil {
			t.Fatal(err)
		}
	}
	want := direct(t, map[string][]string{"": names}, 1)
	for table, rows := range want.rows { // rows contain file names
		for i := range rows {
			rows[i] = strings.ReplaceAll(rows[i], dir, store+"/in")
		}
		slices.Sort(want.rows[table])
	}
	for sensor := range want.stats {
		want.stats[sensor] = strings.ReplaceAll(want.stats[sensor], dir, store+"/in")
	}
	o := options{Inputs: []string{store + "/in/*"}, Output: store + "/out", ShardPackets: 200, Overwrite: true}
	for place, content := range map[string]string{
		reportPath(o.Output): "{}", tablesPath(o.Output) + "/findings/all-99999.parquet": "of an earlier run",
	} {
		if err := filesystem.Write(t.Context(), fs, place, []byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	got, _ := beamed(t, o)
	same(t, got, want)
}

// fetched returns the output folder. If the output is in a store, it returns a local copy.
func fetched(t *testing.T, output string) string {
	t.Helper()
	if !strings.Contains(output, "://") {
		return output
	}
	fs, err := filesystem.New(t.Context(), output)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, pattern := range []string{"/tables/*/*", "/tables/*/*/*", "/statistics/*"} {
		list, err := fs.List(t.Context(), output+pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, from := range list {
			content, err := filesystem.Read(t.Context(), fs, from)
			if err != nil {
				t.Fatal(err)
			}
			to := dir + strings.TrimPrefix(from, output)
			if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(to, content, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}
