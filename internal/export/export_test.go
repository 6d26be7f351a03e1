package export_test

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/export"
	"github.com/gamedissect/gamedissect/internal/testcapture"
	"github.com/gamedissect/gamedissect/layers"
)

// memory collects tables in memory.
type memory map[string]*file

type file struct {
	bytes.Buffer
	closed bool
}

func (f *file) Close() error {
	f.closed = true
	return nil
}

func (m memory) create(path string) (io.WriteCloser, error) {
	if m[path] != nil {
		return nil, errors.New(path + " is written twice")
	}
	m[path] = new(file)
	return m[path], nil
}

// rows returns the number of rows of a table.
func (m memory) rows(t *testing.T, path string) int64 {
	t.Helper()
	f := m[path]
	if f == nil {
		return 0
	}
	if !f.closed {
		t.Errorf("%s is not closed", path)
	}
	r, err := parquet.OpenFile(bytes.NewReader(f.Bytes()), int64(f.Len()))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return r.NumRows()
}

// captures lists the captures of real programs. In short tests it lists only small ones.
func captures(t *testing.T) []string {
	t.Helper()
	return slices.DeleteFunc(testcapture.Names(t, "../../testdata/pcap/*"), func(name string) bool {
		info, err := os.Stat(name)
		return err != nil || testing.Short() && info.Size() > 64<<10
	})
}

// run exports a capture, and counts the rows that the tables must have.
func run(t *testing.T, name string, o export.Options) (rows map[string]int64) {
	t.Helper()
	rows = make(map[string]int64)
	e := export.New(o)
	engine := decode.New(decode.Options{
		Protocols: layers.All(),
		Message: func(m *decode.Message) {
			rows[m.Protocol.Name+"/"+m.Name]++
			rows["findings"] += int64(len(m.Findings))
			e.Message(m)
		},
		Finding: func(f *wire.TrafficFinding) {
			rows["findings"]++
			e.Finding(f)
		},
		Value: func(v *wire.Value) {
			rows["values"]++
			e.Value(v)
		},
		Attempt: func(a *wire.Attempt) {
			if a.Over {
				rows["attempts"]++
			}
			e.Attempt(a)
		},
	})
	for _, f := range testcapture.Frames(t, name) {
		engine.Frame(&f)
	}
	engine.Close()
	if err := e.Close(); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	return rows
}

// TestCaptures checks that every message has a row, and that all of its fields have columns.
func TestCaptures(t *testing.T) {
	for _, name := range captures(t) {
		disk := make(memory)
		rows := run(t, name, export.Options{Create: disk.create})
		for _, table := range slices.Sorted(maps.Keys(rows)) {
			if got := disk.rows(t, table+".parquet"); got != rows[table] {
				t.Errorf("%s: %d rows of %s, want %d", name, got, table, rows[table])
			}
		}
	}
}

// TestRowGroups checks that no row is missing if memory allows only a few unwritten rows, and that rows are in the
// folders of their days.
func TestRowGroups(t *testing.T) {
	name := filepath.Join("..", "..", "testdata", "pcap", "bz24-ctf-capture.pcap")
	disk := make(memory)
	rows := run(t, name, export.Options{Create: disk.create, Memory: 1, ByDay: true})
	for _, table := range slices.Sorted(maps.Keys(rows)) {
		if got := disk.rows(t, "day=2026-11-20/"+table+".parquet"); got != rows[table] {
			t.Errorf("%d rows of %s, want %d", got, table, rows[table])
		}
	}
	f := disk["day=2026-11-20/bzflag24/MsgPlayerUpdateSmall.parquet"]
	r, err := parquet.OpenFile(bytes.NewReader(f.Bytes()), int64(f.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(r.RowGroups()); n < 2 {
		t.Errorf("%d row groups", n)
	}
}

// TestBounds checks that a table has the minimum and maximum of its columns, except for columns with worlds.
func TestBounds(t *testing.T) {
	name := filepath.Join("..", "..", "testdata", "pcap", "bz24-ctf-capture.pcap")
	disk := make(memory)
	run(t, name, export.Options{Create: disk.create})
	f := disk["bzflag24/MsgGetWorld.parquet"]
	r, err := parquet.OpenFile(bytes.NewReader(f.Bytes()), int64(f.Len()))
	if err != nil {
		t.Fatal(err)
	}
	bounded := make(map[string]bool)
	for i, chunk := range r.Metadata().RowGroups[0].Columns {
		bounded[strings.Join(r.Schema().Columns()[i], ".")] = len(chunk.MetaData.Statistics.MaxValue) > 0
	}
	if !bounded["time"] || !bounded["src"] || bounded["fields.data"] || bounded["fields.world.deflated"] {
		t.Errorf("bounds are of time: %v, src: %v, data: %v, deflated: %v", bounded["time"], bounded["src"],
			bounded["fields.data"], bounded["fields.world.deflated"])
	}
}
