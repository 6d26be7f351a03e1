package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	"github.com/parquet-go/parquet-go"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/cmd/gamedissect-beam/split"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/internal/stats"
	"github.com/gamedissect/gamedissect/layers"
)

// TestMain handles Beam's flags, so the tests can run with another runner than Prism (--runner). This program is then
// also the worker.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := becomeWorker(context.Background()); err != nil {
		fail(err)
	}
	beam.Init()
	if err := chooseWorkerBinary(); err != nil {
		fail(err)
	}
	os.Exit(m.Run())
}

// found is the result of dissecting files, with or without Beam.
type found struct {
	rows  map[string][]string // rows of each table of all sensors, sorted
	stats map[string]string   // by sensor
}

// beamed lets Beam dissect files.
func beamed(t *testing.T, o options) (*found, *report) {
	t.Helper()
	o.Memory = cmp.Or(o.Memory, 64)
	o.Partition = cmp.Or(o.Partition, "none")
	if err := o.check(nil); err != nil {
		t.Fatal(err)
	}
	if err := o.begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	p, s := beam.NewPipelineWithRoot()
	dissect(s, o)
	if err := beamx.Run(context.Background(), p); err != nil {
		t.Fatal(err)
	}
	summary, err := readReport(t.Context(), o.Output)
	if err != nil {
		t.Fatal(err)
	}
	dir := fetched(t, o.Output)
	x := &found{rows: rowsOf(t, dir), stats: make(map[string]string)}
	for _, path := range summary.Statistics {
		text, err := os.ReadFile(statisticsPath(dir, filepath.Base(path)))
		if err != nil {
			t.Fatal(err)
		}
		s, err := readStats(text, o.lists())
		if err != nil {
			t.Fatal(err)
		}
		x.stats[strings.TrimSuffix(filepath.Base(path), ".json")] = statistics(t, s)
	}
	return x, summary
}

// direct dissects the files of each sensor with several engines, one after another. Each engine gets the times of all
// packets. Engine n gets the components whose number is n modulo engines.
func direct(t *testing.T, sensors map[string][]string, engines int) *found {
	t.Helper()
	x := &found{stats: make(map[string]string)}
	dir := t.TempDir()
	for sensor, files := range sensors {
		var parts *split.Asker
		if engines > 1 {
			s := split.New(layers.All(), nil)
			each(t, files, s.Frame)
			parts = s.Parts().Asker()
		}
		all := stats.Stats{Memory: (&options{Memory: 64}).lists()}
		for n := range engines {
			to, err := newFolder(t.Context(), dir, shardKey(sensor, n))
			if err != nil {
				t.Fatal(err)
			}
			w := newWork(&options{Memory: 64}, &Shard{Key: sensor, Number: n}, to)
			troubles := each(t, files, func(f *decode.Frame) {
				w.stats.Begin = cmp.Or(w.stats.Begin, f.Time)
				if parts == nil || parts.Of(f)%engines == n {
					w.engine.Frame(f)
				} else {
					w.engine.Skip(f)
				}
			})
			if n == 0 {
				w.shard.Files = troubles
			}
			if _, err := w.close(); err != nil {
				t.Fatal(err)
			}
			if _, err := to.publish(); err != nil {
				t.Fatal(err)
			}
			all.Merge(&w.stats)
		}
		x.stats[fileName(sensor)] = statistics(t, &all)
	}
	x.rows = rowsOf(t, dir)
	return x
}

// each passes the packets of files, merged by time, to a function. It returns the truncated files.
func each(t *testing.T, names []string, frame func(*decode.Frame)) (cut []File) {
	t.Helper()
	var files []*capture.File
	for _, name := range names {
		f, err := capture.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	in := capture.Merge(files...)
	defer func() { _ = in.Close() }() // harmless: the file was only read
	var p capture.Packet
	for {
		err := in.Next(&p)
		if err == io.EOF {
			return cut
		}
		if err != nil {
			return append(cut, troubles(err)...)
		}
		f := frameOf(&p)
		frame(&f)
	}
}

// troubles lists the truncated files.
func troubles(err error) (cut []File) {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range several.Unwrap() {
			cut = append(cut, troubles(err)...)
		}
		return cut
	}
	if bad, ok := errors.AsType[*capture.Error](err); ok && bad.Truncated {
		cut = append(cut, File{Path: bad.File, Packets: int64(bad.Packet), Last: bad.Time, Cut: true, Trouble: bad.Reason})
	}
	return cut
}

// statistics returns the counts as text. It leaves out the conversations' numbers, because they depend on the engine.
func statistics(t *testing.T, s *stats.Stats) string {
	t.Helper()
	for _, c := range s.Conversations {
		c.Stream = 0
	}
	var b bytes.Buffer
	if err := s.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, b.Bytes(), "", " "); err != nil {
		t.Fatal(err)
	}
	return indented.String()
}

// rowsOf reads all tables. It leaves out the numbers of messages and conversations, because they depend on the engine.
func rowsOf(t *testing.T, output string) map[string][]string {
	t.Helper()
	rows := make(map[string][]string)
	dir := tablesPath(output)
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if filepath.Ext(path) != ".parquet" {
			t.Errorf("%s is not a table", path)
		}
		table, err := filepath.Rel(dir, filepath.Dir(path))
		if err != nil {
			return err
		}
		list, err := readRows(path)
		rows[table] = append(rows[table], list...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(rows, func(_ string, list []string) bool { return len(list) == 0 })
	for _, list := range rows {
		slices.Sort(list)
	}
	return rows
}

func readRows(path string) (list []string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // harmless: the file was only read
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	file, err := parquet.OpenFile(f, info.Size())
	if err != nil {
		return nil, err
	}
	columns := file.Schema().Columns()
	for _, group := range file.RowGroups() {
		rows := group.Rows()
		buffer := make([]parquet.Row, 64)
		for {
			n, err := rows.ReadRows(buffer)
			for _, row := range buffer[:n] {
				var text strings.Builder
				for _, v := range row {
					if name := columns[v.Column()]; name[0] != "number" && name[0] != "stream" {
						fmt.Fprintf(&text, "%s=%+v ", name[len(name)-1], v)
					}
				}
				list = append(list, text.String())
			}
			if err == io.EOF {
				break
			}
			if err != nil {
				return nil, err
			}
		}
		if err := rows.Close(); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// same checks that two results are equal.
func same(t *testing.T, got, want *found) {
	t.Helper()
	if len(want.rows) == 0 || len(want.stats) == 0 {
		t.Fatal("nothing is found")
	}
	for table := range maps.Keys(merged(got.rows, want.rows)) {
		a, b := got.rows[table], want.rows[table]
		if slices.Equal(a, b) {
			continue
		}
		t.Errorf("%s has %d rows, want %d: %s", table, len(a), len(b), difference(a, b))
	}
	for sensor := range maps.Keys(merged(got.stats, want.stats)) {
		if a, b := got.stats[sensor], want.stats[sensor]; a != b {
			t.Errorf("statistics of %q: %s", sensor, difference(strings.Split(a, "\n"), strings.Split(b, "\n")))
		}
	}
}

func merged[V any](a, b map[string]V) map[string]V {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// difference returns the part in which lists begin to differ.
func difference(a, b []string) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	from := max(0, i-2)
	text := strings.Join(a[from:min(i+2, len(a))], "\n") + "\nwant\n" + strings.Join(b[from:min(i+2, len(b))], "\n")
	return text[:min(len(text), 3000)]
}
